"""What transcripts cannot say: signals, time, threads, seeds, paths over C, warm starts, damaged models.

behaviour_test.py HINGE EXAMPLES [unittest arguments]
"""
import json
import os
import pathlib
import pty
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from model_file import read_model

HINGE = EXAMPLES = None  # set by main
SUMMARY_FIELDS = (
    "task method solver C n dimension primal dual gap relative_gap iterations oracle_calls cpu_seconds seconds termination "
    "message seed threads peak_memory_bytes phases"
).split()


def blobs(path, examples, classes, features, seed):
    """Noisy classes in an svmlight file: far from separable, so that training takes its time."""
    source = random.Random(seed)
    centres = [[source.gauss(0, 1) for _ in range(features)] for _ in range(classes)]
    with open(path, "w") as out:
        for _ in range(examples):
            label = source.randrange(classes)
            values = (f"{j + 1}:{c + source.gauss(0, 2):.4f}" for j, c in enumerate(centres[label]))
            out.write(f"class{label} {' '.join(values)}\n")


def signals(process, kind):
    """The set of signals that a process catches (SigCgt) or ignores (SigIgn), as bits."""
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith(kind))


def has_numpy(python):
    return subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0


def bit(number):
    return 1 << (number - 1)


class Behaviour(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="hinge-cli-")
        self.folder = pathlib.Path(self.temporary.name)
        blobs(self.folder / "a.svm", 200, 4, 10, seed=1)
        blobs(self.folder / "b.svm", 100, 4, 10, seed=1)

    def tearDown(self):
        self.temporary.cleanup()

    def start(self, *arguments):
        return subprocess.Popen([HINGE, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def hinge(self, *arguments, code=0):
        done = subprocess.run([HINGE, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def train(self, model, *arguments, task="multiclass", data="a.svm"):
        """Trains and returns (summary, weights)."""
        self.hinge("train", task, "--data", data, "--model", model, "--summary", f"{model}.json", "--quiet", *arguments)
        return json.loads((self.folder / f"{model}.json").read_text()), read_model(self.folder / model)[1]["weights"]

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())

    def train_forever(self, *arguments, task="multiclass", data="a.svm"):
        """A training that ends by a signal only; returns when it is under way."""
        process = self.start("train", task, "--data", data, "--model", "m", "-C", 1, "--solver", "subgradient", "--gap", 0,
                             "--max-passes", 2**31 - 1, "--log", "log", *arguments)
        while process.poll() is None and not ((self.folder / "log").exists() and (self.folder / "log").stat().st_size):
            time.sleep(0.01)
        return process

    def test_summary_has_its_fields(self):
        summary, weights = self.train("m", "-C", 3, "--log", "log")
        for field in SUMMARY_FIELDS:
            self.assertIn(field, summary)
        self.assertEqual((summary["task"], summary["method"], summary["C"], summary["n"]), ("multiclass", "ssvm", 3, 200))
        self.assertEqual(summary["dimension"], len(weights))
        self.assertEqual(summary["termination"], "converged")
        self.assertLessEqual(summary["relative_gap"], 1e-3)
        self.assertAlmostEqual(summary["gap"], summary["primal"] - summary["dual"], delta=1e-12 * summary["primal"])
        log = [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
        self.assertEqual(len(log), summary["iterations"])
        for name in "iteration oracle_calls passes primal dual gap relative_gap planes seconds".split():
            self.assertIn(name, log[0])
        self.assertEqual(log[-1]["primal"], summary["primal"])
        self.assertEqual(log[-1]["oracle_calls"], summary["oracle_calls"])

    def test_evaluate_json_has_summary_and_metrics(self):
        summary, _ = self.train("m")
        result = json.loads(self.hinge("evaluate", "m", "--data", "b.svm", "--json").stdout)
        for field in SUMMARY_FIELDS + ["loss", "accuracy", "examples"]:
            self.assertIn(field, result)
        self.assertEqual(result["examples"], 100)
        self.assertEqual(result["primal"], summary["primal"])

    def test_inspect_json_lists_the_heaviest_weights(self):
        _, weights = self.train("m")
        result = json.loads(self.hinge("inspect", "m", "--top", 3, "--json").stdout)
        self.assertEqual([w["weight"] for w in result["positive"]], sorted(weights, reverse=True)[:3])
        self.assertEqual([w["weight"] for w in result["negative"]], sorted(weights)[:3])

    def test_same_bits_for_same_seed_and_any_threads(self):
        for solver in ("frank_wolfe", "one_slack", "lbfgs"):
            method = ["--method", "crf"] if solver == "lbfgs" else []
            runs = [self.train("m", "--solver", solver, *method, "--seed", 7, "--threads", t)[1].tobytes() for t in (1, 1, 2, 3)]
            self.assertEqual(len(set(runs)), 1, solver)

    def test_same_bits_for_sequences(self):
        recipes = pathlib.Path(EXAMPLES) / "recipes.test"
        for method in ("ssvm", "crf"):
            arguments = ["--method", method, "--gap", 0.01]
            runs = [self.train("m", *arguments, "--threads", t, task="sequence", data=recipes)[1].tobytes() for t in (1, 2)]
            self.assertEqual(runs[0], runs[1], method)

    def test_init_of_sequences_with_more_data(self):
        text = (pathlib.Path(EXAMPLES) / "recipes.test").read_text().split("\n\n")
        (self.folder / "half.txt").write_text("\n\n".join(text[: len(text) // 2]) + "\n")
        (self.folder / "all.txt").write_text("\n\n".join(reversed(text)) + "\n")
        arguments = ["--method", "crf", "--features", "observed", "-C", 100, "--gap", 1e-3]
        self.train("half", *arguments, task="sequence", data="half.txt")
        cold, _ = self.train("cold", *arguments, task="sequence", data="all.txt")
        warm, _ = self.train("warm", *arguments, "--init", "half", task="sequence", data="all.txt")
        self.assertLessEqual(abs(cold["primal"] - warm["primal"]), cold["gap"] + warm["gap"])
        first = [json.loads(self.hinge("train", "sequence", "--data", "all.txt", "--model", "m", *arguments, "--max-passes", 1,
                                       "--quiet", "--summary", "-", *init).stdout)["primal"] for init in ([], ["--init", "half"])]
        self.assertLess(first[1], first[0])  # half of the way was done

    def test_other_seed_same_objective(self):
        one, _ = self.train("m", "--seed", 1)
        two, _ = self.train("m", "--seed", 2)
        self.assertLessEqual(abs(one["primal"] - two["primal"]), one["gap"] + two["gap"])

    def test_path_over_C_equals_separate_runs_within_the_gaps(self):
        for method in ("ssvm", "crf"):
            path, _ = self.train("m", "-C", "10,0.1,1", "--validation", "b.svm", "--method", method)
            self.assertEqual([row["C"] for row in path["path"]], [0.1, 1, 10])
            for row in path["path"]:
                alone, _ = self.train("n", "-C", row["C"], "--method", method)
                self.assertLessEqual(abs(row["primal"] - alone["primal"]), row["gap"] + alone["gap"])
            best = min(path["path"], key=lambda row: row["validation"]["loss"])
            self.assertEqual(path["C"], best["C"])
            kept = json.loads(self.hinge("evaluate", "m", "--data", "b.svm", "--json").stdout)
            self.assertEqual(kept["loss"], best["validation"]["loss"])

    def test_select_by_accuracy(self):
        path, _ = self.train("m", "-C", "0.001,0.1,10", "--validation", "b.svm", "--select", "accuracy")
        self.assertEqual(path["validation"]["accuracy"], max(row["validation"]["accuracy"] for row in path["path"]))

    def test_init_goes_on_where_the_model_was(self):
        tight = ["--method", "crf", "--gap", 1e-6, "-C", 10]
        first, _ = self.train("m", *tight)
        again, _ = self.train("n", *tight, "--init", "m")
        self.assertLess(again["oracle_calls"], first["oracle_calls"] / 3)
        self.assertLessEqual(abs(first["primal"] - again["primal"]), first["gap"] + again["gap"])

    def test_init_matches_features_by_name(self):
        """The same data in another order gives other numbers to the same features."""
        lines = (self.folder / "a.svm").read_text().splitlines()
        (self.folder / "c.svm").write_text("\n".join(reversed(lines)))
        tight = ["--method", "crf", "--gap", 1e-6, "-C", 10]
        self.train("m", *tight)
        cold, _ = self.train("n", *tight, data="c.svm")
        warm, _ = self.train("o", *tight, "--init", "m", data="c.svm")
        self.assertLess(warm["oracle_calls"], cold["oracle_calls"] / 3)
        self.assertLessEqual(abs(cold["primal"] - warm["primal"]), cold["gap"] + warm["gap"])

    def test_init_is_where_soft_dual_begins(self):
        tight = ["--method", "crf", "--solver", "soft_dual", "--gap", 1e-5, "-C", 10]
        first, _ = self.train("m", *tight)
        again, _ = self.train("n", *tight, "--init", "m")
        self.assertLess(again["oracle_calls"], first["oracle_calls"] / 2)
        self.assertLessEqual(abs(first["primal"] - again["primal"]), first["gap"] + again["gap"])

    def test_init_takes_new_labels_and_features(self):
        (self.folder / "c.svm").write_text((self.folder / "a.svm").read_text() + "new 1:1 99:1\n")
        self.train("m")
        cold, _ = self.train("n", data="c.svm")
        warm, _ = self.train("o", "--init", "m", data="c.svm")
        self.assertLessEqual(abs(cold["primal"] - warm["primal"]), cold["gap"] + warm["gap"])

    def test_init_takes_the_options_of_the_model(self):
        self.train("m", "--bias", 0.5)
        self.assertEqual(self.train("n", "--init", "m")[0]["options"]["task"]["bias"], 0.5)
        self.assertEqual(self.train("n", "--init", "m", "--bias", 2)[0]["options"]["task"]["bias"], 2)

    def test_time_limit_keeps_the_best_so_far(self):
        begin = time.monotonic()
        summary, _ = self.train("m", "--solver", "subgradient", "--gap", 0, "--max-passes", 2**31 - 1, "--time-limit", 0.3)
        self.assertGreaterEqual(time.monotonic() - begin, 0.3)
        self.assertEqual(summary["termination"], "stopped")
        self.assertIn("time limit of 0.3 s", summary["message"])
        self.hinge("evaluate", "m", "--data", "a.svm")

    def test_time_limit_is_told_as_it_was_given(self):
        """Also where half of it went to the choice of C."""
        summary, _ = self.train("m", "-C", "auto", "--solver", "subgradient", "--gap", 0, "--max-passes", 2**31 - 1, "--time-limit", 0.4)
        self.assertIn("time limit of 0.4 s", summary["message"])

    def test_time_limit_ends_within_a_pass(self):
        """300 labels: a pass takes many times the limit, and two more would follow it."""
        generator = random.Random(5)
        with open(self.folder / "many.txt", "w") as out:
            for _ in range(400):
                for _ in range(30):
                    label = generator.randrange(300)
                    out.write(f"w{label % 50}\tL{label}\n")
                out.write("\n")
        for method, solver in (("ssvm", "frank_wolfe"), ("ssvm", "one_slack"), ("crf", "lbfgs")):
            for limit in (0.5, 2):  # the second for a machine so busy that half a second is over before the first call
                self.hinge("train", "sequence", "--data", "many.txt", "--model", "m", "-C", 1, "--method", method, "--solver", solver,
                           "--time-limit", limit, "--summary", "s.json")
                summary = json.loads((self.folder / "s.json").read_text())
                self.assertEqual(summary["termination"], "stopped")
                self.assertLess(summary["cpu_seconds"], limit + 1, solver)
                if summary["oracle_calls"] > 0:
                    break
            self.assertGreater(summary["oracle_calls"], 0)
            if summary["primal"] is None:
                self.assertIn("Their objective was not computed.", summary["message"])
            (self.folder / "m").unlink()

    def test_check_ends_at_its_time_limit_and_says_what_it_left_out(self):
        recipes = pathlib.Path(EXAMPLES) / "recipes.test"
        whole = self.hinge("check", "sequence", "--data", recipes)
        self.assertIn("Every property of sequence holds on this data.", whole.stdout)
        self.assertIn("were not compared with enumeration: they have more than 2000 structures", whole.stdout)
        part = self.hinge("check", "sequence", "--data", recipes, "--examples", 200, "--repeats", 1000, "--max-work", 0, "--time-limit", 0.3)
        self.assertIn("but the time limit came when", part.stdout)

    def test_supervised_start_is_part_of_the_summary(self):
        recipes = pathlib.Path(EXAMPLES) / "recipes.train"
        lines = recipes.read_text().splitlines()
        half = len(lines) // 2
        (self.folder / "gaps.txt").write_text(
            "\n".join(lines[:half] + [l.rsplit("\t", 1)[0] + "\t?" if "\t" in l and k % 3 == 0 else l for k, l in enumerate(lines[half:])]) + "\n")
        summaries = {}
        for init in ("supervised", "zero"):
            self.hinge("train", "sequence", "--data", "gaps.txt", "--model", "m", "-C", 1, "--method", "hcrf", "--init", init, "--summary", "s.json")
            summaries[init] = json.loads((self.folder / "s.json").read_text())
        message = summaries["supervised"]["message"]
        found = re.search(r"It began from what complete labels teach, which took (\d+) oracle calls and ([\d.]+) CPU seconds: \S", message)
        self.assertTrue(found, message)
        self.assertGreater(summaries["supervised"]["oracle_calls"], int(found[1]))
        self.assertGreaterEqual(summaries["supervised"]["cpu_seconds"] + 0.01, float(found[2]))
        self.assertNotIn("complete labels teach", summaries["zero"]["message"])

    def test_interrupt_keeps_the_best_so_far(self):
        for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "a signal to terminate")):
            process = self.train_forever()
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
            self.assertIn(f"Stopped by {name}; the best weights so far are kept. Model written to m.", out)
            result = json.loads(self.hinge("evaluate", "m", "--data", "a.svm", "--json").stdout)
            self.assertGreater(result["accuracy"], 0.3)
            self.assertEqual(result["termination"], "stopped")
            (self.folder / "m").unlink()
            (self.folder / "log").unlink()

    def test_second_interrupt_ends_at_once(self):
        """Both signals fall into one call of the oracle: a sequence of 200,000 tokens and 150 labels takes it seconds."""
        source = random.Random(1)
        with open(self.folder / "long.txt", "w") as out:
            for _ in range(200000):
                out.write(f"w{source.randrange(9)} L{source.randrange(150)}\n")
        (self.folder / "m").write_text("old")
        process = self.train_forever(task="sequence", data="long.txt")
        process.send_signal(signal.SIGINT)
        while signals(process.pid, "SigCgt") & bit(signal.SIGINT):
            time.sleep(0.0005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual([n for n in self.names() if n.startswith("m")], ["m"])
        self.assertEqual((self.folder / "m").read_text(), "old")

    def test_signals_end_the_program_again_once_files_are_staged(self):
        """Nobody reads the last sentence: the program waits for its reader, and SIGTERM ends it."""
        (self.folder / "m").write_text("old")
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)
        process = subprocess.Popen([HINGE, "train", "multiclass", "--data", "a.svm", "--model", "m"], cwd=self.folder, stdout=writer,
                                   stderr=subprocess.PIPE, text=True)
        while "converged" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        deadline = time.monotonic() + 60
        while (signals(process.pid, "SigCgt") | signals(process.pid, "SigIgn")) & bit(signal.SIGTERM):
            self.assertLess(time.monotonic(), deadline, "SIGTERM is never given back")
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual((self.folder / "m").read_text(), "old")
        os.close(reader)
        os.close(writer)

    def test_outputs_appear_together_or_not_at_all(self):
        """Each output in turn cannot be written; neither the others nor the old files change."""
        for name in ("m", "s", "l"):
            (self.folder / name).write_text("old")
        before = {n: (self.folder / n).read_bytes() for n in self.names()}
        outputs = {"--model": "m", "--summary": "s", "--log": "l"}
        (self.folder / "folder").mkdir()
        for flag in outputs:
            for bad in ("/dev/full", "folder", "none/file"):
                arguments = [w for f, n in outputs.items() for w in (f, bad if f == flag else n)]
                done = self.hinge("train", "multiclass", "--data", "a.svm", *arguments, code=2)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr.split("\n")[-2], rf"^hinge: {bad}: .*\.$")
                self.assertEqual({n: (self.folder / n).read_bytes() for n in self.names() if n != "folder"}, before, (flag, bad))
        with open("/dev/full", "w") as full:
            done = subprocess.run([HINGE, "train", "multiclass", "--data", "a.svm", "--model", "m", "--summary", "s", "--log", "l"],
                                  cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("hinge: standard output: cannot be written", done.stderr)
        self.assertEqual({n: (self.folder / n).read_bytes() for n in self.names() if n != "folder"}, before)
        self.hinge("train", "multiclass", "--data", "a.svm", "--model", "m", "--summary", "s", "--log", "l")
        self.assertTrue(all((self.folder / n).read_bytes() != b"old" for n in "msl"))

    def test_an_unwritable_folder_leaves_everything(self):
        """As another user where the tests run as root, to whom every folder is writable."""
        closed = self.folder / "closed"
        closed.mkdir()
        self.folder.chmod(0o777)
        closed.chmod(0o555)
        drop = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        done = subprocess.run([HINGE, "train", "multiclass", "--data", "a.svm", "--model", "m", "--summary", "closed/s"], cwd=self.folder,
                              capture_output=True, text=True, **drop)
        self.assertEqual(done.returncode, 2)
        self.assertIn("hinge: closed/s: cannot be created (Permission denied)", done.stderr)
        self.assertNotIn("m", self.names())

    def test_a_model_keeps_its_permissions(self):
        for mode in (0o600, 0o640, 0o664):
            self.train("m")
            (self.folder / "m").chmod(mode)
            self.train("m")
            self.assertEqual((self.folder / "m").stat().st_mode & 0o777, mode)

    def test_json_nested_too_deep_is_one_sentence(self):
        deep = "[" * 100000 + "]" * 100000
        (self.folder / "deep").write_text('{"labels":[0,1],"edges":[[0,1]]}\n' + deep + "\n")
        (self.folder / "good").write_text('{"labels":[0,1],"edges":[[0,1]]}\n')
        (self.folder / "log").write_text('{"passes":1}\n{"passes":' + deep + "}\n")
        self.hinge("train", "graph", "--data", "good", "--model", "g", "--quiet")
        for command in (["train", "graph", "--model", "x"], ["train", "cluster", "--model", "x"], ["predict", "g"], ["evaluate", "g"]):
            told = self.hinge(*command, "--data", "deep", code=2).stderr.split("\n")
            self.assertRegex("\n".join(t for t in told if t.startswith("hinge: ")), r"^hinge: deep:[12]: [^\n]+\.$")
        told = self.hinge("plot", "--data", "log", code=2).stderr
        self.assertEqual(told, "hinge: log:2: is JSON nested more than 100 deep: write one flat object a line.\n")

    def test_live_line_on_a_terminal(self):
        try:
            leader, follower = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had here: {error}")
        process = subprocess.Popen([HINGE, "train", "multiclass", "--data", "a.svm", "--model", "m", "--gap", "1e-5"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=follower)
        os.close(follower)
        seen = b""
        try:
            while chunk := os.read(leader, 4096):
                seen += chunk
        except OSError:  # the other end is closed
            pass
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(seen, rb"\r +[0-9.]+ passes(  [a-z]+ ~?[-0-9.e+]+)+  [0-9.]+ s")
        self.assertIn(b"\x1b[K", seen)

    def test_quiet_is_silent(self):
        done = self.hinge("train", "multiclass", "--data", "a.svm", "--model", "m", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_cross_validate(self):
        arguments = ["cross-validate", "multiclass", "--data", "a.svm", "--C", "0.01,1", "--folds", 4, "--json"]
        one = json.loads(self.hinge(*arguments).stdout)
        two = json.loads(self.hinge(*arguments, "--threads", 2).stdout)
        self.assertEqual(one["path"], two["path"])
        self.assertEqual([row["C"] for row in one["path"]], [0.01, 1])
        for row in one["path"]:
            values = row["metrics"]["loss"]["folds"]
            mean = sum(values) / 4
            error = (sum((v - mean) ** 2 for v in values) / 3 / 4) ** 0.5
            self.assertEqual(len(values), 4)
            self.assertAlmostEqual(row["metrics"]["loss"]["mean"], mean, delta=1e-12)
            self.assertAlmostEqual(row["metrics"]["loss"]["standard_error"], error, delta=1e-12)
        best = min(one["path"], key=lambda row: row["metrics"]["loss"]["mean"])
        self.assertEqual(one["best_C"], best["C"])
        other = json.loads(self.hinge(*arguments, "--seed", 2).stdout)
        self.assertNotEqual(one["path"], other["path"])

    def test_a_fold_without_one_class(self):
        (self.folder / "a.svm").write_text("red 1:1\nred 1:1.1\nred 1:0.9\ngreen 2:1\ngreen 2:1.1\nblue 3:1\n")
        self.hinge("cross-validate", "multiclass", "--data", "a.svm", "--C", "1", "--folds", 6)

    def test_a_model_cut_anywhere_is_refused(self):
        self.train("m")
        whole = (self.folder / "m").read_bytes()
        for size in range(0, len(whole), 64):
            (self.folder / "cut").write_bytes(whole[:size])
            told = self.hinge("evaluate", "cut", "--data", "a.svm", code=2).stderr
            self.assertRegex(told, r"^hinge: cut: [^\n]+\.\n$")

    def test_an_altered_model_is_refused(self):
        self.train("m")
        whole = (self.folder / "m").read_bytes()
        source = random.Random(1)
        for _ in range(50):
            at = source.randrange(len(whole))
            altered = bytes([whole[at] ^ source.randrange(1, 256)])
            (self.folder / "altered").write_bytes(whole[:at] + altered + whole[at + 1 :])
            told = self.hinge("evaluate", "altered", "--data", "a.svm", code=2).stderr
            self.assertRegex(told, r"^hinge: altered: [^\n]+\.\n$", f"byte {at}")

    def test_numpy_and_safetensors_open_a_model(self):
        """By the rules of safetensors' own documentation, and by its package where there is one."""
        _, weights = self.train("m")
        python = next((p for p in (sys.executable, "/usr/bin/python3") if has_numpy(p)), None)
        self.assertIsNotNone(python, "no numpy here: run scripts/packages test")
        script = pathlib.Path(__file__).parent / "open_with_numpy.py"
        done = subprocess.run([python, script, self.folder / "m"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(bytes.fromhex(done.stdout), weights.tobytes())


if __name__ == "__main__":
    HINGE, EXAMPLES = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)  # tests/skipped.py reads which were skipped
