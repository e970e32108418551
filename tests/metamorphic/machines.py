"""The law of many machines: ranks of mpirun, whether they read all data or share it, come to the bits of one process."""
import shutil

from hypothesis import strategies as st

import flags
import laws

SMOOTH = ("crf", "hcrf", "softmax-margin", "epsilon")


# k. The number of ranks changes no bit.
def ranks(task, program, draw, help_):
    if shutil.which("mpirun") is None:
        return
    data, drawn = laws.draw_run(task, draw, help_)
    size, shards = draw(st.sampled_from([2, 3])), draw(st.sampled_from([3, 16, 64]))
    drawn = [(f, v) for f, v in drawn if f not in ("threads", "time-limit", "shards")]
    given = dict(drawn)
    if "solver" not in given:  # auto may choose another for several ranks
        drawn.append(("solver", "lbfgs" if given.get("method", "ssvm") in SMOOTH else "bundle"))
    if "batch" in help_.of_solver[dict(drawn)["solver"]] and "batch" not in given:
        drawn.append(("batch", "4"))  # so is the usual one
    fixed = ["--shards", shards]
    served = laws.train(program, task, data, drawn, "one", more=fixed)
    files = laws.write(program, task, data)
    for model, more in (("several", []), ("shared", ["--share-data"])):
        run = program.run("train", task.NAME, *files, "--model", model, "--quiet", *flags.line(drawn), *fixed, *more,
                          makes=[model], ranks=size)
        if "has no MPI" in run.err:
            return
        if run.ok != served:
            few = len(data.examples) < size or "ranks" in run.err
            if served and (few or more):  # what cannot be shared is refused
                continue
            program.fail(f"{size} ranks {' '.join(more)} {'serve' if run.ok else 'refuse'} what one process does not:\n{run.err}")
        if served and program.weights(model) != program.weights("one"):
            program.fail(f"{size} ranks {' '.join(more)} give other weights than one process")
