"""Ranks of mpirun have the bits of one process: ranks_test.py HINGE EXAMPLES

Every task and every solver is trained on 2, 3 or 4 ranks, predicts, and is measured; models and outputs are compared with those of one
process. Then trouble: a bad line, different files, a rank that is killed and goes on from its checkpoint on another number of ranks.
"""
import gzip
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
    ("binary", "--solver bundle", "samples", "mail.test"),
    ("binary", BLOCKS + " --measure error", "samples", "mail.test"),  # row by row
    ("sequence", BLOCKS + " --gap 0.02", "recipes.train", "recipes.test"),
    ("sequence-class", "--method hcrf", "gestures.txt", "gestures.txt"),
    ("parse", ROUNDS, "garden.train", "garden.test"),
    ("graph", BLOCKS, "land.train", "land.test"),
    ("motif", ROUNDS, "sites.txt", "sites.txt"),
    ("cluster", ROUNDS, "stories.train", "stories.test"),
    ("rank", BLOCKS, "search.train", "search.test"),
    ("align", ROUNDS, "cousins.train", "cousins.test"),
    ("fold", ROUNDS + " --gap 0.02", "helices.train", "helices.test"),
    # Solvers that the chains of SOLVERS are not for.
    ("multiclass", "--kernel rbf --kernel-map none --solver gram", "mail.train", "mail.test"),
    ("sequence", "--method crf --solver descent --max-steps 20", "recipes.train", "recipes.test"),
)
SOLVERS = (
    "--solver frank_wolfe --batch 16", "--solver n_slack", "--solver one_slack", "--solver one_slack --cache 5", "--solver bundle",
    "--solver subgradient --max-passes 20", "--solver stochastic --max-passes 5", "--method crf --solver lbfgs --threads 2", "--method crf --solver soft_dual",
    "--method crf --solver soft_dual --batch 32", "--method crf --solver soft_dual --batch 16 --threads 2 -C 30,300 --validation recipes.test",
)


# What is drawn from, each with any number of ranks, shards and threads, with and without data that is shared.
DRAWN = {
    "multiclass mail.train": ("--solver frank_wolfe --batch 8", "--solver n_slack", "--solver one_slack --cache 3", "--solver subgradient --max-passes 5",
                              "--solver stochastic --max-passes 3", "--method crf --solver lbfgs --l1 0.5", "--method crf --solver soft_dual --batch 8"),
    "multilabel films.train": ("--solver frank_wolfe --batch 8", "--solver bundle", "--method crf --solver soft_dual --batch 8", "--method crf --solver descent --max-steps 5"),
    "taxonomy wares.train --parents wares.parents": ("--solver cccp --inner frank_wolfe --batch 8", "--solver cccp --inner one_slack"),
    "binary samples": ("--solver bundle", "--solver frank_wolfe --batch 8"),
    "sequence recipes.train": ("--solver bundle --gap 0.05", "--solver frank_wolfe --batch 8 --gap 0.05", "--method crf --solver lbfgs --gap 0.05",
                               "--method crf --solver soft_dual --batch 8"),
    "sequence-class gestures.txt": ("--method hcrf --max-passes 20", "--method lssvm --solver cccp --inner bundle --gap 0.1"),
    "parse garden.train": ("--solver frank_wolfe --batch 8 --gap 0.1", "--method crf --solver soft_dual --batch 8 --gap 0.05", "--method crf --solver lbfgs --gap 0.05"),
    "graph land.train": ("--solver bundle --gap 0.1", "--method crf --solver lbfgs --gap 0.1"),
    "motif sites.txt": ("--solver cccp --inner frank_wolfe --batch 8 --gap 0.1", "--solver cccp --inner bundle --gap 0.1"),
    "cluster stories.train": ("--solver cccp --inner bundle --gap 0.1",),
    "rank search.train": ("--solver bundle", "--solver subgradient --max-passes 5"),
    "align cousins.train": ("--solver cccp --inner frank_wolfe --batch 8 --gap 0.1",),
    "fold helices.train": ("--solver frank_wolfe --batch 8 --gap 0.2", "--method crf --solver lbfgs --gap 0.2"),
}
DRAWS = 14


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
        learn = ("train", "sequence", "recipes.train", *flags.split(), "--gap", "0.05", "--quiet")
        self.run(0, *learn, "--model", "one")
        self.run(2 + number % 3, *learn, "--model", "several")
        self.same(f"{flags} on {2 + number % 3} ranks", self.weights("one"), self.weights("several"))

    def drawn(self):
        draw = random.Random(17)
        pairs = [(task, flags) for task, several in DRAWN.items() for flags in several]
        for task, flags in draw.sample(pairs, DRAWS):
            shards, ranks, threads, share = draw.choice((0, 1, 3, 7, 64)), draw.randint(2, 5), draw.randint(1, 2), draw.random() < 0.5
            learn = ("train", *task.split(), *flags.split(), "--quiet", *(("--shards", str(shards)) if shards else ()))
            # Without --shards data that is shared is cut in its own way, on one process too.
            self.run(0, *learn, *(("--share-data",) if share and not shards else ()), "--model", "one")
            self.run(ranks, *learn, *(("--share-data",) if share else ()), "--threads", str(threads), "--model", "several")
            self.same(f"{' '.join(learn[1:])}{' --share-data' if share else ''}, {ranks} ranks of {threads} threads", self.weights("one"), self.weights("several"))

    def usual(self):
        """No --shards and no --batch: bits do not depend on ranks, though there are more than pieces or examples are few."""
        for task, flags, ranks in (("cluster stories.train", "--solver cccp --inner bundle", 4), ("rank search.train", "--solver bundle", 17),
                                     ("sequence recipes.train", "--solver bundle --gap 0.05", 4),
                                     ("sequence recipes.train", "--method crf --solver soft_dual --share-data", 3),
                                     ("parse garden.train", "--method crf --solver soft_dual --share-data --gap 0.05", 2),
                                     ("multiclass mail.train", "--method crf --solver soft_dual --share-data", 2),
                                     ("rank search.train", "--solver bundle --share-data", 4)):
            learn = ("train", *task.split(), *flags.split(), "--quiet")
            self.run(0, *learn, "--model", "one")
            (self.folder / "several").unlink(missing_ok=True)
            self.run(ranks, *learn, "--model", "several")
            self.same(f"{task} {flags} as usual, on {ranks} ranks", self.weights("one"), self.weights("several"))

    def elsewhere(self):
        """A training goes on on another number of ranks with the solver and the batch it was begun with, or says what differs."""
        crf, blocks = "--method crf --solver soft_dual --gap 1e-9", "multiclass mail.train --solver frank_wolfe --batch 16 -C 1000 --gap 1e-7"
        for learn, first, then, noted in (
                ("parse garden.train --method crf --solver soft_dual --gap 1e-4", (0,), (2,), ""),
                ("parse garden.train --method crf --solver soft_dual --gap 1e-4", (2,), (0,), "batch: 64, because the checkpoint"),
                (f"sequence recipes.train {crf}", (2, "--share-data"), (0,), "batch: 64, because the checkpoint"),
                ("multiclass mail.train --method crf --gap 1e-9", (0,), (4,), "solver: soft_dual, because the checkpoint"),
                ("sequence recipes.train --gap 1e-2", (0,), (2,), "batch: 16, because the checkpoint"),
                ("sequence recipes.train --solver bundle --gap 1e-2", (3,), (2,), "")):
            self.goes_on(learn if "bundle" in learn else f"{learn} --shards 16", first, then, noted)
        for learn, first, then, sentence in ((f"sequence recipes.train {crf}", (0,), (2, "--share-data"), "batch was 0 and is 64"),
                                             (blocks, (0, "--share-data"), (0,), "share_data was true and is nothing"),
                                             (blocks, (0,), (3, "--share-data"), "share_data was nothing and is true")):
            self.begin(f"{learn} --shards 16", first)
            ranks, *extra = then
            found = self.run(ranks, "train", *f"{learn} --shards 16".split(), *extra, "--checkpoint", "moved", "--resume", "moved", "--model", "several", code=2)
            if sentence not in found.stderr or (self.folder / "several").exists():
                self.failures.append(f"{learn}, begun on {first}, goes on on {then}: {found.stderr}")

    def begin(self, learn, first):
        """Begins a training with checkpoints, and kills it."""
        ranks, *extra = first
        shutil.rmtree(self.folder / "moved", ignore_errors=True)
        (self.folder / "several").unlink(missing_ok=True)
        line = (self.hinge, "train", *learn.split(), *extra, "--quiet", "--checkpoint", "moved", "--checkpoint-every", "0", "--model", "several")
        process = subprocess.Popen(mpi.command(ranks, *line) if ranks else line, cwd=self.folder, env=mpi.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while len(list(self.folder.glob("moved/*/manifest.json"))) < 2 and time.monotonic() < end and process.poll() is None:
            time.sleep(0.01)
        for one in ranks_of(process.pid) if ranks else [process.pid]:
            os.kill(one, signal.SIGKILL)
        ended(process)
        (self.folder / "several").unlink(missing_ok=True)  # it may have come to its end before

    def goes_on(self, learn, first, then, noted):
        ranks, *extra = first
        what = f"{learn}, begun on {first}, gone on with on {then}"
        self.run(ranks, "train", *learn.split(), *extra, "--quiet", "--model", "one")
        self.begin(learn, first)
        ranks, *extra = then
        found = self.run(ranks, "train", *learn.split(), *extra, "--checkpoint", "moved", "--resume", "moved", "--checkpoint-every", "600", "--model", "several")
        self.same(what, self.weights("one"), self.weights("several"))
        if "going on from moved" not in found.stderr or noted not in found.stderr:
            self.failures.append(f"{what}: {found.stderr}")

    def started_differently(self):
        """One rank was started with other words than the others."""
        line = "train sequence recipes.train --method crf --solver lbfgs --gap 1e-5 --model never"
        for first, second, sentence in ((f"{line} -C 1", f"{line} -C 2", "rank 0 with --C 1 and rank 1 with --C 2"),
                                        (f"{line} --shards 8", f"{line} --shards 8 --share-data", "rank 0 with --share-data off and rank 1 with --share-data on"),
                                        (line, line.replace("sequence", "sequence-class"), "rank 0 with the task sequence and rank 1 with the task sequence-class"),
                                        (line, "evaluate one recipes.test", "rank 0 with the command train and rank 1 with the command evaluate"),
                                        ("evaluate one recipes.test", "evaluate one recipes.test --json", "rank 0 with --json off and rank 1 with --json on")):
            done = subprocess.run([*mpi.command(1, self.hinge, *first.split()), ":", "-n", "1", self.hinge, *second.split()], cwd=self.folder,
                                  env=mpi.environment(), capture_output=True, text=True, timeout=120)
            self.ends(f"{first} : {second}", done, sentence)

    def without_avx2(self):
        """Processors with and without AVX2 are refused; without it, which a variable asks for, all have the same bits."""
        if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
            print("processors with AVX2 were not tried: this one has none")
            return
        without = ("env", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA4", self.hinge)
        learn = ("train", "sequence", "recipes.train", "--method", "crf", "--solver", "lbfgs", "--gap", "1e-5", "--shards", "16", "--quiet", "--model")
        refused = [*mpi.command(1, self.hinge, *learn, "never"), ":", "-n", "1", *without, *learn, "never"]
        for line, name in ((refused, "never"), ((self.hinge, *learn, "with"), "with"), ((*without, *learn, "one"), "one"),
                           (mpi.command(3, *without, *learn, "several"), "several")):
            done = subprocess.run(line, cwd=self.folder, env=mpi.environment(), capture_output=True, text=True, timeout=120)
            if name == "never":
                self.ends("with and without AVX2", done, "-x " + without[1])
        self.same("without AVX2 on 3 ranks", self.weights("one"), self.weights("several"))
        if self.weights("one") == self.weights("with"):
            self.failures.append("AVX2 was used in spite of GLIBC_TUNABLES")

    def one_rank(self):
        self.run(0, "train", "sequence", "recipes.train", "--model", "one", "--quiet")
        self.run(1, "train", "sequence", "recipes.train", "--model", "several", "--quiet")
        self.same("one rank", self.weights("one"), self.weights("several"))

    def seconds(self):
        """The processor's seconds of every rank: inference and exchanges are parts of all."""
        for solver in "lbfgs", "soft_dual":
            self.run(2, "train", "sequence", "recipes.train", "--method", "crf", "--solver", solver, "--model", "several", "--summary", "several.json", "--quiet")
            ranks = json.loads((self.folder / "several.json").read_text())["ranks"]
            for whole, inference, exchanges in zip(*(ranks[key] for key in ("cpu_seconds", "cpu_seconds_oracle", "cpu_seconds_in_exchanges")), strict=True):
                if not (0 < inference and 0 < exchanges and inference + exchanges < 1.01 * whole):
                    self.failures.append(f"seconds of {solver}: {inference} in inference and {exchanges} in exchanges of {whole}")

    def shared(self):
        """Each example on one rank only; labels that are missing or one of two, a template that makes names of pairs, another order."""
        text = (self.folder / "recipes.train").read_text().splitlines()
        (self.folder / "open").write_text("\n".join(line.rsplit(None, 1)[0] + " ?" if k % 9 == 4 and line else line for k, line in enumerate(text)))
        (self.folder / "sets").write_text("\n".join(line.rsplit(None, 1)[0] + "\t?B-NAME|B-UNIT" if k % 9 == 4 and line else line
                                                    for k, line in enumerate(text)))
        for ranks, data, flags in ((3, "sets", "--method hcrf --features observed --gap 0.05"), (2, "recipes.train", "--method crf --solver lbfgs"), (3, "recipes.train", "--solver bundle --features observed --gap 0.02"),
                                   (4, "open", "--method hcrf --order 2 --gap 0.05"), (3, "recipes.train", "--solver frank_wolfe --batch 16 --gap 0.05"),
                                   (4, "recipes.train", "--method crf --solver soft_dual --batch 24"), (2, "open", "--method hcrf --solver soft_dual --batch 24 --gap 0.05")):
            self.share("sequence", ranks, [data], flags, "recipes.test")
        # Rows, in several files, of which one is packed.
        rows = (self.folder / "mail.train").read_text().splitlines(keepends=True)
        self.write("mail.1", "".join(rows[: len(rows) // 5]))
        self.write("mail.2.gz", gzip.compress("".join(rows[len(rows) // 5: len(rows) // 2]).encode()))
        self.write("mail.3", "".join(rows[len(rows) // 2:]))
        parts = ["mail.1", "mail.2.gz", "mail.3"]
        either = [("?-1|1 " + row.split(None, 1)[1]) if k % 6 == 2 else row for k, row in enumerate(rows)]
        self.write("mail.open", "".join(either))
        # Features of pairs whose names each document has in an order of its own.
        self.write("pairs.jsonl", "".join(json.dumps({"items": 3, "pairs": [[0, 1], [1, 2]], "clusters": [[0, 1]] if k % 2 else [[1, 2]],
                                                      "pair_features": [{f"f{(k + m) % 5}": 1, f"g{k % 3}": 0.5 + m}, {f"f{(2 * k + m) % 7}": 1}]}) + "\n"
                                          for k, m in ((k, k * k % 4) for k in range(24))))
        for ranks, task, files, flags, test in (
                (3, "cluster", ["pairs.jsonl"], "--solver cccp --inner frank_wolfe --batch 16", "pairs.jsonl"),
                (3, "multiclass", parts, "--solver bundle", "mail.test"), (2, "multiclass", parts, "--method crf --solver lbfgs --class-weights balanced", "mail.test"),
                (4, "multiclass", ["mail.open"], "--solver cccp --inner bundle", "mail.test"), (2, "binary", ["samples"], "--solver bundle", "mail.test"),
                (3, "rank", ["search.train"], "--solver bundle", "search.test"), (2, "multilabel", ["films.train"], "--solver one_slack", "films.test"),
                (3, "multilabel", ["films.train"], "--method crf --solver lbfgs --pairs tree", "films.test"),
                (2, "taxonomy", ["wares.train"], "--parents wares.parents --features observed --solver cccp --inner bundle", "wares.test"),
                (3, "sequence-class", ["gestures.txt"], "--method hcrf --split train", "gestures.txt"), (2, "motif", ["sites.txt"], "--solver cccp --inner bundle", "sites.txt"),
                (3, "parse", ["garden.train", "garden.test"], "--solver bundle --gap 0.02 --vertical 2", "garden.test"),
                (2, "parse", ["garden.train"], "--method hcrf --tags found --gap 0.05", "garden.test"),
                (3, "parse", ["garden.train"], "--method crf --solver soft_dual --batch 8 --gap 0.05", "garden.test"),
                (2, "multiclass", parts, "--method crf --solver soft_dual --batch 16", "mail.test"),
                (3, "cluster", ["stories.train"], "--solver cccp --inner frank_wolfe --batch 16", "stories.test"),
                (2, "cluster", ["stories.train"], "--structure correlation --gap 0.02 --solver bundle", "stories.test"),
                (3, "align", ["cousins.train", "cousins.fa"], "--solver cccp --inner bundle --gap 0.02 --balance", "cousins.test"),
                (4, "fold", ["helices.train"], "--solver bundle --gap 0.05", "helices.test"),
                (2, "fold", ["helices.ct", "helices.train"], "--method crf --solver lbfgs --gap 0.05", "helices.test"),
                (3, "fold", ["helices.train"], "--energies helices.par --solver bundle --gap 0.05", "helices.test"),
                (3, "graph", ["land.train"], "--solver bundle --scale", "land.test"),
                # Answers that are not exact: every rank watches those of its own examples.
                (2, "graph", ["land.train"], "--solver frank_wolfe --batch 16 --max-cells 0", "land.test"),
                (3, "sequence", ["recipes.train"], "--order 2 --beam 2 --solver bundle --gap 0.05", "recipes.test"),
                # One process without ranks, where first weights look at the examples.
                (0, "align", ["cousins.train"], "--solver cccp --inner bundle --gap 0.02", "cousins.test"),
                (0, "motif", ["sites.txt"], "--solver cccp --inner bundle", "sites.txt")):
            self.share(task, ranks, files, flags, test)
        found = self.run(2, "train", "binary", "mail.train", "--share-data", "--model", "never", code=2)
        if "has no qid:N" not in found.stderr:
            self.failures.append(f"rows of one sample: {found.stderr}")

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def share(self, task, ranks, files, flags, test):
        """No rank reads all, and what comes out has the bits of one process that does."""
        learn = ("train", task, *(word for file in files for word in ("--data", file)), *flags.split(), "--shards", "16", "--quiet")
        what = f"shared data, {task} {flags}, {ranks} ranks"
        self.run(0, *learn, "--model", "one", "--summary", "one.json")
        self.run(ranks, *learn, "--share-data", "--model", "several", "--summary", "several.json")
        self.same(what, self.weights("one"), self.weights("several"))
        facts = [json.loads((self.folder / name).read_text())["data"] if (self.folder / name).exists() else None for name in ("one.json", "several.json")]
        self.same(what + ": facts of the data", *facts)
        one, several = (self.run(0, "predict", model, test, "--quiet").stdout for model in ("one", "several"))
        self.same(what + ": predictions", one, several)
        if task not in ("sequence", "rank") or flags not in ("--method crf --solver lbfgs", "--solver bundle"):
            return
        # A bad line has its number in the file, whoever reads it.
        bad = (self.folder / files[-1]).read_text() + ("1 3:x\n" if task != "sequence" else "\none two three four five\n")
        self.write("bad", bad)
        learn = ("train", task, *(word for file in [*files[:-1], "bad"] for word in ("--data", file)), *flags.split(), "--model", "never")
        line = f"bad:{len(bad.splitlines())}:"
        found = self.run(ranks, *learn, "--share-data", code=2)
        if found.stderr.count(line) != 1:
            self.failures.append(f"{what}, a bad line: {found.stderr} lacks {line}")

    def folds(self):
        """Of examples, of variants of a task, of groups that stay together. At most one fold of a rank is at work, whatever its threads."""
        for ranks, threads, task, data, flags in ((2, "1", "multiclass", "mail.train", "--solver bundle"), (2, "2", "multiclass", "mail.train", "--solver bundle"),
                                                  (3, "1", "sequence", "recipes.train", "--method crf --solver lbfgs --gap 0.05"),
                                                  (2, "1", "motif", "sites.txt", "--length 6,8 --solver cccp --inner bundle"),
                                                  (2, "2", "align", "cousins.train", "--solver bundle --gap 0.1")):
            line = ("cross-validate", task, data, *flags.split(), "--C", "0.1,1", "--folds", "3", "--quiet")
            one = self.run(0, *line).stdout
            self.same(f"cross-validate {task} {flags} on {ranks} ranks with {threads} threads", one, self.run(ranks, *line, "--threads", threads).stdout)

    def trouble(self):
        (self.folder / "bad").write_text((self.folder / "mail.train").read_text() + "1 3:x\n")
        found = self.run(3, "train", "multiclass", "bad", "--model", "never", code=2)
        if found.stderr.count("hinge: bad:") != 1 or (self.folder / "never").exists():
            self.failures.append(f"a bad line: {found.stderr}")
        # One rank's file is another: what `hinge` reads under the name depends on the rank.
        script = self.folder / "start"
        script.write_text(f'#!/bin/sh\ncd at.$OMPI_COMM_WORLD_RANK; exec "{self.hinge}" "$@"\n')
        script.chmod(0o755)
        for rank, data in enumerate(("mail.train", "mail.test")):
            (self.folder / f"at.{rank}").mkdir()
            shutil.copy(self.folder / data, self.folder / f"at.{rank}" / "data")
        for share in ((), ("--share-data",)):
            self.ends("different files", self.start(script, "train", "multiclass", "data", "--model", "m", *share), "different files")
        self.other_options(script)
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
        # Standard input, which only the first rank has.
        for command in (("train", "multiclass", "-", "--model", "never"), ("train", "multiclass", "-", "--share-data", "--model", "never"),
                        ("predict", "one", "-"), ("evaluate", "one", "-"), ("cross-validate", "multiclass", "-", "--folds", "2")):
            self.ends(f"standard input, {command[0]}", self.run(2, *command, code=2), "several processes cannot read one standard input")
        # More ranks than examples.
        (self.folder / "few").write_text("1 1:1\n2 2:1\n")
        for share in ((), ("--share-data",)):
            self.ends("more ranks than examples", self.run(4, "train", "multiclass", "few", "--model", "never", *share, code=2), "2 examples for 4 ranks")
        # A rank without a file.
        (self.folder / "at.1" / "data").unlink()
        for share in ((), ("--share-data",)):
            self.ends("a rank without a file", self.start(script, "train", "multiclass", "data", "--model", "m", *share), "data: cannot be read")
        # A full disk, on which the ranks write their parts of the checkpoints.
        disk = self.folder / "at.1"
        shutil.copy(self.folder / "recipes.train", self.folder / "at.0" / "data")
        learn = ("train", "sequence", "data", "--method", "crf", "--solver", "lbfgs", "--quiet", "--checkpoint", "kept", "--checkpoint-every", "0", "--model", "m")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], capture_output=True).returncode != 0:
            print("a full disk was not tried: no file system can be mounted here")
            return
        try:
            shutil.copy(self.folder / "recipes.train", disk / "data")
            (disk / "full").write_bytes(b"x" * (128 * 1024 - 4096 * 4 - (disk / "data").stat().st_size // 4096 * 4096))
            (self.folder / "at.0" / "kept").symlink_to(disk / "kept")
            (disk / "kept").mkdir()
            self.ends("a full disk", self.start(script, *learn), "No space left")
        finally:
            subprocess.run(["umount", disk], check=True)

    def other_options(self, script):
        """A file that a flag of the task names is another on one rank."""
        parents = (self.folder / "wares.parents").read_text()
        classes = sorted({line.split()[0] for line in (self.folder / "mail.train").read_text().splitlines()})
        costs = "".join(" ".join(line) + "\n" for line in (classes, *([one, *("0" if one == other else "1.25" for other in classes)] for one in classes)))
        energies = (self.folder / "helices.par").read_text()
        for task, data, flag, file, contents, flags in (
                ("sequence", "recipes.train", "--template", "t", ("U:%x[0,0]\nB\n", "U:%x[-1,0]\nB\n"), "--gap 0.1"),
                ("sequence", "recipes.train", "--template", "t", ("U:%x[0,0]\nB\n", "U:%x[-1,0]\nB\n"), "--share-data --method crf --solver lbfgs"),
                ("taxonomy", "wares.train", "--parents", "p", (parents, parents + "\n"), "--gap 0.1"),
                ("multiclass", "mail.train", "--cost-matrix", "c", (costs, costs.replace("1.25", "2", 1)), "--solver bundle"),
                ("fold", "helices.train", "--energies", "e", (energies, energies.replace("-240", "-250", 1)), "--gap 0.1")):
            for rank, content in enumerate(contents):
                shutil.copy(self.folder / data, self.folder / f"at.{rank}")
                self.write(f"at.{rank}/{file}", content)
            self.ends(f"a different {flag} {flags}", self.start(script, "train", task, data, flag, file, *flags.split(), "--model", "m"), "different files")
        # Folders of checkpoints that are each rank's own, in which neither would find all.
        learn = ("train", "multiclass", "mail.train", "--solver", "bundle", "--checkpoint", "own", "--resume", "own", "--checkpoint-every", "0", "--model", "m")
        self.ends("a folder of checkpoints that is not shared", self.start(script, *learn), "own: is another folder on rank 1 than on rank 0")
        # A command that ranks do not share: its trouble is told at once, and as that of all.
        for line in (("nonsense",), ("convert", "cluster", "nowhere")):
            begin = time.monotonic()
            done = self.run(2, *line, code=2)
            if "rank" in done.stderr or time.monotonic() - begin > 4:
                self.failures.append(f"{' '.join(line)} on 2 ranks, after {time.monotonic() - begin:.1f} s: {done.stderr}")

    def start(self, script, *arguments):
        return subprocess.run(mpi.command(2, str(script), *arguments), cwd=self.folder, env=mpi.environment(), capture_output=True, text=True, timeout=120)

    def ends(self, what, done, sentence):
        """All ranks end, with exit code 2 and one sentence."""
        lines = [line for line in done.stderr.splitlines() if line.startswith("hinge: ")]
        if done.returncode != 2 or len(lines) != 1 or sentence not in lines[0] or list(self.folder.glob("at.*/m")) or (self.folder / "never").exists():
            self.failures.append(f"{what}: exit code {done.returncode}, {done.stderr}")

    def cluster(self):
        """The script of the documentation, where srun is mpirun on two ranks."""
        text = (pathlib.Path(__file__).parents[2] / "docs" / "many-machines.md").read_text()
        script = next(block for block in text.split("```") if "#SBATCH" in block).removeprefix("text\n")
        self.write("job", script)
        self.write("srun", '#!/bin/bash\n[ "$1" = --mpi=pmix ] || exit 9\nshift\nexec mpirun --oversubscribe -n 2 "$@"\n')
        (self.folder / "srun").chmod(0o755)
        (self.folder / "hinge").symlink_to(self.hinge)
        shutil.copy(self.folder / "recipes.train", self.folder / "train.conll")
        if (done := subprocess.run(["bash", "-n", "job"], cwd=self.folder, capture_output=True, text=True)).returncode != 0:
            self.failures.append(f"the script of many-machines.md: {done.stderr}")
        environment = mpi.environment()
        environment["PATH"] = f"{self.folder}:{environment['PATH']}"
        shutil.rmtree(self.folder / "kept", ignore_errors=True)
        done = subprocess.run(["bash", "job"], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)
        self.run(0, "train", "sequence", "train.conll", "--method", "crf", "--solver", "lbfgs", "--shards", "64", "--model", "one", "--quiet")
        if done.returncode != 0:
            self.failures.append(f"the script of many-machines.md: {done.returncode} {done.stderr}")
        self.same("the script of many-machines.md", self.weights("one"), self.weights("tagger.model"))

    def limited(self):
        """Clocks differ, what is agreed does not: all ranks stop after the same round."""
        done = self.run(3, "train", "sequence", "recipes.train", "--method", "crf", "--gap", "1e-12", "--time-limit", "0.5", "--model", "limited")
        if "The time limit of 0.5 s was reached" not in done.stdout or not (self.folder / "limited").exists():
            self.failures.append(f"a time limit: {done.stdout} {done.stderr}")
        line = ("train", "sequence", "recipes.train", "--solver", "subgradient", "--gap", "1e-12", "--max-passes", "1000000", "--model", "limited", "--time-limit")
        done = subprocess.run([*mpi.command(1, self.hinge, *line, "60"), ":", "-n", "1", self.hinge, *line, "0.5"], cwd=self.folder, env=mpi.environment(),
                              capture_output=True, text=True, timeout=120)
        if "The time limit of 60 s was reached" not in done.stdout:  # told by the first rank, whose clock is behind
            self.failures.append(f"a time limit by the clock of another rank: {done.stdout} {done.stderr}")

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
        if ended(process) == 0:
            self.failures.append("no rank was killed, the run went to its end")
        if (self.folder / "several").exists():
            self.failures.append("there is a model of a run whose rank was killed")
        self.run(2, *learn, *kept, "--model", "several")
        self.same("after a kill, on 2 ranks instead of 3", self.weights("one"), self.weights("several"))
        # A checkpoint of which one rank's part was cut is skipped for the one before.
        newest = sorted(self.folder.glob("kept/checkpoint-*"))[-1]
        parts = sorted(newest.glob("shard-*.bin"))
        if len(parts) != 2:
            self.failures.append(f"2 ranks wrote {len(parts)} parts of a checkpoint")
        os.truncate(parts[-1], parts[-1].stat().st_size // 2)
        found = self.run(3, *[word for word in learn if word != "--quiet"], *kept, "--model", "several")
        if "not written to its end" not in found.stderr:
            self.failures.append(f"a checkpoint that was cut on one rank: {found.stderr}")
        self.same("after a checkpoint that was cut, on 3 ranks", self.weights("one"), self.weights("several"))

    def terminated(self):
        """Every rank gets SIGTERM, as srun gives it: a checkpoint and no model, and the training goes on, on other numbers of ranks and threads."""
        batch = ("--batch", "16")
        blocks, visits = ("--solver", "frank_wolfe", "--gap", "1e-4", *batch), ("--method", "crf", "--solver", "soft_dual", "--gap", "1e-8", *batch)
        sums, cuts = ("--method", "crf", "--solver", "lbfgs", "--gap", "1e-8"), ("--solver", "bundle", "--gap", "1e-2")
        self.write("long.train", ((self.folder / "recipes.train").read_text().rstrip("\n") + "\n\n") * 4)  # some seconds of training
        late = []
        for number, (flags, share, delay) in enumerate(((blocks, (), 0.3), (blocks, ("--share-data",), 0), (visits, (), 0), (visits, ("--share-data",), 0.3),
                                                        (sums, ("--share-data",), 0.1), (cuts, (), 0.1))):
            learn = ("train", "sequence", "long.train", *flags, "--shards", "16", "--quiet")
            what = f"{' '.join(flags)} {' '.join(share)}"
            self.run(0, *learn, "--model", "one")
            (self.folder / "several").unlink(missing_ok=True)
            left = self.folder / f"left.{number}"
            kept = ("--checkpoint", left.name, "--checkpoint-every", "600", "--resume", left.name, *share)
            process = subprocess.Popen(mpi.command(2, self.hinge, *learn, *kept, "--model", "several"), cwd=self.folder, env=mpi.environment(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            end = time.monotonic() + 60
            while not left.exists() and time.monotonic() < end and process.poll() is None:
                time.sleep(0.01)
            time.sleep(delay)
            for rank in ranks_of(process.pid):
                os.kill(rank, signal.SIGTERM)
            _, error = process.communicate(timeout=120)
            if (self.folder / "several").exists():  # the training had ended: a signal behind that kills as usual
                late.append(f"a signal to terminate came too late: {what}")
                continue
            if process.returncode != 143 or not list(left.glob("*/manifest.json")):
                there = sorted(str(path.relative_to(self.folder)) for path in left.glob("**/*"))
                self.failures.append(f"SIGTERM {what}: exit code {process.returncode}, {there} are there, {error[-1500:]}")
            threads = 2 if number == 3 else 1  # six of them on two cores take minutes
            self.run(3, *learn, *kept, "--threads", str(threads), "--model", "several")
            self.same(f"after SIGTERM {what}, on 3 ranks of {threads} threads instead of 2 of 1", self.weights("one"), self.weights("several"))
        if len(late) > 3:
            self.failures.extend(late)


def ended(process):
    """The exit code of a process of which a rank was killed. mpirun of Open MPI 4.1.4 sometimes waits for itself then, in PMIx_server_finalize."""
    try:
        return process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        if ranks_of(process.pid):
            raise
        process.kill()
        return process.wait()


def ranks_of(parent):
    """Processes below mpirun, the ranks."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
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
        # Rows of two classes in samples: all in one would be one example, of which no rank has a share.
        rows = (folder / "mail.train").read_text().splitlines(keepends=True)
        test.write("samples", "".join(row.replace(" ", f" qid:{k // 4} ", 1) for k, row in enumerate(rows)))
        for number, task in enumerate(TASKS):
            test.task(number, *task)
        for number, flags in enumerate(SOLVERS):
            test.solver(number, flags)
        test.drawn()
        test.usual()
        test.elsewhere()
        test.one_rank()
        test.seconds()
        test.shared()
        test.folds()
        test.trouble()
        test.started_differently()
        test.without_avx2()
        test.limited()
        test.killed()
        test.terminated()
        test.cluster()
    print("\n".join(test.failures) or f"{len(TASKS)} tasks and {len(SOLVERS)} solvers have the bits of one process")
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main()
