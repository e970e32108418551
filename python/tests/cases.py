"""One small problem for each estimator."""

import numpy as np

import hinge


def _graphs(rng):
    X, y = [], []
    for _ in range(8):
        n = int(rng.integers(3, 7))
        labels = rng.integers(0, 2, n)
        X.append((np.c_[labels + 0.5 * rng.normal(size=n), np.ones(n)], np.array([[i, i + 1] for i in range(n - 1)])))
        y.append(labels.tolist())
    return X, y


def _letters(rng):
    X, y = [], []
    for i in range(24):
        letters = "".join(rng.choice(list("ACGT"), 20))
        X.append(letters[:6] + "TTGACA" + letters[12:] if i % 2 else letters)
        y.append(i % 2)
    return X, y


def _documents(rng):
    X, y = [], []
    for _ in range(8):
        clusters = rng.integers(0, 2, 4)
        same = [float(clusters[i] == clusters[j]) for j in range(4) for i in range(j)]
        X.append({"pairs": np.c_[np.array(same) + 0.3 * rng.normal(size=6), np.ones(6)], "n": 4})
        y.append(clusters.tolist())
    return X, y


def _sentences(rng):
    from conftest import sentences

    return sentences(rng, 12)


def _rows(rng):
    X = rng.normal(size=(30, 4))
    return X, np.array(["ant", "bee", "cow"])[np.argmax(X[:, :3], axis=1)]


def _two(rng):
    X = rng.normal(size=(30, 4))
    return X, np.where(X[:, 0] + 0.2 * rng.normal(size=30) > 0, "yes", "no")


def _sets(rng):
    X = rng.normal(size=(30, 4))
    return X, (X[:, :3] > 0).astype(int)


def _paths(rng):
    X, y = _rows(rng)
    return X, np.array(["insect/" + label if label != "cow" else "mammal/cow" for label in y])


def _grades(rng):
    X = rng.normal(size=(30, 3))
    return X, np.clip(np.round(X[:, 0] + 1), 0, 3)


def _frames(rng):
    y = ["up" if i % 2 else "down" for i in range(12)]
    sign = {"up": 1, "down": -1}
    return [rng.normal(size=(int(rng.integers(3, 6)), 2)) + sign[label] for label in y], y


def _trees(rng):
    trees = []
    phrase = lambda: "(NP (DT {}) (NN {}))".format(rng.choice(["the", "a"]), rng.choice(["dog", "bird", "pond"]))
    for _ in range(14):
        inside, where = rng.random() < 0.5, phrase()
        near, of = f" (PP (IN near) {phrase()})", f"(NP {where} (PP (IN of) {phrase()}))"
        trees.append(f"(ROOT (S {phrase()} (VP (VBZ sees) {of if inside else where + near}) (. .)))")
    return trees, trees


def _aligned(rng):
    X, y = [], []
    for _ in range(8):
        rows = [[], []]
        for letter in rng.choice(list("ACGT"), 12):
            other = rng.choice(list("ACGT")) if rng.random() < 0.1 else letter
            lost = rng.random()
            rows[0].append("-" if lost < 0.08 else letter)
            rows[1].append("-" if lost > 0.92 else other)
        rows = tuple("".join(row) for row in rows)
        X.append(tuple(row.replace("-", "") for row in rows))
        y.append(rows)
    return X, y


def _folds(rng):
    X, y = [], []
    for _ in range(8):
        stem = "".join(rng.choice(list("GC"), 4))
        closing = stem[::-1].translate(str.maketrans("GC", "CG"))
        tail = "A" * int(rng.integers(0, 4))
        X.append(tail + stem + "AAAA" + closing + "A")
        y.append("." * len(tail) + "((((....))))" + ".")
    return X, y


CASES = {
    "SequenceTagger": (lambda: hinge.SequenceTagger(method="crf"), _sentences),
    "SequenceClassifier": (lambda: hinge.SequenceClassifier(method="hcrf", states=2), _frames),
    "MulticlassClassifier": (lambda: hinge.MulticlassClassifier(), _rows),
    "GraphLabeller": (lambda: hinge.GraphLabeller(method="crf"), _graphs),
    "Ranker": (lambda: hinge.Ranker(), _grades),
    "Clusterer": (lambda: hinge.Clusterer(), _documents),
    "MotifFinder": (lambda: hinge.MotifFinder(length=6, background_order=0), _letters),
    "MultilabelClassifier": (lambda: hinge.MultilabelClassifier(), _sets),
    "TaxonomyClassifier": (lambda: hinge.TaxonomyClassifier(), _paths),
    "BinaryClassifier": (lambda: hinge.BinaryClassifier(), _two),
    "TreeParser": (lambda: hinge.TreeParser(), _trees),
    "SequenceAligner": (lambda: hinge.SequenceAligner(alphabet="dna"), _aligned),
    "RnaFolder": (lambda: hinge.RnaFolder(features="stacks"), _folds),
}


def case(name, seed=3):
    make, data = CASES[name]
    X, y = data(np.random.default_rng(seed))
    return make(), X, y


def same(a, b):
    """Whether two predictions are the same, to the last bit."""
    return len(a) == len(b) and all(np.array_equal(np.asarray(x), np.asarray(y)) for x, y in zip(a, b))
