"""The laws. Each is a function (task, program, draw, help) that raises program.Broken where it does not hold."""
import gzip
import json
import math
import re
import shutil

import numpy
from hypothesis import strategies as st

import flags
from evaluate import Method, Problem
from folds import make_folds
from kernels import mapped_examples, whole

CLOSE = 1e-6  # relative, between two ways to add up the same numbers


def write(program, task, data, examples=None, prefix=""):
    """Writes the files of some examples; returns the flags that name them."""
    for k, (name, content) in enumerate(task.text(data, data.examples if examples is None else examples).items()):
        if k == 0:
            program.write(prefix + name, content)
            first = prefix + name
        elif not prefix:
            program.write(name, content)
    return ["--data", first, *task.arguments(data)]


def train(program, task, data, drawn, model="model", examples=None, prefix="", more=()):
    """A training run; returns whether it was served."""
    files = write(program, task, data, examples, prefix)
    return program.run("train", task.NAME, *files, "--model", model, "--summary", model + ".json", "--quiet",
                       *flags.line(drawn), *more, makes=[model, model + ".json"]).ok


def draw_run(task, draw, help_, **limits):
    data = draw(task.data())
    return data, draw(flags.training(help_, task.flags(data), getattr(task, "ALWAYS", ()), **limits))


# a. The report is what enumeration finds.
def objective(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    more = []
    if draw(st.integers(0, 7)) == 0:  # the best of a path
        drawn = [(f, "0.5,5" if f == "C" else v) for f, v in drawn]
        more = ["--validation", next(iter(task.text(data, data.examples)))]
    if not train(program, task, data, drawn, more=more):
        return
    check_report(task, program, data, program.json("model.json"), program.weights("model"))


def check_report(task, program, data, summary, weights):
    primal, dual = summary["primal"], summary["dual"]
    check_gap(program, summary)
    if primal is None:
        return
    examples = problem_of(task, data, summary["options"]["task"])
    if examples is None:
        return
    bounded = getattr(task, "bounded", lambda options: lambda name: False)(summary["options"]["task"])
    centre = getattr(task, "centre", lambda name: 0.0)
    problem, method = Problem(examples, bounded, centre), Method.of(summary)
    negative = [name for name, value in weights.items() if bounded(name) and value < 0]
    if negative:
        program.fail(f"weights that must not be negative are: {negative}")
    if summary["n"] != len(examples):
        program.fail(f"n is {summary['n']}, but there are {len(examples)} examples")
    open_ = sum(not e.determined() for e in problem.examples)
    if summary["incomplete"] < open_:
        program.fail(f"{summary['incomplete']} labels are incomplete, but by enumeration {open_}")
    if summary["options"]["task"].get("kernel", "none") != "none":
        return check_kernel(program, problem, method, primal, dual)
    w, unused = problem.vector(weights)
    idle = sum(0.5 * (v - centre(name)) ** 2 + method.l1 * abs(v) for name, v in unused.items())
    value = problem.value(w, method) + idle
    tolerance = CLOSE * max(1.0, abs(value), 0.5 * float(w @ w)) + 1e-13 * method.C * problem.largest_score(w)
    exact = summary["inference"]["approximate"] == 0 and summary["inference"]["unconverged"] == 0
    if exact and abs(value - primal) > tolerance:
        program.fail(f"primal is {primal!r}, but the objective at the weights is {value!r}")
    hard = method.output_temperature == 0 and method.latent_temperature == 0
    if not exact and hard and problem.convex() and primal > value + tolerance:
        program.fail(f"primal is {primal!r}, above the objective at the weights, {value!r}")
    if dual is not None and (exact or hard):
        lowest = min(problem.lowest(method, w), problem.value(problem.centre, method))
        if dual > lowest + tolerance:
            program.fail(f"dual is {dual!r}, but enumeration and a general solver reach {lowest!r}")


def problem_of(task, data, options):
    """The examples for enumeration, or None. Rows of positions, nodes and frames are made by the task itself."""
    own = getattr(task, "MAPS", task.NAME in ("sequence", "graph", "sequence-class"))
    examples = data.examples if own else mapped_examples(data.examples, options)
    return None if examples is None else task.problem(data, examples, options)


def check_kernel(program, problem, method, primal, dual):
    """Weights of a kernel's features depend on how it became features. The optimum does not."""
    if method.C > 100 or method.l1 > 0 or not problem.convex():  # an L1 term depends on how it became features
        return
    lowest = problem.lowest(method, numpy.zeros(len(problem.column)))
    tolerance = 5e-3 * max(1.0, abs(lowest))
    if dual is not None and dual > lowest + tolerance:
        program.fail(f"dual is {dual!r}, but a general solver with all products of the kernel reaches {lowest!r}")
    if primal < lowest - tolerance:
        program.fail(f"primal is {primal!r}, but a general solver with all products of the kernel only reaches {lowest!r}")


def check_gap(program, summary):
    primal, dual = summary["primal"], summary["dual"]
    if primal is None and summary["termination"] == "stopped":
        return  # before the objective was computed
    if primal is None or not math.isfinite(primal):
        program.fail(f"primal is {primal}")
    if dual is None:
        if summary["relative_gap"] is not None:
            program.fail("there is a gap without a dual")
        return
    if abs(summary["gap"] - (primal - dual)) > CLOSE * abs(primal):
        program.fail(f"gap is {summary['gap']}, but primal - dual is {primal - dual}")
    if dual > primal + 1e-9 * max(1.0, abs(primal)):
        program.fail(f"dual {dual!r} is above primal {primal!r}")
    goal = summary["options"]["solver"].get("gap")
    if "relative gap is at most" in summary["message"] and summary["relative_gap"] > goal * (1 + 1e-9):
        program.fail(f"'{summary['message']}', but the gap is {summary['relative_gap']}")


# b. What is added to the output changes nothing else in it.
def outputs(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    if not train(program, task, data, drawn):
        return
    files = ["--data", next(iter(task.text(data, data.examples)))]
    decode = draw(st.sampled_from([[], ["--decode=joint"], ["--decode=marginal-map"], ["--decode=max-marginals"]]))
    plain = program.run("predict", "model", *files, *decode, "--quiet")
    if not plain.ok:
        if not decode:
            program.fail(f"a model does not predict its own training data:\n{plain.err}")
        return
    expected = task.answers(plain.out)
    if len(expected) != task.places(data):
        program.fail(f"{len(expected)} predictions for {task.places(data)}")
    approximate = check_accuracy(task, program, data, files + decode, expected)
    if not approximate:
        check_decoding(task, program, data, decode[0].split("=")[1] if decode else None, expected)
    for more in task.PREDICT + [["--threads=3"], ["--output=predicted"]]:
        run = program.run("predict", "model", *files, *decode, *more, "--quiet")
        if not run.ok:
            continue
        answers = task.answers(program.read("predicted") if "--output=predicted" in more else run.out)
        if answers != expected:
            program.fail(f"{' '.join(decode + more)} changes the predictions from {expected} to {answers}")


def check_accuracy(task, program, data, arguments, answers):
    """`evaluate` measures what `predict` predicts."""
    if not hasattr(task, "truths"):
        return
    pairs = [(truth, answer) for truth, answer in zip(task.truths(data), answers) if truth is not None]
    run = program.run("evaluate", "model", *arguments, "--json", "--quiet")
    if not run.ok:
        program.fail(f"a model does not evaluate on its own training data:\n{run.err}")
    accuracy, own = json.loads(run.out)["accuracy"], sum(truth == answer for truth, answer in pairs) / len(pairs)
    if abs(accuracy - own) > 1e-12:
        program.fail(f"evaluate has accuracy {accuracy}, the predictions {own}")
    return json.loads(run.out).get("approximate", 0)


def check_decoding(task, program, data, decoding, answers):
    """Predictions are the best that their decoding knows, by enumeration."""
    summary = program.json("model.json")
    latent = summary["latent_temperature"]
    options = summary["options"]["task"]
    if options.get("unlabelled_nodes", "hidden") != "hidden" or options.get("beam"):
        return
    examples = None if options.get("kernel", "none") != "none" else task.problem(data, data.examples, options)
    if examples is None or examples[0][1][0].prediction is None:
        return
    problem, rest = Problem(examples), list(answers)
    w, _ = problem.vector(program.weights("model"))
    for k, example in enumerate(problem.examples):
        size = len(example.structures[0].prediction)
        predicted, rest = rest[:size], rest[size:]
        name = decoding or ("joint" if latent == 0 else "marginal-map")
        if name not in getattr(task, "DECODINGS", (name,)):
            return
        trouble = example.trouble(w, name, latent or 1, predicted)
        if trouble:
            program.fail(f"example {k + 1} by {name}: {trouble}")


# c. Cross-validation is training and evaluation on its folds.
def folds(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_, searching=False)  # which is refused where no label of a fold is incomplete
    data.examples *= draw(st.sampled_from([1, 2, 2]))  # so that most folds have every label
    n = len(data.examples)
    if n < 2:
        return
    groups = task.fold_groups(data.examples) if hasattr(task, "fold_groups") else list(range(n))  # which no fold splits
    if max(groups) == 0:
        return
    count, seed = draw(st.integers(2, min(3, max(groups) + 1))), draw(st.integers(0, 3))
    each = draw(st.sampled_from([0.25, 1, 2]))
    drawn = [(f, v) for f, v in drawn if f not in ("C", "seed", "threads", "time-limit")]
    files = write(program, task, data)
    run = program.run("cross-validate", task.NAME, *files, "--folds", count, "--seed", seed, "--C", each * n, "--json",
                      "--quiet", *flags.line([(f"sequence-{f}" if f == "folds" else f, v) for f, v in drawn]))
    parts = [[i for i in range(n) if groups[i] in part] for part in make_folds(max(groups) + 1, count, seed)]
    measured = []
    for k, part in enumerate(parts):
        rest = [e for i, e in enumerate(data.examples) if i not in part]
        served = train(program, task, data, drawn, f"model{k}", rest, f"rest{k}.", ["--seed", seed, "--C", each * len(rest)])
        held_out = write(program, task, data, [data.examples[i] for i in part], f"part{k}.")[:2]
        result = program.run("evaluate", f"model{k}", *held_out, "--json", "--quiet") if served else None
        measured.append(json.loads(result.out) if result and result.ok else None)
    if not run.ok:
        if all(measured):
            program.fail(f"cross-validate refuses what training and evaluation do:\n{run.err}")
        return
    if not all(measured):
        program.fail(f"cross-validate does what training or evaluation refuses on fold {measured.index(None) + 1}")
    for name, values in json.loads(run.out)["path"][0]["metrics"].items():
        expected = [m.get(name) for m in measured]
        if values["folds"] != expected:
            program.fail(f"cross-validate has {name} = {values['folds']} on its folds, training and evaluation {expected}")


# d. Files come back as they were: copies, .gz, standard input.
def files(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    drawn = [(f, v) for f, v in drawn if f != "time-limit"]
    if not train(program, task, data, drawn):
        return
    file = next(iter(task.text(data, data.examples)))
    program.derive("data.gz", gzip.compress(program.bytes(file)), f"gzip -c {file} > data.gz")
    program.derive("copy", program.bytes("model"), "cp model copy")
    program.derive("copy.gz", gzip.compress(program.bytes("model")), "gzip -c model > copy.gz")
    plain = program.run("predict", "model", "--data", file, "--quiet")
    measured = program.run("evaluate", "model", "--data", file, "--json", "--quiet")
    for model in "copy", "copy.gz", "model":
        for source, stdin in ((file, None), ("data.gz", None), ("-", file), ("-", "data.gz")):
            again = program.run("predict", model, "--data", source, "--quiet", stdin=stdin)
            if (again.code, again.out) != (plain.code, plain.out):
                program.fail(f"{model} and {stdin or source} predict otherwise:\n{again.out}\n{plain.out}")
    again = program.run("evaluate", "copy.gz", "--data", file, "--json", "--quiet")
    if (again.code, again.out) != (measured.code, measured.out):
        program.fail("a copy of the model measures otherwise")
    weights = program.weights("model")
    program.run("train", task.NAME, "--data", "-", *task.arguments(data), "--model", "second.gz", "--quiet",
                *flags.line(drawn), stdin="data.gz", makes=["second.gz"])
    if program.weights("second.gz") != weights:
        program.fail("training from standard input gives other weights")
    if task.NAME in ("rank", "binary") or len(data.examples) < 2:  # whose queries or samples are numbered over all files
        return
    middle = len(data.examples) // 2
    parts = [write(program, task, data, data.examples[a:b], f"{a}.")[1] for a, b in ((0, middle), (middle, None))]
    run = program.run("train", task.NAME, "--data", *parts, *task.arguments(data), "--model", "third", "--quiet",
                      *flags.line(drawn), makes=["third"])
    if not run.ok or program.weights("third") != weights:
        program.fail("two files with the same examples give other weights")


# e, f. Examples twice, in another order, or with other names have the same optimum, and so they have from another start.
def copies(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_, searching=False)
    drawn = [(f, "1" if (f, v) == ("C", "auto") else v) for f, v in drawn if f != "time-limit"]  # auto may choose another
    if not train(program, task, data, drawn):
        return
    first = program.json("model.json")
    if first["dual"] is None or first["incomplete"] > 0:
        return
    if first["inference"]["approximate"] or first["inference"]["unconverged"]:
        return
    if not whole(first["options"]["task"]):
        return
    order = draw(st.permutations(range(len(data.examples))))
    other, names = task.renamed(data)
    for model, changed, examples, new in (
        ("twice", data, data.examples * 2, {}),
        ("shuffled", data, [data.examples[i] for i in order], {}),
        ("renamed", other, other.examples, names),
        ("started from its model", data, data.examples, {}),
    ):
        more = ["--init", "model"] if "started" in model else []
        if not train(program, task, changed, [(f, rename(v, new)) for f, v in drawn], model, examples, more=more):
            program.fail(f"the data is refused when it is {model}")
        second = program.json(model + ".json")
        if second["dual"] is None:
            program.fail(f"there is no dual when the data is {model}")
        tolerance = CLOSE * max(1.0, abs(first["primal"]))
        if max(first["dual"], second["dual"]) > min(first["primal"], second["primal"]) + tolerance:
            program.fail(f"the optimum is between {first['dual']!r} and {first['primal']!r}, but when the data is {model} "
                         f"between {second['dual']!r} and {second['primal']!r}")


def rename(value, names):
    """Items LABEL:NUMBER or LABEL>LABEL of a flag, with the labels' other names."""
    if not isinstance(value, list):
        return value
    if all(">" in item for item in value):
        return [">".join(names.get(label, label) for label in item.split(">")) for item in value]
    parts = [item.rpartition(":") for item in value]
    return [names.get(label, label) + colon + number if colon else number for label, colon, number in parts]


# g. The number of threads changes no bit.
def threads(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    drawn = [(f, v) for f, v in drawn if f not in ("threads", "time-limit")]
    results = []
    for count in (1, 2, 7):
        model = f"model{count}"
        served = train(program, task, data, drawn, model, more=["--threads", count])
        results.append((timeless(program.json(model + ".json")), program.weights(model)) if served else None)
    for count, result in ((2, results[1]), (7, results[2])):
        if result != results[0]:
            program.fail(f"{count} threads give another result than 1: {difference(results[0], result)}")


def timeless(summary):
    """Without what depends on time and threads, in runs within the run too."""
    if isinstance(summary, list):
        return [timeless(run) for run in summary]
    if not isinstance(summary, dict):
        return summary
    kept = {k: timeless(v) for k, v in summary.items() if "seconds" not in k and k not in ("threads", "phases", "peak_memory_bytes")}
    return kept | {"message": re.sub(r"[\d.e-]+ CPU seconds", "", kept["message"])} if "message" in kept else kept


def difference(a, b):
    if a is None or b is None:
        return "one of them is refused"
    return [f"{k}: {a[0].get(k)} and {b[0].get(k)}" for k in a[0] if a[0].get(k) != b[0].get(k)] or "other weights"


# h. What is broken is refused in one sentence, and nothing is written: `Program.check` looks after every run.
WRONG = ["", "-1", "0", "nan", "inf", "-inf", "1e400", "1e-400", "x", "9" * 30, "0.5", "?", ":", "a:", ":1", "-", "/", "é", "1,", ",", "--"]
EXTREME = ["1e-300", "1e-30", "1e-9", "1e9", "1e30", "1e300"]  # of numbers that need not be whole


def refusals(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    kind = draw(st.sampled_from(["flag", "data", "model", "output"]))
    every = {f: v for g, fs in help_.groups.items() if g != "files" for f, v in fs.items()}
    if kind == "flag":
        flag = draw(st.sampled_from(sorted(every)))
        if flag not in ("time-limit",):
            drawn = [(f, v) for f, v in drawn if f != flag]
        drawn.append((flag, draw(st.sampled_from(WRONG + EXTREME * ((every[flag] or "").startswith("X"))))))
    named = write(program, task, data)
    if kind == "data":
        program.write(named[1], damaged(draw, program.bytes(named[1])))
    model = draw(st.sampled_from(["nowhere/model", ".", "/dev/full"])) if kind == "output" else "model"
    served = program.run("train", task.NAME, *named, "--model", model, "--quiet", *flags.line(drawn), "--threads=1",
                         makes=["model"] if model == "model" else []).ok
    if kind == "output" and served:
        program.fail(f"a model was written to {model}")
    if not served:
        return
    if kind == "model":
        program.write("damaged", damaged(draw, program.bytes("model")))
        model = "damaged"
    program.run("inspect", model, "--json")
    program.run("predict", model, *named[:2], "--quiet")
    program.run("evaluate", model, *named[:2], "--quiet")


def damaged(draw, content):
    """Some bytes left out, put in twice, or replaced."""
    at, length = draw(st.integers(0, len(content))), draw(st.integers(0, 20))
    new = draw(st.sampled_from([b"", content[at : at + length] * 2, b"?", b"\0", b"\xff", b"1e999", b"{", b"[" * 50, b"\n\n", b" ", b"\t", b":", b"-"]))
    return content[:at] + new + content[at + length :]


def largest(part):
    """Of the numbers in rows."""
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else ()
    own = abs(part) if isinstance(part, (int, float)) else 0
    return max([own, *map(largest, parts)])


# i. The mathematics of a task hold on any data, by the program's own account.
def checks(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    drawn = [(f, v) for f, v in drawn if f in help_.of_task]
    if ("kernel-map", "none") in drawn and largest(data.examples) > 10:
        return  # products of such rows are features of millions, whose functions bend within the steps of differences
    program.run("check", task.NAME, *write(program, task, data), *flags.line(drawn))


# j. Labels of unlabelled files are never looked at, threads change no bit, and where the unlabelled count nothing, the
# labelled ones are all.
def transduction(task, program, draw, help_):
    if task.NAME != "sequence":
        return
    data = draw(task.data(hidden=False))
    if data.facts["format"] in ("letter", "conllu"):  # whose labels are no free text
        return
    labels, form = data.facts["labels"], task.arguments(data)
    middle = max(1, len(data.examples) // 2)
    turned = {a: b for a, b in zip(labels, labels[1:] + labels[:1])}
    other = [([(turned[label], seen) for label, seen in positions], weight) for positions, weight in data.examples[:middle]]
    write(program, task, data)
    told = write(program, task, data, data.examples[:middle], "told.")[1]
    placed = write(program, task, data, other, "placed.")[1]
    file = next(iter(task.text(data, data.examples)))
    program.write("rules", f"fraction of {labels[0]} about 40% over the sample weight 5\neach {labels[1]} at most 1 token per example\n"
                           f"no transition from {labels[1]} to {labels[0]}\n")
    method = draw(st.sampled_from(flags.TRANSDUCTIVE))
    drawn = [(f, draw(flags.TRANSDUCTION[f])) for f in draw(st.lists(st.sampled_from(
        sorted(f for f, values in flags.TRANSDUCTION.items() if values is not None)), max_size=3, unique=True))]

    def learn(unlabelled, model, *more):
        run = program.run("train", task.NAME, "--data", file, *form, "--unlabelled", unlabelled, "--rules", "rules", "--method",
                          method, "-C", "2", "--model", model, "--quiet", *flags.line(drawn), *more, makes=[model])
        return program.weights(model) if run.ok else None

    first = learn(told, "model")
    for what, again in (("other labels", learn(placed, "placed")), ("3 threads", learn(told, "threads", "--threads=3"))):
        if again != first:
            program.fail(f"{what} of unlabelled examples give another model")
    if first is None:  # refused: no pair of neighbours, say, for the rule about transitions
        return
    if method != "transductive" or any(f in ("C1", "C2", "rule-features") for f, _ in drawn):
        return
    learn(told, "none", "--C2=0", "--gap=1e-6")
    program.run("train", task.NAME, "--data", file, *form, "--model", "plain", "-C", "2", "--gap=1e-6", "--quiet", makes=["plain"])
    ours, plain = program.weights("none"), program.weights("plain")
    apart = math.sqrt(sum((ours.get(f, 0) - plain.get(f, 0)) ** 2 for f in {*ours, *plain}))
    if apart > 0.01 * (1 + math.sqrt(sum(w * w for w in plain.values()))):
        program.fail(f"--C2 0 is {apart:g} away from what the labelled examples teach")


# l. A training that keeps checkpoints, or goes on from one, ends at the weights of one that does neither.
def checkpoints(task, program, draw, help_):
    data, drawn = draw_run(task, draw, help_)
    drawn = [(f, v) for f, v in drawn if f not in ("threads", "time-limit")]
    if not train(program, task, data, drawn, "whole"):
        return
    expected = program.weights("whole")

    def compare(what, model, *more):
        if not train(program, task, data, drawn, model, more=more):
            program.fail(f"{what} is refused")
        if program.weights(model) != expected:
            program.fail(f"{what} ends at other weights")

    compare("training that keeps checkpoints", "kept", "--checkpoint", "states", "--checkpoint-every", 0)
    states = sorted((program.folder / "states").glob("checkpoint-*"))
    if len(states) > 1 and draw(st.booleans()):
        shutil.rmtree(states[-1])
        program.commands.append(f"rm -r states/{states[-1].name}")
    compare("training that goes on", "gone-on", "--resume", "states", "--threads", draw(st.sampled_from([1, 3])))


LAWS = {"objective": objective, "outputs": outputs, "folds": folds, "files": files, "copies": copies, "threads": threads,
        "refusals": refusals, "checks": checks, "transduction": transduction,
        "checkpoints": checkpoints}
