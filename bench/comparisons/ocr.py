"""Structural SVM on handwritten words: frank_wolfe beside one_slack and dlib, each to the same relative gap.

Hinge stops when its own certificate (primal − dual) / primal is small enough. dlib has no such number, and is given the
benefit of the known optimum: the loosest epsilon with which (primal − optimum) / primal is small enough. Finding it is not counted.
Seconds are those of training alone, for both.
"""

from comparisons.peer import PROMISED, RATIOS, SHOWN, at_gap, rounds, row
from support import machine, process
from support.table import markdown

GAPS = (4e-3, 1e-3)
TIGHT = {"small": "1e-5", "large": "1e-5"}
FOLDS = {"small": "0", "large": "1-9"}
COLUMNS = {"C": "C", "gap": "relative gap", **SHOWN, "passes": "oracle passes", **RATIOS}


def compare_small(plan):
    return compare(plan, "small")


def compare_large(plan):
    return compare(plan, "large")


def compare(plan, size):
    letters, rows = machine.data("ocr/letter.data"), []
    folds = "1" if plan.quick and size == "large" else FOLDS[size]
    for C in plan.few((10, 100)):
        def ours(solver, gap):
            run = plan.hinge.train("sequence", "--format", "letter", "--data", letters, "--folds", folds, "-C", C, "--solver", solver, "--gap", gap)
            return {**run, "passes": rounds(run)}

        def dlib(epsilon):
            return process.last_line([machine.dlib_sequence(), "letter", letters, folds, C, epsilon], limit=plan.limit)
        optimum = ours("frank_wolfe", TIGHT[size])["primal"]
        for gap in plan.few(GAPS):
            what = {"data": size, "C": C, "gap": gap}
            best = process.repeat(plan.repeats, lambda: ours("frank_wolfe", gap))
            slack = process.repeat(plan.repeats, lambda: ours("one_slack", gap))
            peer = at_gap(plan, plan.key("dlib, OCR", size, "C", C, "gap", gap), gap, PROMISED * gap * optimum / C, dlib, optimum)
            for who, run in (("frank_wolfe", best), ("one_slack", slack), ("dlib", peer)):
                if "primal" in run:
                    run["distance"] = 1 - optimum / run["primal"]
                rows.append({**row(who, run, best, **what), "passes": run.get("passes")})
    return rows, markdown(rows, COLUMNS)
