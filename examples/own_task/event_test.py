"""The event task has the whole command line: python3 event_test.py PROGRAM"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def recording(draw):
    begin = draw.randrange(20)
    end = min(30, begin + 3 + draw.randrange(8))
    rows = []
    for t in range(30):
        row = [draw.gauss(0, 1) for _ in range(4)] + [1]
        if begin <= t < end:
            row[0] += 1.5
            row[2] -= 1
        rows.append(" ".join(f"{v:.4f}" for v in row))
    return f"{begin} {end} " + " ; ".join(rows) + "\n"


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    train, test, model = folder / "train.txt", folder / "test.txt", folder / "event.model"
    draw = random.Random(1)
    train.write_text("".join(recording(draw) for _ in range(60)))
    test.write_text("".join(recording(draw) for _ in range(100)))

    assert "event" in run("--help")
    assert "Every property of event holds" in run("check", "event", train)
    run("train", "event", train, "--model", model, "-C", 100, "--quiet")
    metrics = json.loads(run("evaluate", model, test, "--json"))
    assert metrics["loss"] < 0.35, metrics
    lines = run("predict", model, test, "--quiet").splitlines()
    assert len(lines) == 100 and all(len(line.split()) == 2 for line in lines)
    assert "weight 0" in run("inspect", model)
    folds = json.loads(run("cross-validate", "event", train, "-C", "1,100", "--folds", 3, "--json"))
    assert {row["C"] for row in folds["path"]} == {1, 100}
    run("train", "event", train, "--model", model, "-C", "auto", "--quiet")
    run("train", "event", train, "--model", model, "--init", model, "-C", 10, "--quiet")
    broken = folder / "broken.txt"
    broken.write_text("5 3 1 2 3 4 5\n")
    assert f"{broken}:1: 5 to 3 is no interval" in run("train", "event", broken, "--model", model, code=2)
    assert "needs a factored task" in run("train", "event", train, "--model", model, "--method", "crf", code=2)
