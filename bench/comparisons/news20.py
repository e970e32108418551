"""Multiclass on 20 newsgroups: the structural SVM beside LIBLINEAR, the crf method beside scikit-learn.

LIBLINEAR's and scikit-learn's C multiplies the plain sum of the losses: Hinge's is n times theirs. Seconds are those of training
alone: LIBLINEAR's train(), scikit-learn's fit(), Hinge's solver. The peers' tolerances are searched, as dlib's is.
"""

import json
import math

from comparisons.peer import RATIOS, SHOWN, at_gap, row
from support import machine, process
from support.table import markdown

GAPS = {"ssvm": (4e-3, 1e-3), "crf": (1e-3, 1e-6)}
SCIKIT_SOLVERS = ("lbfgs", "newton-cg")
COLUMNS = {"method": "method", "C": "C/n", "gap": "relative gap", **SHOWN, "accuracy": "accuracy", **RATIOS}


def files(plan):
    return plan.data("news20/train.svm"), plan.data("news20/test.svm")


def compare(plan):
    rows = svm_rows(plan) + crf_rows(plan)
    return rows, markdown(rows, COLUMNS)


def svm_rows(plan):
    rows = []
    for C in plan.few((0.001, 0.01, 0.1)):
        optimum = ours(plan, "ssvm", C, 1e-5, 1)["primal"]
        for gap in plan.few(GAPS["ssvm"]):
            key = plan.key("LIBLINEAR, news20, C/n", C, "gap", gap)
            peer = at_gap(plan, key, gap, 1.0, lambda tolerance: liblinear(files(plan), C, tolerance, plan.limit), optimum)
            rows += both(plan, "ssvm", C, gap, optimum, {"LIBLINEAR": peer})
    return rows


def crf_rows(plan):
    rows, C = [], 0.001
    optimum = ours(plan, "crf", C, 1e-8, 1)["primal"]
    for gap in plan.few(GAPS["crf"]):
        peers = {}
        for solver in SCIKIT_SOLVERS:
            key = plan.key("scikit-learn", solver + ", news20, C/n", C, "gap", gap)
            peers[f"scikit-learn, {solver}"] = at_gap(plan, key, gap, math.sqrt(gap), lambda tolerance: scikit_learn(files(plan), C, tolerance, solver, plan.limit), optimum)
        rows += both(plan, "crf", C, gap, optimum, peers)
    return rows


def both(plan, method, C, gap, optimum, peers):
    run = ours(plan, method, C, gap, plan.repeats)
    run["distance"] = 1 - optimum / run["primal"]
    return [row(who, found, run, method=method, C=C, gap=gap) for who, found in {"Hinge": run, **peers}.items()]


def ours(plan, method, C, gap, repeats):
    train, test = files(plan)
    with open(train) as lines:
        n = sum(1 for _ in lines)
    run = process.repeat(repeats, lambda: plan.hinge.train("multiclass", "--data", train, "-C", C * n, "--method", method, "--gap", gap, "--bias", 0))
    return {**run, "accuracy": plan.hinge.evaluate("--data", test)["accuracy"]}


def liblinear(data, C, tolerance, limit=None):
    return json.loads(process.run([machine.liblinear_multiclass(), *data, C, tolerance], limit=limit).output)


def scikit_learn(data, C, tolerance, solver="lbfgs", limit=None):
    return json.loads(process.run([machine.peer_python(), machine.PEERS / "sklearn_multinomial.py", *data, C, tolerance, solver], limit=limit).output)
