"""SIGKILL and SIGTERM at random moments of training with checkpoints: every training that is gone on with ends at the same weights.

resume_test.py HINGE [KILLS] [SEED]        (8 kills, seed 1; 200 were run once)

Settings take turns: cutting planes, L-BFGS with weights by their homes too, Frank-Wolfe, convex rounds around it with restarts, a path of C that is measured. A training
is killed once to three times, then goes on to its end; its weights must be those of a training that was never interrupted. After that:
what is refused, and what is skipped.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from model_file import read_model  # noqa: E402

SETTINGS = (
    ("multiclass", "points", "-C", "30", "--solver", "bundle", "--gap", "1e-6"),
    ("sequence", "tokens", "--method", "crf", "--gap", "1e-6"),
    ("sequence", "tokens", "--method", "crf", "--solver", "lbfgs", "--shards", "8", "--gap", "1e-6"),
    ("sequence", "tokens", "-C", "300", "--gap", "1e-5"),
    ("multiclass", "points", "-C", "1,10,100", "--validation", "points", "--gap", "1e-5"),
    ("sequence", "hidden", "--method", "lssvm", "--restarts", "2", "-C", "20"),
    ("multiclass", "points", "-C", "auto", "--kernel", "rbf", "--gap", "1e-4"),
)


def write_data(folder):
    source = random.Random(1)
    with open(folder / "points", "w") as out:
        for i in range(400):
            label = source.randrange(6)
            features = sorted(source.sample(range(1, 60), 12))
            out.write(f"{label} {' '.join(f'{j}:{source.gauss(label if j % 6 == label else 0, 2):.3f}' for j in features)}\n")
    for name, share in (("tokens", 0), ("hidden", 0.15)):
        with open(folder / name, "w") as out:
            for i in range(150):
                state = source.randrange(4)
                for t in range(source.randrange(3, 12)):
                    state = (state + source.choice((0, 0, 1))) % 4
                    label = "?" if source.random() < share else f"L{state}"
                    out.write(f"w{source.randrange(8) + 3 * state} x{source.randrange(3) + state} {label}\n")
                out.write("\n")


class Resuming:
    def __init__(self, hinge, folder, seed):
        self.hinge, self.folder, self.source = hinge, folder, random.Random(seed)
        write_data(folder)
        self.whole, self.seconds = [], []
        for k in range(len(SETTINGS)):
            begin = time.monotonic()
            assert self.start(k, checkpoints=False).wait(timeout=300) == 0, SETTINGS[k]
            self.seconds.append(time.monotonic() - begin)
            self.whole.append(self.weights())
        self.seen = {"in training": 0, "after the end": 0}
        self.went_on = 0

    def start(self, k, checkpoints=True, every="0.03", more=(), changed=None, **pipes):
        (self.folder / "m").unlink(missing_ok=True)
        kept = ("--checkpoint", "kept", "--checkpoint-every", every, "--resume", "kept") if checkpoints else ()
        task, data, *rest = changed or SETTINGS[k]
        return subprocess.Popen([self.hinge, "train", task, data, "--model", "m", *rest, *kept, *more], cwd=self.folder,
                                stderr=pipes.get("stderr", subprocess.DEVNULL), stdout=subprocess.DEVNULL, text=True)

    def weights(self):
        return read_model(self.folder / "m")[1]["weights"].tobytes()

    def finish(self, k, more=(), every="0.03"):
        process = self.start(k, every=every, more=more, stderr=subprocess.PIPE)
        error = process.communicate(timeout=300)[1]
        assert process.returncode == 0, error
        self.went_on += "going on from" in error
        assert self.weights() == self.whole[k], f"{SETTINGS[k]}: other weights after going on"
        return error

    def forget(self):
        shutil.rmtree(self.folder / "kept", ignore_errors=True)

    def kill(self, k, number):
        process = self.start(k)
        time.sleep(self.source.uniform(0, 1.1 * self.seconds[k]))
        ended = process.poll() is not None
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.seen["after the end" if ended else "in training"] += 1
        return number + 1

    def kills(self, count):
        number = 0
        while number < count:
            k = number % len(SETTINGS)
            self.forget()
            for _ in range(self.source.randrange(1, 4)):
                number = self.kill(k, number)
            self.finish(k, more=("--threads", str(self.source.randrange(1, 4))))
        self.forget()

    def terminate(self):
        """SIGTERM leaves a checkpoint and no model, of every kind of training, also while C is being chosen."""
        for k in range(len(SETTINGS)):
            self.terminate_one(k)

    def terminate_one(self, k):
        for _ in range(20):
            self.forget()
            process = self.start(k, every="1000", stderr=subprocess.PIPE)
            time.sleep(self.source.uniform(0.2, 0.8) * self.seconds[k])
            process.send_signal(signal.SIGTERM)
            error = process.communicate(timeout=60)[1]
            if process.returncode == 128 + signal.SIGTERM:
                break
            self.seconds[k] *= 0.7  # it was seen on a busier machine
        assert process.returncode == 128 + signal.SIGTERM, (process.returncode, error)
        assert "go on with --resume kept" in error, error
        assert "time limit" not in error, error
        assert not (self.folder / "m").exists(), "there is a model of a training that was ended"
        assert len(self.checkpoints()) == 1
        self.finish(k)

    def checkpoints(self):
        return sorted((self.folder / "kept").glob("checkpoint-*"))

    def keep_some(self, k):
        """A folder with two whole checkpoints."""
        self.forget()
        self.finish(k, every="0")
        assert len(self.checkpoints()) == 2, self.checkpoints()

    def skip(self):
        """A state that was cut, or a manifest that is missing: the checkpoint before is taken."""
        for damage in ("state", "manifest"):
            self.keep_some(0)
            newest = self.checkpoints()[-1]
            if damage == "state":
                state = (newest / "shard-000.bin").read_bytes()
                (newest / "shard-000.bin").write_bytes(state[: len(state) // 2])
            else:
                (newest / "manifest.json").unlink()
            assert "not written to its end" in self.finish(0)
        self.keep_some(0)
        for folder in self.checkpoints():
            (folder / "manifest.json").unlink()
        self.finish(0)  # the first one was not written to its end: the training begins

    def refused(self, more, words, changed=None):
        process = self.start(0, more=more, changed=changed, stderr=subprocess.PIPE)
        error = process.communicate(timeout=60)[1]
        assert process.returncode == 2 and words in error and error.count("\n") <= 3, (process.returncode, error)

    def changed_files(self):
        """Files that the task's own flags name belong to the run as its data does."""
        for name in ("wares.train", "wares.parents", "helices.train", "helices.par", "land.ppm", "land.labels.pgm"):
            shutil.copy(EXAMPLES / name, self.folder)
        classes = sorted({line.split()[0] for line in (self.folder / "points").read_text().splitlines()})
        (self.folder / "costs").write_text("".join(" ".join(line) + "\n" for line in (classes, *(
            [one, *("0" if one == other else "1.25" for other in classes)] for one in classes))))
        (self.folder / "names").write_text("".join(f"name{j}\n" for j in range(1, 60)))
        (self.folder / "templates").write_text("U:%x[0,0]\nB\n")
        for setting, flag, file, old, new in (
                (("sequence", "tokens", "--method", "crf", "--solver", "lbfgs", "--template", "templates"), "--template", "templates", "[0,0]", "[-1,0]"),
                (("taxonomy", "wares.train", "--parents", "wares.parents"), "--parents", "wares.parents", "\n", "\n\n"),
                (("multiclass", "points", "--cost-matrix", "costs"), "--cost-matrix", "costs", "1.25", "2"),
                (("multiclass", "points", "--feature-names", "names"), "--feature-names", "names", "name7", "seven"),
                (("graph", "land.ppm", "--format", "image"), "--data", "land.labels.pgm", "3 3 3 3 0", "3 3 3 3 1"),
                (("fold", "helices.train", "--energies", "helices.par"), "--energies", "helices.par", "-240", "-250")):
            self.forget()
            setting = (*setting, "--gap", "0.2")
            process = self.start(0, every="0", changed=setting, stderr=subprocess.PIPE)
            error = process.communicate(timeout=300)[1]
            assert process.returncode == 0, error
            text = (self.folder / file).read_text()
            assert old in text, file
            (self.folder / file).write_text(text.replace(old, new, 1))
            self.refused((), f"is a checkpoint of another run: hash of {flag} was ", changed=setting)

    def refuse(self):
        self.keep_some(0)
        other = (*SETTINGS[0][:-1], "1e-4")
        self.refused((), "is a checkpoint of another run: options solver gap was 1e-06 and is 0.0001", changed=other)
        self.refused(("--seed", "5"), "options learning seed was 1 and is 5")
        self.refused(("--shards", "64"), 'options learning shards was "64 as usual" and is 64')  # lbfgs would have another order
        points = (self.folder / "points").read_text()
        (self.folder / "points").write_text(points.replace("0.", "1.", 1))
        self.refused((), "hash of --data was ")
        (self.folder / "points").write_text(points)
        for path in self.checkpoints():
            manifest = json.loads((path / "manifest.json").read_text())
            manifest["about"]["version"] = "0.0.1"
            (path / "manifest.json").write_text(json.dumps(manifest))
        self.refused((), 'version was "0.0.1" and is')
        self.keep_some(0)
        without = [self.hinge, "train", "multiclass", "points", "--model", "m", "--checkpoint", "kept"]
        found = subprocess.run(without, cwd=self.folder, capture_output=True, text=True)
        assert found.returncode == 2 and "holds checkpoints of an earlier training" in found.stderr, found.stderr
        self.forget()
        nothing = [self.hinge, "train", "multiclass", "points", "--model", "m", "--resume", "kept"]
        found = subprocess.run(nothing, cwd=self.folder, capture_output=True, text=True)
        assert found.returncode == 2 and "holds no checkpoint that was written to its end" in found.stderr, found.stderr


def main():
    hinge = os.path.abspath(sys.argv[1])
    kills, seed = (int(a) for a in (sys.argv[2:] + ["8", "1"][len(sys.argv) - 2 :])[:2])
    with tempfile.TemporaryDirectory(prefix="hinge-resume-") as name:
        resuming = Resuming(hinge, pathlib.Path(name), seed)
        resuming.kills(kills)
        went_on = resuming.went_on
        resuming.terminate()
        resuming.skip()
        resuming.refuse()
        resuming.changed_files()
    print(f"{sum(resuming.seen.values())} kills: {', '.join(f'{n} {when}' for when, n in resuming.seen.items())}; "
          f"{went_on} trainings went on, all to the same weights")
    if not resuming.seen["in training"] or not went_on:
        sys.exit("no kill fell into training, or none left a checkpoint: the test saw too little")


if __name__ == "__main__":
    main()
