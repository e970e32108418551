"""Cross-validation is training on the rest and evaluating on the fold: the same numbers to the last bit, for every task and format.

folds_test.py HINGE EXAMPLES [unittest arguments]

The data has what tempts a fold to look at what is held out: words, labels and largest values that occur once.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HINGE = EXAMPLES = None  # set by main
WORD = 2**64 - 1
PAIRS = ["--comparators", "equal:text", "values:text", "distance:sentence"]


def folds(n, count, seed):
    """The fold of each example: a shuffle by xoshiro256++, which splitmix64 seeds, dealt out in turn."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & WORD
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        state.append(z ^ (z >> 31))

    def rotated(x, k):
        return ((x << k) | (x >> (64 - k))) & WORD

    def below(bound):
        a, b, c, d = state
        result = (rotated((a + d) & WORD, 23) + a) & WORD
        c ^= a
        d ^= b
        state[:] = [a ^ d, b ^ c, c ^ ((b << 17) & WORD), rotated(d, 45)]
        return result * bound >> 64

    order = list(range(n))
    for i in range(n, 1, -1):
        j = below(i)
        order[i - 1], order[j] = order[j], order[i - 1]
    fold = [0] * n
    for k, example in enumerate(order):
        fold[example] = k % count
    return fold


def rows(source, n=24):
    """svmlight rows; the class `rare` and the feature 90 + i occur once."""
    text = []
    for i in range(n):
        label = "rare" if i == 7 else source.choice("abc")
        shift = ord(label[0]) % 5
        text.append(f"{label} {' '.join(f'{j}:{source.gauss(shift * (j == shift), 1):.3f}' for j in range(1, 5))} {90 + i}:1\n")
    return text


def tagged(source, n=18):
    words = {"N": ["dog", "cat", "tree"], "V": ["runs", "sees", "is"], "D": ["the", "a"]}
    sentences = []
    for i in range(n):
        tags = [source.choice("NVD") for _ in range(source.randrange(2, 6))]
        if i == 5:
            tags[-1] = "X"
        sentences.append([(source.choice(words.get(tag, ["zzz"])) if source.random() < 0.8 else f"w{source.randrange(40)}", tag) for tag in tags])
    return sentences


def conll(source):
    return [(f"# sentence {i}\n" if i % 3 == 0 else "") + "".join(f"{w} {t}\n" for w, t in s) + "\n" for i, s in enumerate(tagged(source))]


def crfsuite(source):
    return [(f"@weight:{1 + i % 2}\n") + "".join(f"{t}\tw={w}\tlength:{len(w)}\n" for w, t in s) + "\n" for i, s in enumerate(tagged(source))]


def svmhmm(source):
    return ["".join(f"{t} qid:{i} {1 + len(w)}:1 {10 + ord(w[0])}:0.5\n" for w, t in s) for i, s in enumerate(tagged(source))]


def letters(source):
    words = []
    for i in range(14):
        text = ""
        length = source.randrange(2, 4)
        for k in range(length):
            letter = source.choice("ab") if i != 3 else "q"
            pixels = "\t".join("1" if source.random() < (0.6 if (p < 64) == (letter == "a") else 0.2) and p < 100 + i else "0" for p in range(128))
            text += f"{10 * i + k}\t{letter}\t{-1 if k == length - 1 else 10 * i + k + 1}\t{i}\t{k}\t{i % 2}\t{pixels}\n"
        words.append(text)
    return words


def graph(source, i, hide=0.0):
    n = source.randrange(3, 6)
    labels = [source.choice("pq") for _ in range(n)]
    features = [[(3.0 if label == "p" else 1.0) * source.random() * (9 if i == 2 else 1), source.random()] for label in labels]
    shown = [None if source.random() < hide and k > 0 else label for k, label in enumerate(labels)]
    return {"features": features, "labels": shown, "edges": [[k, k + 1] for k in range(n - 1)],
            "edge_features": [{f"e{source.randrange(20)}": source.random()} for _ in range(n - 1)]}


def jsonl(source, hide=0.0):
    return [json.dumps(graph(source, i, hide)) + "\n" for i in range(14)]


def msrc(source):
    records = []
    for i in range(12):
        g = graph(source, i)
        text = f"I picture{i} 4 4 {len(g['labels'])} {len(g['edges'])}\n"
        text += "".join(f"{'pq'.index(y)} 1:{x[0]} 2:{x[1]} {5 + i}:1\n" for y, x in zip(g["labels"], g["features"]))
        records.append(text + "".join(f"{a} {b} {source.random():.3f}\n" for a, b in g["edges"]))
    return records


def snakes(source):
    records = []
    for i in range(8):
        labels = [[source.randrange(2) for _ in range(3)] for _ in range(2)]
        colours = "\n".join(" ".join(f"{200 * y},0,{i if source.random() < 0.2 else 0}" for y in row) for row in labels)
        records.append(f"train 2 3 3 2 3\n{colours}\n" + "\n".join(" ".join(map(str, row)) for row in labels) + "\n")
    return records


def frames(source):
    records = []
    for i in range(16):
        label = source.choice(["up", "down"])
        length = source.randrange(2, 5)
        slope = 1 if label == "up" else -1
        rows = "".join(f"{slope * t + source.gauss(0, 0.5) + (20 if i == 4 else 0):.3f} {source.gauss(0, 3):.3f}\n" for t in range(length))
        records.append(f"{'train' if i % 3 else 'test'} {label if i != 9 else 'still'} {length}\n{rows}")
    return records


def ranked(source):
    return ["".join(f"{(g := source.randrange(3))} qid:{i} 1:{g + source.gauss(0, 1):.3f} 2:{source.random():.3f} {20 + i}:1\n" for _ in range(4))
            for i in range(12)]


def sequences(source, motif):
    letters = [source.choice("ACGT") for _ in range(20)]
    if motif:
        at = source.randrange(14)
        letters[at:at + 4] = "TGAC"
    return "".join(letters)


def sites(source):
    return [f"s{i}:{1 if i % 2 else -1}:{source.randrange(2)}:{sequences(source, i % 2)}\n" for i in range(16)]


def stories(source):
    records = []
    for i in range(12):
        names = [source.choice(["Ann", "Bob", "she", "he", f"Zed{i}"]) for _ in range(source.randrange(3, 6))]
        groups = {}
        for k, name in enumerate(names):
            groups.setdefault({"she": "Ann", "he": "Bob"}.get(name, name), []).append(k)
        items = [{"text": name, "sentence": k // 2} for k, name in enumerate(names)]
        records.append(json.dumps({"items": items, "clusters": list(groups.values())}) + "\n")
    return records


def documents(source):
    records = []
    for i in range(8):
        lines = []
        for k in range(4):
            name = source.choice(["Ida", "Jon"])
            lines += [f"d{i} 0 0 {name} ({'01'['IJ'.index(name[0])]})\n", f"d{i} 0 1 {source.choice(['saw', 'met'])} -\n", "\n"]
        records.append(f"#begin document (d{i}); part 000\n{''.join(lines)}#end document\n")
    return records


def numbers(row):
    """What was measured; texts name files."""
    return {name: value for name, value in row["validation"].items() if isinstance(value, (int, float))}


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="hinge-folds-")
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def hinge(self, *arguments, code=0, text=None):
        done = subprocess.run([HINGE, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, input=text, timeout=300)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, records):
        (self.folder / name).write_text("".join(records))
        return ["--data", name]


class CrossValidation(Case):
    def law(self, task, records, *flags, put=None, reading=(), C=(0.7, 11), count=3, seed=5, validation=True, text=None):
        """put(name, records) writes some of them and returns the flags that name them; `reading`: flags that only reading takes.
        `text`: the records as they come by standard input."""
        put = put or self.write
        n = len(records)
        common = [*flags, "--gap", 0.05, "--seed", seed, "--quiet"]
        data = ["--data", "-"] if text else put("all", records)
        crossed = [f.replace("--folds", "--sequence-folds") for f in reading]
        result = json.loads(self.hinge("cross-validate", task, *data, *common, *crossed, "--C", ",".join(map(str, C)), "--folds", count, "--json", text=text).stdout)
        self.assertEqual((result["n"], [row["C"] for row in result["path"]]), (n, list(C)))
        fold = folds(n, count, seed)
        self.assertEqual({len(values["folds"]) for row in result["path"] for values in row["metrics"].values()}, {count})
        for k in range(count):
            rest = put(f"rest{k}", [r for r, f in zip(records, fold) if f != k])
            part = put(f"part{k}", [r for r, f in zip(records, fold) if f == k])
            scaled = [c * (sum(f != k for f in fold) / n) for c in C]
            self.hinge("train", task, *rest, *common, *reading, "-C", repr(scaled[0]), "--model", "m")
            metrics = json.loads(self.hinge("evaluate", "m", *part, *reading, "--json").stdout)
            for name, values in result["path"][0]["metrics"].items():
                self.assertEqual(values["folds"][k], metrics[name], f"{name} of fold {k}")
            if not validation:
                continue
            self.hinge("train", task, *rest, *common, *reading, "-C", ",".join(map(repr, scaled)), "--model", "m", "--validation", f"part{k}", "--summary", "s")
            path = json.loads((self.folder / "s").read_text())["path"]
            for ours, theirs in zip(result["path"], path):
                for name, values in ours["metrics"].items():
                    self.assertEqual(values["folds"][k], theirs["validation"][name], f"{name} of fold {k}, C = {ours['C']}")

    def test_multiclass(self):
        for method in ("ssvm", "crf"):
            self.law("multiclass", rows(random.Random(1)), "--method", method, "--class-weights", "balanced")

    def test_multiclass_from_standard_input(self):
        records = rows(random.Random(2))
        self.law("multiclass", records, text="".join(records), count=4)

    def test_sequence_of_columns(self):
        for flags in (["--features", "observed", "--method", "crf"], ["--order", 2], ["--bias", 0.5, "--loss", "normalised"]):
            self.law("sequence", conll(random.Random(3)), *flags)

    def test_sequence_with_hidden_states(self):
        self.law("sequence", conll(random.Random(4)), "--states", 2, "--method", "lssvm", "--max-passes", 20, C=(3, 11))

    def test_sequence_of_other_formats(self):
        for name, make in (("crfsuite", crfsuite), ("svmhmm", svmhmm)):
            self.law("sequence", make(random.Random(5)), "--format", name, "--features", "observed")

    def test_letters_of_some_folds(self):
        def put(name, records):
            other = [line for line in letters(random.Random(7)) if line.split("\t")[5] == "1"]
            return self.write(name, [r for pair in zip(records, other) for r in pair] + records[len(other):])
        records = [word for word in letters(random.Random(6)) if word.split("\t")[5] == "0"]
        self.law("sequence", records, "--format", "letter", put=put, reading=["--folds", "0"], validation=False)

    def test_graph(self):
        self.law("graph", jsonl(random.Random(8)), "--scale", "--bias", 1)
        for unlabelled in ("class", "drop", "hidden"):
            flags = ["--method", "lssvm"] if unlabelled == "hidden" else []
            self.law("graph", jsonl(random.Random(9), hide=0.3), "--unlabelled-nodes", unlabelled, "--scale", *flags, C=(2, 11))

    def test_graph_of_other_formats(self):
        self.law("graph", msrc(random.Random(10)), "--format", "msrc", "--scale", "--bias", 1)
        self.law("graph", snakes(random.Random(11)), "--format", "snakes", "--neighbours", 4, count=2)

    def test_pictures(self):
        def put(name, records):
            files = []
            for k, (picture, labels) in enumerate(records):
                for suffix, text in (("", picture), (".labels", labels)):
                    files.append(f"{name}-{k}{suffix}.pgm")
                    (self.folder / files[-1]).write_text(text)
            return ["--data", *files]
        source, records = random.Random(12), []
        for i in range(6):
            labels = [source.randrange(2) for _ in range(6)]
            picture = " ".join(str(100 * y + source.randrange(90)) for y in labels)
            records.append((f"P2\n3 2\n255\n{picture}\n", f"P2\n3 2\n255\n{' '.join(map(str, labels))}\n"))
        self.law("graph", records, "--format", "image", "--pixels", "colours", put=put, count=2, validation=False)

    def test_sequence_class(self):
        self.law("sequence-class", frames(random.Random(13)), "--method", "hcrf", "--states", 2, "--max-passes", 20)

    def test_sequence_class_of_one_split(self):
        records = [r for r in frames(random.Random(14)) if r.startswith("train")]

        def put(name, chosen):
            other = [r for r in frames(random.Random(15)) if r.startswith("test")]
            return self.write(name, [r for pair in zip(chosen, other) for r in pair] + chosen[len(other):])
        self.law("sequence-class", records, "--method", "lssvm", "--states", 2, "--max-passes", 20, put=put, reading=["--split", "train"],
                 validation=False)

    def test_rank(self):
        self.law("rank", ranked(random.Random(16)), "--loss", "pairs")
        self.law("rank", ranked(random.Random(16)), "--loss", "relevance", "--method", "crf")

    def test_motif(self):
        flags = ["--length", 4, "--background-order", 0, "--method", "lssvm"]
        self.law("motif", sites(random.Random(17)), *flags, "--negative-weight", 2, "--background-weight", 0.5)

        def put(name, records):
            named = []
            for kind in ("positive", "negative"):
                chosen = [sequence for label, sequence in records if label == kind]
                (self.folder / f"{name}.{kind}").write_text("".join(f">x{k}\n{s}\n" for k, s in enumerate(chosen)))
                named += [f"--{kind}", f"{name}.{kind}"] if chosen else []
            return named
        source = random.Random(18)
        records = [("positive", sequences(source, True)) for _ in range(9)] + [("negative", sequences(source, False)) for _ in range(8)]
        self.law("motif", records, *flags, put=put, validation=False)

    def test_cluster(self):
        self.law("cluster", stories(random.Random(19)), *PAIRS)
        self.law("cluster", documents(random.Random(20)), "--structure", "antecedents", "--method", "hcrf", count=2)

    def test_data_in_several_files(self):
        def put(name, records):
            at = max(1, len(records) // 3)
            self.write(f"{name}.1", records[:at])
            self.write(f"{name}.2", records[at:])
            return ["--data", f"{name}.1", f"{name}.2"]
        self.law("multiclass", rows(random.Random(21)), put=put, validation=False)
        self.law("rank", ranked(random.Random(22)), put=put, validation=False)
        self.law("cluster", stories(random.Random(23)), *PAIRS, put=put, validation=False)

    def test_carries_weights_over_to_every_fold(self):
        records = conll(random.Random(24))
        self.write("other", conll(random.Random(25)))
        self.hinge("train", "sequence", "--data", "other", "--model", "first", "--method", "crf", "--quiet", "--features", "observed")
        self.law("sequence", records, "--init", "first", "--method", "crf", "--max-passes", 3)

    def test_lengths_of_motifs_by_standard_input(self):
        records = sites(random.Random(26))
        arguments = ["--length", "3,4", "--background-order", 0, "--method", "lssvm", "--folds", 2, "--C", 1, "--gap", 0.05, "--json", "--quiet"]
        self.write("all", records)
        by_file = self.hinge("cross-validate", "motif", "--data", "all", *arguments).stdout
        by_pipe = self.hinge("cross-validate", "motif", "--data", "-", *arguments, text="".join(records)).stdout
        self.assertEqual(by_file, by_pipe)

    def test_a_fold_that_cannot_be_learned_from_is_named(self):
        self.write("all", ["a 1:1\n", "a 1:2\n", "a 1:3\n", "b 1:4\n"])
        error = self.hinge("cross-validate", "multiclass", "--data", "all", "--folds", 4, "--C", 1, "--quiet", code=2).stderr
        self.assertRegex(error, r"^hinge: with fold \d of 4 held out: every label is 'a'.* Other --folds or another --seed may do\.\n$")


class ChosenC(Case):
    """-C auto is the same path on a tenth held out, and then training at the C it chose."""

    def auto(self, task, records, *flags, seed=3, share=None):
        n = len(records)
        self.write("all", records)
        common = [*flags, "--gap", 0.05, "--seed", seed, "--quiet"]
        self.hinge("train", task, "--data", "all", *common, "-C", "auto", "--model", "auto", "--summary", "auto.json")
        chosen = json.loads((self.folder / "auto.json").read_text())
        fold = folds(n, min(n, 10), seed)
        rest = self.write("rest", [r for r, f in zip(records, fold) if f != 0])
        self.write("part", [r for r, f in zip(records, fold) if f == 0])
        share = share or sum(f != 0 for f in fold) / n
        self.assertEqual(chosen["held_out"], sum(f == 0 for f in fold))
        tried = [row["C"] for row in chosen["path"]]
        self.hinge("train", task, *rest, *common, "-C", ",".join(repr(c * share) for c in tried), "--model", "m", "--validation", "part", "--summary", "s")
        path = json.loads((self.folder / "s").read_text())["path"]
        self.assertEqual([numbers(row) for row in chosen["path"]], [numbers(row) for row in path])
        best = chosen["path"][0]
        cut = [before["termination"] == "converged" != row["termination"] for before, row in zip(chosen["path"], chosen["path"][1:])]
        self.assertNotIn(True, cut[:-1])
        cut = cut[-1:] == [True]  # the last one did not reach the solver's goal
        for row in chosen["path"][1:len(tried) - cut]:
            loss, lowest = row["validation"]["loss"], best["validation"]["loss"]
            if loss < 0.99 * lowest if row["C"] > 100 * tried[0] else loss <= lowest:
                best = row
        self.assertEqual(chosen["C"], best["C"])
        self.hinge("train", task, "--data", "all", *common, "-C", repr(chosen["C"]), "--model", "alone", "--summary", "alone.json")
        alone = json.loads((self.folder / "alone.json").read_text())
        self.assertEqual((alone["primal"], alone["dual"]), (chosen["primal"], chosen["dual"]))
        self.assertEqual(chosen["oracle_calls"], alone["oracle_calls"] + sum(row["oracle_calls"] for row in chosen["path"]))
        if cut:
            return
        lowest = best["validation"]["loss"]
        ends = [row["C"] > best["C"] and row["validation"]["loss"] >= 0.99 * lowest for row in chosen["path"][-2:]]
        self.assertTrue(len(tried) == 14 or all(ends), [(row["C"], row["validation"]["loss"]) for row in chosen["path"]])
        self.assertTrue(tried[-1] >= 100 * tried[0] or chosen["path"][-1]["validation"]["loss"] > 1.1 * lowest)

    def test_auto(self):
        self.auto("multiclass", rows(random.Random(27), 60))
        self.auto("sequence", conll(random.Random(28)), "--method", "crf", "--features", "observed")
        self.auto("graph", jsonl(random.Random(29)), "--scale")
        self.auto("sequence-class", frames(random.Random(30)), "--method", "hcrf", "--states", 2, "--max-passes", 20)
        self.auto("rank", ranked(random.Random(31)))
        self.auto("motif", sites(random.Random(32)), "--length", 4, "--background-order", 0, "--method", "lssvm")
        self.auto("cluster", stories(random.Random(33)), *PAIRS)
        self.auto("binary", [row.replace("rare", "a").replace("c ", "b ") for row in rows(random.Random(38), 60)], "--measure", "error", share=1)  # C weighs each row

    def test_auto_by_a_file(self):
        records = rows(random.Random(34), 40)
        self.write("all", records[:30])
        self.write("part", records[30:])
        common = ["--data", "all", "--validation", "part", "--gap", 0.05, "--quiet", "--select", "accuracy"]
        self.hinge("train", "multiclass", *common, "-C", "auto", "--model", "m", "--summary", "s")
        chosen = json.loads((self.folder / "s").read_text())
        tried = ",".join(repr(row["C"]) for row in chosen["path"])
        self.hinge("train", "multiclass", *common, "-C", tried, "--model", "m", "--summary", "t")
        named = json.loads((self.folder / "t").read_text())
        self.assertEqual((chosen["C"], chosen["primal"]), (named["C"], named["primal"]))
        self.assertNotIn("held_out", chosen)

    def test_auto_keeps_the_time_limit(self):
        source = random.Random(35)
        self.write("all", [f"{source.choice('abcdefgh')} " + " ".join(f"{j}:{source.random():.3f}" for j in range(1, 200)) + "\n" for _ in range(1500)])
        done = self.hinge("train", "multiclass", "--data", "all", "-C", "auto", "--gap", 1e-12, "--time-limit", 2, "--model", "m", "--summary", "s")
        summary = json.loads((self.folder / "s").read_text())
        self.assertIn("Half of the time limit", done.stderr)
        self.assertLess(summary["seconds"], 10)

    def test_auto_with_what_contradicts_it(self):
        self.write("all", rows(random.Random(36)))
        refused = lambda *a: self.hinge(*a, "--data", "all", code=2).stderr
        self.assertIn("auto", refused("cross-validate", "multiclass", "-C", "auto"))
        self.assertIn("give it alone", refused("train", "multiclass", "--model", "m", "-C", "1,auto"))
        self.write("one", ["a 1:1\n", "b 1:1\n"])
        error = self.hinge("train", "multiclass", "--data", "one", "--model", "m", "-C", "auto", code=2).stderr
        self.assertIn("with a tenth held out to choose C", error)
        self.assertFalse((self.folder / "m").exists())


def main():
    global HINGE, EXAMPLES
    HINGE, EXAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])


if __name__ == "__main__":
    main()
