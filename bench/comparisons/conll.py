"""Chunking, CoNLL-2000, with the attributes of CRFsuite's example: training and tagging.

All read the same attribute files. CRFsuite minimises c2 |w|^2 − log likelihood over observed features, twice
Hinge's objective at C = n/2 when c2 = 1.
"""

import json
import subprocess

from support import machine, process
from support.hinge import cpu_seconds_to
from support.table import markdown, ratio

CRF_COLUMNS = {"who": "who", "cpu_seconds": "CPU s", "to_same": "CPU s to CRFsuite's objective", "peak_mb": "peak MB", "primal": "objective",
               "dimension": "weights", "f1": "chunk F1", "accuracy": "tokens right", "time_ratio": "time / Hinge", "memory_ratio": "memory / Hinge"}
SSVM_COLUMNS = {"C": "C", "gap": "relative gap", "who": "who", "cpu_seconds": "CPU s", "passes": "oracle passes", "peak_mb": "peak MB", "primal": "primal",
                "reached": "gap reached", "f1": "chunk F1", "accuracy": "tokens right", "time_ratio": "time / Hinge", "memory_ratio": "memory / Hinge"}
TAG_COLUMNS = {"who": "who", "what": "what is counted", "cpu_seconds": "CPU s", "tokens_per_second": "tokens/s", "time_ratio": "time / Hinge"}


def attribute_file(split):
    """The attribute file of a split, made once."""
    source, path = machine.data(f"conll2000/{split}.txt"), machine.BUILD / f"conll2000.{split}"
    script = machine.PEERS / "attributes.py"
    if not path.exists() or path.stat().st_mtime < script.stat().st_mtime:
        with open(path, "w") as out:  # not through this script's memory, which counts into its children's
            subprocess.run(["python3", script, source], stdout=out, check=True)
    return path


def sequence(hinge, *flags, model="model"):
    run = hinge.train("sequence", "--format", "crfsuite", "--data", attribute_file("train"), *flags, model=model)
    metrics = hinge.evaluate("--data", attribute_file("test"), model=model)
    return {**run, "f1": metrics["f1"], "accuracy": metrics["accuracy"]}


# Trained by conll-crf, kept for tagging.
CRFSUITE_MODEL, HINGE_MODEL = machine.BUILD / "conll2000.crfsuite", machine.BUILD / "conll2000.hinge"


def crfsuite_train():
    files = attribute_file("train"), attribute_file("test"), CRFSUITE_MODEL
    run = json.loads(process.run([machine.peer_python(), machine.PEERS / "crfsuite_chunking.py", "train", *files, 1]).output)
    return {**run, "dimension": run["features"]}


def hinge_crf(hinge):
    return sequence(hinge, "--method", "crf", "--solver", "lbfgs", "--features", "observed", "-C", 8936 / 2, "--gap", "1e-5", model=HINGE_MODEL)


def compare_crf(hinge, repeats):
    peer = crfsuite_train()
    run = process.repeat(1, lambda: hinge_crf(hinge))
    to_same = cpu_seconds_to(run, peer["primal"])
    rows = [{**{key: run.get(key) for key in CRF_COLUMNS}, "who": "Hinge", "to_same": to_same},
            {**{key: peer.get(key) for key in CRF_COLUMNS}, "who": "CRFsuite", "to_same": peer["cpu_seconds"],
             "time_ratio": ratio(peer["cpu_seconds"], to_same), "memory_ratio": ratio(peer["peak_mb"], run["peak_mb"])}]
    return rows, markdown(rows, CRF_COLUMNS)


def compare_ssvm(hinge, repeats):
    rows = []
    for C in (10, 100):
        flags = ("--method", "ssvm", "--features", "all", "-C", C)
        for gap in (4e-3, 1e-3):
            run = process.repeat(min(repeats, 2), lambda: sequence(hinge, *flags, "--gap", gap))
            row = {key: run.get(key) for key in SSVM_COLUMNS}
            rows.append({**row, "gap": gap, "who": "Hinge", "passes": run["oracle_calls"] / run["n"], "reached": run["relative_gap"]})
            if (C, gap) == (10, 1e-3):
                rows.append(dlib_row(C, gap, run))
    return rows, markdown(rows, SSVM_COLUMNS)


def dlib_row(C, gap, ours):
    """dlib with the epsilon that promises the gap. What it reached is measured from Hinge's lower bound."""
    epsilon = gap * ours["dual"] / C
    peer = json.loads(process.run([machine.dlib_sequence(), "attributes", attribute_file("train"), attribute_file("test"), C, epsilon]).output)
    return {**{key: peer.get(key) for key in SSVM_COLUMNS}, "gap": gap, "who": "dlib", "reached": 1 - ours["dual"] / peer["primal"],
            "time_ratio": ratio(peer["cpu_seconds"], ours["cpu_seconds"]), "memory_ratio": ratio(peer["peak_mb"], ours["peak_mb"])}


def compare_tagging(hinge, repeats):
    if not CRFSUITE_MODEL.exists():
        crfsuite_train()
    if not HINGE_MODEL.exists():
        hinge_crf(hinge)
    test = attribute_file("test")

    def theirs():
        return json.loads(process.run([machine.peer_python(), machine.PEERS / "crfsuite_chunking.py", "tag", test, CRFSUITE_MODEL]).output)
    peer = min((theirs() for _ in range(repeats)), key=lambda run: run["tag_seconds"])
    whole = process.repeat(repeats, lambda: vars(hinge.predict("--data", test, model=HINGE_MODEL)))["cpu_seconds"]
    inside = json.loads(process.run([machine.tagging_speed(), HINGE_MODEL, test]).output)

    def row(who, what, seconds, ours):
        return {"who": who, "what": what, "cpu_seconds": seconds, "tokens_per_second": round(peer["tokens"] / seconds), "time_ratio": ratio(seconds, ours)}
    rows = []
    for what, ours, theirs_ in (
        ("the whole process: loading the model, reading, tagging, writing", whole, peer["cpu_seconds"]),
        ("reading attributes and tagging", inside["read_seconds"] + inside["tag_seconds"], peer["read_seconds"] + peer["tag_seconds"]),
        ("tagging what is in memory (CRFsuite: look-up of attributes and Viterbi)", inside["tag_seconds"], peer["tag_seconds"]),
    ):
        rows += [row("Hinge", what, ours, ours), row("CRFsuite", what, theirs_, ours)]
    return rows, markdown(rows, TAG_COLUMNS)
