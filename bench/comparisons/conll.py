"""Chunking, CoNLL-2000, with the attributes of CRFsuite's example: training and tagging.

All read the same attribute files. CRFsuite minimises c2 |w|^2 − log likelihood over observed features, twice
Hinge's objective at C = n/2 when c2 = 1. It is CRFsuite's own program, compiled here, that trains and tags.
"""

import json
import re
import statistics
import subprocess
import sys

from comparisons.peer import PROMISED, RATIOS, SHOWN, at_gap, rounds, row
from support import machine, process
from support.hinge import cpu_seconds_to
from support.table import markdown, ratio

sys.path.insert(0, str(machine.PEERS))
import attributes
import chunks

CRF_COLUMNS = {"level": "until the objective is", "who": "who", "cpu_seconds": "CPU s, median", "cpu_spread": "least, largest", "repeats": "runs", "passes": "passes", "peak_mb": "peak MB", "primal": "objective",
               "dimension": "weights", "f1": "chunk F1", "accuracy": "tokens right", **RATIOS}
SSVM_COLUMNS = {"C": "C", "gap": "relative gap", **SHOWN, "passes": "oracle passes", "f1": "chunk F1", "accuracy": "tokens right", **RATIOS}
TAG_COLUMNS = {"what": "what is counted", "who": "who", "cpu_seconds": "CPU s", "cpu_spread": "least, largest", "repeats": "passes", "tokens_per_second": "tokens/s",
               "time_ratio": "time / Hinge"}
LEVELS = (1e-2, 1e-3, 1e-4, 1e-5)


def attribute_file(plan, split):
    """The attribute file of a split, made once."""
    source, path = plan.data(f"conll2000/{split}.txt"), plan.folder() / f"conll2000.{split}"
    script = machine.PEERS / "attributes.py"
    if not path.exists() or path.stat().st_mtime < script.stat().st_mtime:
        with open(path, "w") as out:  # not through this script's memory, which counts into its children's
            subprocess.run(["python3", script, source], stdout=out, check=True)
    return path


def sequence(plan, *flags, model="model"):
    run = plan.hinge.train("sequence", "--format", "crfsuite", "--data", attribute_file(plan, "train"), *flags, model=model)
    metrics = plan.hinge.evaluate("--data", attribute_file(plan, "test"), model=model)
    return {**run, "f1": metrics["f1"], "accuracy": metrics["accuracy"], "passes": rounds(run)}


# Trained by conll-crf, kept for tagging.
def crfsuite_model(plan):
    return plan.folder() / "conll2000.crfsuite"


def hinge_model(plan):
    return plan.folder() / "conll2000.hinge"


def crfsuite_train(plan):
    """Its log has the loss and the processor seconds of each iteration; "cpu_seconds" is its own total of training."""
    train, model = attribute_file(plan, "train"), crfsuite_model(plan)
    settings = [word for setting in ("c1=0", "c2=1", "feature.minfreq=0") for word in ("-p", setting)]
    cost = process.run([machine.crfsuite(), "learn", "-a", "lbfgs", *settings, "-m", model, train], limit=plan.limit)
    losses = [float(loss) / 2 for loss in re.findall(r"^Loss: (\S+)", cost.output, re.M)]
    seconds = [float(s) for s in re.findall(r"^Seconds required for this iteration: (\S+)", cost.output, re.M)]
    log = [{"primal": loss, "seconds": sum(seconds[:i + 1])} for i, loss in enumerate(losses)]
    total = float(re.search(r"Total seconds required for training: (\S+)", cost.output).group(1))
    return {"primal": losses[-1], "passes": len(losses), "dimension": int(re.search(r"Number of features: (\d+)", cost.output).group(1)), "log": log,
            "cpu_seconds": total, "seconds": total, "peak_mb": cost.peak_mb, **crfsuite_scores(plan)}


def crfsuite_scores(plan):
    test = attribute_file(plan, "test")
    said = process.run([machine.crfsuite(), "tag", "-m", crfsuite_model(plan), test]).output
    truth, found = [labels for labels, _ in attributes.read(test)], [block.split("\n") for block in said.strip().split("\n\n")]
    right = sum(a == b for t, f in zip(truth, found, strict=True) for a, b in zip(t, f, strict=True))
    return {"accuracy": right / sum(map(len, truth)), "f1": chunks.f1(truth, found)}


def hinge_crf(plan):
    n = sum(1 for _ in attributes.read(attribute_file(plan, "train")))
    return sequence(plan, "--method", "crf", "--solver", "lbfgs", "--features", "observed", "-C", n / 2, "--gap", "1e-5", model=hinge_model(plan))


def compare_crf(plan):
    """Seconds until the objective is within a part of the best that either found, by the log of each, and until each stops by itself."""
    ours, theirs = [hinge_crf(plan) for _ in range(plan.repeats)], [crfsuite_train(plan) for _ in range(plan.peer_repeats)]
    best = min(run["primal"] for run in ours + theirs)
    rows = []
    for level in LEVELS:
        rows += pair(f"{level:g} above the best", lambda run: cpu_seconds_to(run, (1 + level) * best), ours, theirs)
    rows += pair("where each stops by itself", lambda run: run["cpu_seconds"], ours, theirs)
    facts = ("passes", "peak_mb", "primal", "dimension", "f1", "accuracy")
    rows[-2].update({key: ours[0][key] for key in facts})
    rows[-1].update({key: theirs[0][key] for key in facts}, memory_ratio=ratio(theirs[0]["peak_mb"], ours[0]["peak_mb"]))
    return rows, markdown(rows, CRF_COLUMNS)


def pair(level, seconds, ours, theirs):
    def line(who, runs):
        values = sorted(value for value in map(seconds, runs) if value is not None)
        median = statistics.median(values) if values else None
        return {"level": level, "who": who, "cpu_seconds": median, "cpu_spread": [values[0], values[-1]] if values else None, "repeats": len(runs)}
    first, second = line("Hinge", ours), line("CRFsuite", theirs)
    return [first, {**second, "time_ratio": ratio(second["cpu_seconds"], first["cpu_seconds"])}]


def compare_ssvm(plan):
    """Hinge with two C to two gaps; dlib at C = 10 to the looser one, with the loosest epsilon that reaches it."""
    train, test, rows = attribute_file(plan, "train"), attribute_file(plan, "test"), []

    def dlib(epsilon):
        return process.last_line([machine.dlib_sequence(), "attributes", train, test, 10, epsilon], limit=plan.limit)
    for C in plan.few((10, 100)):
        flags = ("--method", "ssvm", "--features", "all", "-C", C)
        best = sequence(plan, *flags, "--gap", "1e-4")["primal"] if C == 10 else None
        for gap in plan.few((4e-3, 1e-3)):
            run = process.repeat(plan.repeats, lambda: sequence(plan, *flags, "--gap", gap))
            runs = {"Hinge": {**run, "distance": 1 - best / run["primal"] if best else None}}
            if (C, gap) == (10, 4e-3):
                runs["dlib"] = at_gap(plan, plan.key("dlib, conll2000, C", C, "gap", gap), gap, PROMISED * gap * best / C, dlib, best)
            rows += [{**row(who, found, runs["Hinge"], C=C, gap=gap), "passes": found.get("passes")} for who, found in runs.items()]
    return rows, markdown(rows, SSVM_COLUMNS)


PASSES = 11  # one cold, ten warm


def compare_tagging(plan):
    """The same model size, the same file, the same passes. A process of each, started anew; then passes inside one process of each,
    the first (cold) and the median of the ten that follow (warm)."""
    if not crfsuite_model(plan).exists():
        crfsuite_train(plan)
    if not hinge_model(plan).exists():
        hinge_crf(plan)
    test, processes = attribute_file(plan, "test"), max(plan.repeats, 3)

    def whole(command):
        with open(plan.hinge.path("labels"), "w") as out:
            return vars(process.run(command, output=out))
    ours = process.repeat(processes, lambda: whole([plan.hinge.program, "predict", hinge_model(plan), "--data", test]))
    theirs = process.repeat(processes, lambda: whole([machine.crfsuite(), "tag", "-m", crfsuite_model(plan), test]))
    inside = json.loads(process.run([machine.tagging_speed(), hinge_model(plan), test, PASSES]).output)
    their_inside = json.loads(process.run([machine.crfsuite_tagging(), crfsuite_model(plan), test, PASSES]).output)
    tokens = their_inside["tokens"]

    def pair_of(what, ours, theirs):
        line = {who: {"what": what, "who": who, **{key: run[key] for key in ("cpu_seconds", "cpu_spread", "repeats")}, "tokens_per_second": round(tokens / run["cpu_seconds"])}
                for who, run in (("Hinge", ours), ("CRFsuite", theirs))}
        return [line["Hinge"], {**line["CRFsuite"], "time_ratio": ratio(theirs["cpu_seconds"], ours["cpu_seconds"])}]

    def passes(run, *keys):
        each = [sum(parts) for parts in zip(*(run[key] for key in keys))]
        cold, warm = each[:1], each[1:]
        return [{"cpu_seconds": statistics.median(some), "cpu_spread": [min(some), max(some)], "repeats": len(some)} for some in (cold, warm)]
    rows = pair_of("the whole program: loading the model, reading, tagging, writing", ours, theirs)
    for what, keys in (("reading the file", ("read_seconds",)), ("tagging what is in memory", ("tag_seconds",)), ("reading and tagging", ("read_seconds", "tag_seconds"))):
        for kind, first, second in zip(("cold", "warm"), passes(inside, *keys), passes(their_inside, *keys)):
            rows += pair_of(f"{what}, {kind}", first, second)
    return rows, markdown(rows, TAG_COLUMNS)
