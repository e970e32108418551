"""How training time grows with the number of sequences, their length and the number of labels.

Synthetic sequences (see bench/synthetic.py), structural SVM, C = 10, to a relative gap of 1e-2; one quantity varies
around 1000 sequences of 20 positions with 10 labels.
"""

import subprocess

from support import machine, process
from support.table import markdown

BASE = {"sequences": 1000, "length": 20, "labels": 10}
VALUES = {"sequences": (250, 500, 1000, 2000, 4000, 8000), "length": (5, 10, 20, 40, 80, 160), "labels": (2, 5, 10, 20, 50, 100, 200)}
COLUMNS = {"varied": "varied", "sequences": "sequences", "length": "length", "labels": "labels", "dimension": "weights", "passes": "oracle passes",
           "cpu_seconds": "CPU s, median", "cpu_spread": "least, largest", "repeats": "runs", "per_pass": "us / position / pass", "peak_mb": "peak MB", "reached": "gap reached", "accuracy": "accuracy"}


def compare(plan):
    rows = []
    for varied, values in VALUES.items():
        for value in plan.few(values):
            size = {**BASE, varied: value}
            train, test = synthetic(size, 1), synthetic({**size, "sequences": 200}, 2)
            run = process.repeat(plan.repeats, lambda: plan.hinge.train("sequence", "--format", "crfsuite", "--data", train, "-C", 10, "--gap", "1e-2"))
            passes = run["oracle_calls"] / run["n"]
            rows.append({"varied": varied, **size, "dimension": run["dimension"], "passes": passes, "cpu_seconds": run["cpu_seconds"], "cpu_spread": run["cpu_spread"], "repeats": run["repeats"],
                         "per_pass": 1e6 * run["cpu_seconds"] / (passes * size["sequences"] * size["length"]), "peak_mb": run["peak_mb"],
                         "reached": run["relative_gap"], "accuracy": plan.hinge.evaluate("--data", test)["accuracy"]})
    return rows, markdown(rows, COLUMNS)


def synthetic(size, seed):
    path = machine.BUILD / "synthetic-{sequences}-{length}-{labels}-{seed}".format(**size, seed=seed)
    if not path.exists():
        words = [size["sequences"], size["length"], size["labels"], 50, seed]
        with open(path, "w") as out:  # not through this script's memory, which counts into its children's
            subprocess.run(["python3", machine.SOURCE / "bench" / "synthetic.py", *map(str, words)], stdout=out, check=True)
    return path
