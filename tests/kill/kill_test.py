"""SIGKILL at random moments of training and writing, over an existing model: the old one or the new one always loads.

kill_test.py HINGE [KILLS] [SEED]        (20 kills, seed 1)

Two settings take turns in writing the same file. Half of the kills fall anywhere in the run, half while the temporary file is there.
After each, the file must be one of the two models to the last weight, `hinge inspect` must load it, and only temporary files may lie
beside it.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from model_file import read_model  # noqa: E402

SETTINGS = (("--seed", "1", "-C", "1"), ("--seed", "2", "-C", "30"))


def write_data(path):
    """Few examples of many features: quick to learn from, and a model of some MB to write."""
    source = random.Random(1)
    with open(path, "w") as out:
        for label in range(300):
            features = sorted(source.sample(range(1, 60000), 30))
            out.write(f"{label % 8} {' '.join(f'{j}:{source.gauss(0, 1):.3f}' for j in features)}\n")


class Killing:
    def __init__(self, hinge, folder, seed):
        self.hinge, self.folder, self.source = hinge, folder, random.Random(seed)
        write_data(folder / "data")
        self.known, seconds = [], []
        for k, setting in enumerate(SETTINGS):
            begin = time.monotonic()
            assert self.start(setting).wait(timeout=300) == 0
            seconds.append(time.monotonic() - begin)
            self.known.append(self.weights())
        assert self.known[0] != self.known[1], "the two models must differ"
        self.seconds = max(seconds)
        self.seen = {"before writing": 0, "while writing": 0, "after the end": 0}

    def start(self, setting):
        return subprocess.Popen([self.hinge, "train", "multiclass", "--data", "data", "--model", "m", "--summary", "s", "--log", "l",
                                 "--quiet", *setting], cwd=self.folder)

    def weights(self):
        return read_model(self.folder / "m")[1]["weights"].tobytes()

    def wait_for_moment(self, process, targeted):
        if not targeted:
            time.sleep(self.source.uniform(0, 1.05 * self.seconds))
            return
        partial = self.folder / f"m.{process.pid}.partial"
        while process.poll() is None:
            if partial.exists() and partial.stat().st_size > 0:
                time.sleep(self.source.choice((0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02)))
                return

    def kill_once(self, k):
        process = self.start(SETTINGS[k % 2])
        try:
            self.wait_for_moment(process, targeted=k % 4 >= 2)
        except FileNotFoundError:  # renamed between two looks at it
            pass
        ended = process.poll() is not None
        process.kill()
        process.wait()
        partial = [p for p in self.folder.iterdir() if p.name.startswith("m.")]
        self.seen["after the end" if ended else "while writing" if partial else "before writing"] += 1
        if self.weights() not in self.known:
            return "the model is neither the old one nor the new one"
        if subprocess.run([self.hinge, "inspect", "m", "--top", "0"], cwd=self.folder, capture_output=True).returncode != 0:
            return "hinge does not load the model"
        for path in self.folder.iterdir():
            if path.name.endswith(".partial"):
                path.unlink()
            elif path.name not in ("data", "m", "s", "l"):
                return f"{path.name} was left"
        return None


def main():
    hinge = os.path.abspath(sys.argv[1])
    kills, seed = (int(a) for a in (sys.argv[2:] + ["20", "1"][len(sys.argv) - 2 :])[:2])
    with tempfile.TemporaryDirectory(prefix="hinge-kill-") as name:
        killing = Killing(hinge, pathlib.Path(name), seed)
        for k in range(kills):
            if problem := killing.kill_once(k):
                sys.exit(f"kill {k}: {problem}")
    print(f"{kills} kills: {', '.join(f'{n} {when}' for when, n in killing.seen.items())}; a whole model stood every time")
    if not killing.seen["while writing"] or not killing.seen["before writing"]:
        sys.exit("no kill fell into training, or none into writing: the test saw too little")


if __name__ == "__main__":
    main()
