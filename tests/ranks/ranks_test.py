"""Ranks of mpirun have the bits of one process: ranks_test.py HINGE EXAMPLES

Every task and every solver is trained on 2, 3 or 4 ranks, predicts, and is measured; models and outputs are compared with those of one
process. Then trouble: a bad line, different files, a rank that is killed and goes on from its checkpoint on another number of ranks.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import mpi  # noqa: E402
from model_file import read_model  # noqa: E402

# Solvers by name: for several ranks `auto` may choose another, and larger batches.
BLOCKS, ROUNDS = "--solver frank_wolfe --batch 16", "--solver cccp --inner frank_wolfe --batch 16"
# Task, flags, the data to learn from and to predict.
TASKS = (
    ("multiclass", BLOCKS, "mail.train", "mail.test"),
    ("multilabel", BLOCKS, "films.train", "films.test"),
    ("taxonomy", ROUNDS + " --parents wares.parents", "wares.train", "wares.test"),
    ("binary", "--solver bundle", "mail.train", "mail.test"),
    ("sequence", BLOCKS + " --gap 0.02", "recipes.train", "recipes.test"),
    ("sequence-class", "--method hcrf", "gestures.txt", "gestures.txt"),
    ("parse", ROUNDS, "garden.train", "garden.test"),
    ("graph", BLOCKS, "land.train", "land.test"),
    ("motif", ROUNDS, "sites.txt", "sites.txt"),
    ("cluster", ROUNDS, "stories.train", "stories.test"),
    ("rank", BLOCKS, "search.train", "search.test"),
    ("align", ROUNDS, "cousins.train", "cousins.test"),
    ("fold", ROUNDS + " --gap 0.02", "helices.train", "helices.test"),
)
SOLVERS = (
    "--solver frank_wolfe --batch 16", "--solver n_slack", "--solver one_slack", "--solver bundle", "--solver subgradient --max-passes 20",
    "--solver stochastic --max-passes 5", "--method crf --solver lbfgs --threads 2", "--method crf --solver soft_dual",
)


class Test:
    def __init__(self, hinge, folder):
        self.hinge, self.folder = hinge, folder
        self.failures = []

    def run(self, ranks, *arguments, code=0):
        line = [self.hinge, *arguments]
        done = subprocess.run(mpi.command(ranks, *line) if ranks else line, cwd=self.folder, env=mpi.environment(), capture_output=True,
                              text=True, timeout=300)
        if done.returncode != code:
            self.failures.append(f"{ranks} ranks, {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return done

    def weights(self, name):
        path = self.folder / name
        return read_model(path)[1]["weights"].tobytes() if path.exists() else None

    def same(self, what, one, several):
        if one is None or one != several:
            self.failures.append(f"{what}: not what one process gives")

    def task(self, number, name, flags, train, test):
        ranks = 2 + number % 3
        learn = ("train", name, train, *flags.split(), "--shards", "16", "--quiet")
        self.run(0, *learn, "--model", "one")
        self.run(ranks, *learn, "--model", "several")
        self.same(f"{name}: weights of {ranks} ranks", self.weights("one"), self.weights("several"))
        for command in (("predict", "one", test, "--quiet"), ("evaluate", "one", test, "--quiet")):
            self.same(f"{name}: {command[0]} on {ranks} ranks", self.run(0, *command).stdout, self.run(ranks, *command).stdout)

    def solver(self, number, flags):
        learn = ("train", "sequence", "recipes.train", *flags.split(), "--gap", "0.02", "--quiet")
        self.run(0, *learn, "--model", "one")
        self.run(2 + number % 3, *learn, "--model", "several")
        self.same(f"{flags} on {2 + number % 3} ranks", self.weights("one"), self.weights("several"))

    def one_rank(self):
        self.run(0, "train", "sequence", "recipes.train", "--model", "one", "--quiet")
        self.run(1, "train", "sequence", "recipes.train", "--model", "several", "--quiet")
        self.same("one rank", self.weights("one"), self.weights("several"))

    def shared(self):
        """Each example on one rank only; labels that are missing or one of two, a template that makes names of pairs, another order."""
        text = (self.folder / "recipes.train").read_text().splitlines()
        (self.folder / "open").write_text("\n".join(line.rsplit(None, 1)[0] + " ?" if k % 9 == 4 and line else line for k, line in enumerate(text)))
        (self.folder / "sets").write_text("\n".join(line.rsplit(None, 1)[0] + "\t?B-NAME|B-UNIT" if k % 9 == 4 and line else line
                                                    for k, line in enumerate(text)))
        for ranks, data, flags in ((3, "sets", "--method hcrf --features observed --gap 0.05"), (2, "recipes.train", "--method crf --solver lbfgs"), (3, "recipes.train", "--solver bundle --features observed --gap 0.02"),
                                   (4, "open", "--method hcrf --order 2 --gap 0.05"), (3, "recipes.train", "--solver frank_wolfe --batch 16 --gap 0.05")):
            learn = ("train", "sequence", data, *flags.split(), "--quiet")
            self.run(0, *learn, "--model", "one")
            self.run(ranks, *learn, "--share-data", "--model", "several")
            self.same(f"shared data, {flags}, {ranks} ranks", self.weights("one"), self.weights("several"))
            one, several = (self.run(0, "predict", model, "recipes.test", "--quiet").stdout for model in ("one", "several"))
            self.same(f"shared data, {flags}: predictions", one, several)

    def folds(self):
        line = ("cross-validate", "multiclass", "mail.train", "--C", "0.1,1", "--folds", "3", "--quiet", "--solver", "bundle")
        one = self.run(0, *line).stdout
        for threads in "1", "2":  # at most one fold of a rank is at work, whatever its threads
            self.same(f"cross-validate with {threads} threads", one, self.run(2, *line, "--threads", threads).stdout)

    def trouble(self):
        (self.folder / "bad").write_text((self.folder / "mail.train").read_text() + "1 3:x\n")
        found = self.run(3, "train", "multiclass", "bad", "--model", "never", code=2)
        if found.stderr.count("hinge: bad:") != 1 or (self.folder / "never").exists():
            self.failures.append(f"a bad line: {found.stderr}")
        # One rank's file is another: what `hinge` reads under the name depends on the rank.
        script = self.folder / "start"
        script.write_text('#!/bin/sh\ncp "mail.$([ $OMPI_COMM_WORLD_RANK = 1 ] && echo test || echo train)" mine.$OMPI_COMM_WORLD_RANK\n'
                          f'mkdir -p at.$OMPI_COMM_WORLD_RANK; mv mine.$OMPI_COMM_WORLD_RANK at.$OMPI_COMM_WORLD_RANK/data\n'
                          f'cd at.$OMPI_COMM_WORLD_RANK; exec "{self.hinge}" "$@"\n')
        script.chmod(0o755)
        done = subprocess.run(mpi.command(2, str(script), "train", "multiclass", "data", "--model", "m"), cwd=self.folder,
                              env=mpi.environment(), capture_output=True, text=True, timeout=120)
        if done.returncode != 2 or "different files" not in done.stderr:
            self.failures.append(f"different files: {done.returncode} {done.stderr}")
        # One rank's program is another.
        shutil.copy(self.hinge, self.folder / "other")
        with open(self.folder / "other", "ab") as program:
            program.write(b"x")
        line = ("train", "multiclass", "mail.train", "--model", "m")
        done = subprocess.run([*mpi.command(1, self.hinge, *line), ":", "-n", "1", "./other", *line], cwd=self.folder, env=mpi.environment(),
                              capture_output=True, text=True, timeout=120)
        if done.returncode != 2 or "different builds" not in done.stderr:
            self.failures.append(f"different builds: {done.returncode} {done.stderr}")
        # The labels of one rank's share.
        (self.folder / "late").write_text("a\tA\nb\tB\n\n" * 4 + "b\tB\na\tA\n\n")
        found = self.run(2, "train", "sequence", "late", "--share-data", "--forbidden", "B>A", "--model", "never", code=2)
        if found.stderr.count("hinge: sequence 5 has no labelling up to its position 2") != 1 or "ABORT" in found.stderr:
            self.failures.append(f"labels that are forbidden: {found.stderr}")
        # More ranks than examples.
        (self.folder / "few").write_text("1 1:1\n2 2:1\n")
        self.run(4, "train", "multiclass", "few", "--model", "m", "--quiet", "--solver", "bundle")
        # A rank without a file.
        (self.folder / "at.1" / "data").unlink(missing_ok=True)
        script.write_text(f'#!/bin/sh\ncd at.$OMPI_COMM_WORLD_RANK; exec "{self.hinge}" "$@"\n')
        done = subprocess.run(mpi.command(2, str(script), "train", "multiclass", "data", "--model", "m"), cwd=self.folder,
                              env=mpi.environment(), capture_output=True, text=True, timeout=120)
        if done.returncode != 2 or "data" not in done.stderr:
            self.failures.append(f"a rank without a file: {done.returncode} {done.stderr}")

    def limited(self):
        """Clocks differ, what is agreed does not: all ranks stop after the same round."""
        done = self.run(3, "train", "sequence", "recipes.train", "--method", "crf", "--gap", "1e-12", "--time-limit", "0.5", "--model", "limited")
        if "The time limit of 0.5 s was reached" not in done.stdout or not (self.folder / "limited").exists():
            self.failures.append(f"a time limit: {done.stdout} {done.stderr}")

    def killed(self):
        """A rank is killed in the middle: mpirun ends the others, and the training goes on on another number of ranks."""
        (self.folder / "several").unlink(missing_ok=True)
        learn = ("train", "sequence", "recipes.train", "--method", "crf", "--solver", "lbfgs", "--gap", "1e-7", "--shards", "16", "--quiet")
        self.run(0, *learn, "--model", "one")
        kept = ("--checkpoint", "kept", "--checkpoint-every", "0", "--resume", "kept")
        process = subprocess.Popen(mpi.command(3, self.hinge, *learn, *kept, "--model", "several"), cwd=self.folder, env=mpi.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while len(list(self.folder.glob("kept/*/manifest.json"))) < 2 and time.monotonic() < end and process.poll() is None:
            time.sleep(0.01)
        for rank in ranks_of(process.pid)[1:2]:
            os.kill(rank, signal.SIGKILL)
        if process.wait(timeout=60) == 0:
            self.failures.append("no rank was killed, the run went to its end")
        if (self.folder / "several").exists():
            self.failures.append("there is a model of a run whose rank was killed")
        self.run(2, *learn, *kept, "--model", "several")
        self.same("after a kill, on 2 ranks instead of 3", self.weights("one"), self.weights("several"))


def ranks_of(parent):
    """Processes below mpirun, the ranks."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(path.parent.name))
    return sorted(found)


def main():
    hinge, examples = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    mpi.require(hinge)
    with tempfile.TemporaryDirectory(prefix="hinge-ranks-") as name:
        folder = pathlib.Path(name)
        for file in examples.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        test = Test(hinge, folder)
        for number, task in enumerate(TASKS):
            test.task(number, *task)
        for number, flags in enumerate(SOLVERS):
            test.solver(number, flags)
        test.one_rank()
        test.shared()
        test.folds()
        test.trouble()
        test.limited()
        test.killed()
    print("\n".join(test.failures) or f"{len(TASKS)} tasks and {len(SOLVERS)} solvers have the bits of one process")
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main()
