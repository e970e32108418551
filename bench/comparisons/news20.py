"""Multiclass on 20 newsgroups: the structural SVM beside LIBLINEAR, the crf method beside scikit-learn.

LIBLINEAR's and scikit-learn's C multiplies the plain sum of the losses: Hinge's is n times theirs. Times are those
of whole processes, reading included, since LIBLINEAR does not say how long it trained.
"""

import json
import re

from support import machine, process
from support.table import markdown, ratio

N = 11314
GAPS = (4e-3, 1e-3)
TOLERANCES = (10, 5, 3, 1, 0.3, 0.1, 0.03, 0.01)  # LIBLINEAR's -e, from loose to tight
COLUMNS = {"method": "method", "C": "C/n", "gap": "relative gap", "who": "who", "cpu_seconds": "CPU s", "peak_mb": "peak MB", "primal": "primal",
           "reached": "gap reached", "accuracy": "accuracy", "time_ratio": "time / Hinge", "memory_ratio": "memory / Hinge"}


def compare(hinge, repeats):
    rows = []
    for C in (0.001, 0.01, 0.1):
        optimum = ours(hinge, "ssvm", C, 1e-5, 1)["primal"]
        for gap in GAPS:
            run = ours(hinge, "ssvm", C, gap, repeats)
            rows += both("ssvm", C, gap, run, liblinear_to_gap(C, gap, optimum, repeats), optimum)
    run = ours(hinge, "crf", 0.001, 1e-6, 1)
    rows += both("crf", 0.001, 1e-6, run, scikit_learn(0.001, 1e-5), run["primal"])
    return rows, markdown(rows, COLUMNS)


def both(method, C, gap, ours_, peer, optimum):
    def row(who, run):
        return {"method": method, "C": C, "gap": gap, "who": who, "cpu_seconds": run["cpu_seconds"], "peak_mb": run["peak_mb"], "primal": run["primal"],
                "reached": run.get("relative_gap", 1 - optimum / run["primal"]), "accuracy": run["accuracy"],
                "time_ratio": ratio(run["cpu_seconds"], ours_["cpu_seconds"]), "memory_ratio": ratio(run["peak_mb"], ours_["peak_mb"])}
    return [row("Hinge", ours_), row(peer["peer"], peer)]


def ours(hinge, method, C, gap, repeats):
    def once():
        run = hinge.train("multiclass", "--data", machine.data("news20/train.svm"), "-C", C * N, "--bias", 0, "--method", method, "--gap", gap)
        return {**run, "cpu_seconds": run["process_cpu_seconds"], "training_cpu_seconds": run["cpu_seconds"]}
    run = process.repeat(repeats, once)
    run["accuracy"] = hinge.evaluate("--data", machine.data("news20/test.svm"))["accuracy"]
    return run


def liblinear_to_gap(C, gap, optimum, repeats):
    """The loosest tolerance whose objective is within the gap of the optimum."""
    for tolerance in TOLERANCES:
        run = process.repeat(1, lambda: liblinear(C, tolerance))
        if 1 - optimum / run["primal"] <= gap:
            return process.repeat(repeats, lambda: liblinear(C, tolerance))
    return run


def liblinear(C, tolerance):
    train, test, model = machine.data("news20/train.svm"), machine.data("news20/test.svm"), machine.BUILD / "liblinear.model"
    cost = process.run([machine.liblinear_train(), "-q", "-s", 4, "-c", C, "-e", tolerance, train, model])
    run = json.loads(process.run([machine.peer_python(), machine.PEERS / "liblinear_objective.py", train, model, C]).output)
    said = process.run(["liblinear-predict", test, model, "/dev/null"]).output
    accuracy = float(re.search(r"\((\d+)/", said).group(1)) / float(re.search(r"/(\d+)\)", said).group(1))
    return {**run, "tolerance": tolerance, "cpu_seconds": cost.cpu_seconds, "peak_mb": cost.peak_mb, "accuracy": accuracy}


def scikit_learn(C, tolerance):
    files = machine.data("news20/train.svm"), machine.data("news20/test.svm")
    cost = process.run([machine.peer_python(), machine.PEERS / "sklearn_multinomial.py", *files, C, tolerance])
    return {**json.loads(cost.output), "cpu_seconds": cost.cpu_seconds, "peak_mb": cost.peak_mb}
