"""Tasks in NumPy over each engine that they may have: the contract by enumeration, learning, and what is refused."""

import numpy as np
import pytest
from test_task import Machine, chains

import hinge

NGRAMS = [(0, 1, 2), (1, 1, 1), (2, 0, 1, 0)]


class Steps(Machine):
    """A chain whose pairs are scored by what stands between, x[t] - x[t + 1]."""

    engine = "steps"

    def __init__(self, features, labels):
        super().__init__(features, labels)
        self.dimension = features * labels + features * labels * labels

    def score(self, x, w):
        n = self.d * self.k
        return {"unary": x @ w[:n].reshape(self.d, self.k),
                "pairwise": ((x[:-1] - x[1:]) @ w[n:].reshape(self.d, -1)).reshape(-1, self.k, self.k)}

    def features(self, x, counts):
        pairs = (x[:-1] - x[1:]).T @ counts.pairwise.reshape(len(x) - 1, -1)
        return np.concatenate([(x.T @ counts.unary).ravel(), pairs.ravel()])


class Contexts(Machine):
    engine, ngrams = "context_chain", NGRAMS

    def __init__(self, features, labels):
        super().__init__(features, labels)
        self.dimension += len(NGRAMS)

    def score(self, x, w):
        return {**super().score(x, w[:-3]), "ngrams": w[-3:]}

    def features(self, x, counts):
        return np.r_[super().features(x, counts), counts.ngrams]


class Switches:
    """A loss of pairs: a change that is none, and none that is one."""

    def loss_parts(self, x, y):
        changes = y[:-1] != y[1:]
        tables = np.where(np.eye(self.k, dtype=bool)[None], changes[:, None, None], ~changes[:, None, None])
        return {**super().loss_parts(x, y), "pairwise": 0.5 * tables}


class SwitchingSteps(Switches, Steps):
    pass


class Repeats(Machine):
    """A chain that pays for each two neighbours alike, of labels without such."""

    def loss_parts(self, x, y):
        return {**super().loss_parts(x, y), "pairwise": np.eye(self.k)}


class Spans(hinge.FactoredTask):
    """Binary trees: x[i, j] are the features of a span, y the spans of the tree, -1 where nobody knows."""

    engine = "trees"

    def __init__(self, features):
        self.dimension = features

    def score(self, x, w):
        return {"spans": x @ w}

    def features(self, x, counts):
        return np.einsum("ij,ijf->f", counts.spans, x)

    def loss_parts(self, x, y):
        return {"spans": (y == 0) & np.triu(np.ones(y.shape), 1).astype(bool)}

    def admitted(self, x, y):
        return {"spans": (y != 0) | np.eye(len(y), dtype=bool)}


class Aligner(hinge.FactoredTask):
    """Two rows of numbers: how near they are, and what gaps cost."""

    engine, dimension = "alignment", 4

    def score(self, x, w):
        a, b = x
        match = w[0] - w[1] * abs(a[:, None] - b[None])
        return {"match": match, "first": np.tile(w[2:], (len(a), 1)), "second": np.tile(w[2:], (len(b), 1))}

    def features(self, x, counts):
        a, b = x
        gaps = counts.first.sum(axis=0) + counts.second.sum(axis=0)
        return np.r_[counts.match.sum(), -(counts.match * abs(a[:, None] - b[None])).sum(), gaps]

    @staticmethod
    def known(x, y):
        """Which pairs and gaps there are; y has -2 where nobody knows."""
        a, b = x
        match = (y[:, None] == np.arange(len(b))[None]) | (y[:, None] == -2)
        paired = np.isin(np.arange(len(b)), y)
        return match & ~(paired[None] & (y[:, None] == -2)), (y == -1) | (y == -2), ~paired

    def loss_parts(self, x, y):
        match, first, _ = self.known(x, y)
        return {"match": ~match, "first": np.repeat(~first[:, None], 2, axis=1)}

    def admitted(self, x, y):
        match, first, second = self.known(x, y)
        return {"match": match, "first": np.repeat(first[:, None], 2, axis=1), "second": np.repeat(second[:, None], 2, axis=1)}


class Links(hinge.FactoredTask):
    """Clusters by hidden forests: x[i, j] are the features of a link."""

    engine = "forest"

    def __init__(self, features):
        self.dimension = features

    def score(self, x, w):
        return {"pairs": x @ w}

    def features(self, x, counts):
        return np.einsum("ij,ijf->f", counts.pairs, x)

    def loss_parts(self, x, y):
        return {"pairs": np.where(y[:, None] == y, -1.0, 1.0), "constant": len(y) - len(set(y.tolist()))}

    def admitted(self, x, y):
        return {"pairs": y[:, None] == y}


def tree(rng, n):
    """The spans of a random binary tree."""
    y = np.zeros((n, n), dtype=int)

    def grow(i, j):
        y[i, j] = 1
        if i < j:
            k = int(rng.integers(i, j))
            grow(i, k)
            grow(k + 1, j)

    grow(0, n - 1)
    return y


def tree_data(rng, hide=False, count=8):
    y = [tree(rng, int(rng.integers(2, 6))) for _ in range(count)]
    X = [np.stack([labels + 0.4 * rng.normal(size=labels.shape), np.ones(labels.shape)], axis=2) for labels in y]
    if hide:
        for labels in y:
            n = len(labels)
            labels[np.triu(np.ones((n, n), dtype=bool), 1) & (rng.random((n, n)) < 0.5) & (labels == 0)] = -1
    return X, y


def aligned_data(rng, hide=False, count=8):
    X, y = [], []
    for _ in range(count):
        a = rng.normal(size=int(rng.integers(2, 5)))
        kept = rng.random(len(a)) < 0.8
        kept[0] = True
        b = a[kept] + 0.1 * rng.normal(size=kept.sum())
        X.append((a, b))
        y.append(np.where(kept, np.cumsum(kept) - 1, -1))
        if hide:
            y[-1][1:][rng.random(len(a) - 1) < 0.5] = -2
    return X, y


def link_data(rng, count=8):
    y = [rng.integers(0, 2, int(rng.integers(1, 6))) for _ in range(count)]
    return [np.stack([(labels[:, None] == labels) + 0.3 * rng.normal(size=(len(labels),) * 2) - 0.5, np.ones((len(labels),) * 2)], axis=2)
            for labels in y], y


PROBLEMS = {
    "steps": lambda rng: (Steps(2, 3), *chains(rng)), "hidden steps": lambda rng: (Steps(2, 3), *chains(rng, 0.3)),
    "contexts": lambda rng: (Contexts(2, 3), *chains(rng)), "hidden contexts": lambda rng: (Contexts(2, 3), *chains(rng, 0.3)),
    "losses of steps": lambda rng: (SwitchingSteps(2, 3), *chains(rng)),
    "trees": lambda rng: (Spans(2), *tree_data(rng)), "hidden trees": lambda rng: (Spans(2), *tree_data(rng, True)),
    "alignments": lambda rng: (Aligner(), *aligned_data(rng)), "hidden alignments": lambda rng: (Aligner(), *aligned_data(rng, True)),
    "forests": lambda rng: (Links(2), *link_data(rng)),
}


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_the_contract_holds(name, rng):
    task, X, y = PROBLEMS[name](rng)
    report = hinge.check_task(task, X[:4], y[:4])
    assert report.passed and report.comparisons > 50


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_tasks_learn_by_every_method_that_is_theirs(name, rng):
    task, X, y = PROBLEMS[name](rng)
    hidden = "hidden" in name
    nodes = isinstance(task, Machine)
    for method in (["lssvm"] if name == "forests" else ["lssvm", "hcrf", *["mssvm"] * nodes] if hidden else ["ssvm", "crf", "softmax-margin"]):
        learner = hinge.Learner(task, method=method, C=1.0, gap=1e-2).fit(X, y)
        assert learner.score(X, y) > (-1.6 if "losses" in name else -0.8) and learner.summary_.termination == "converged", method
        again = hinge.Learner(task, method=method, C=1.0, gap=1e-2, n_jobs=3).fit(X, y)
        assert np.array_equal(again.coef_, learner.coef_), "threads change no bit"
    if name != "forests":
        table = learner.predict_proba(X)[0][0]
        assert table.min() > -1e-9 and table.max() < 1 + 1e-9
    found = learner.predict(X)
    if name == "trees":
        assert np.mean([np.array_equal(a, b == 1) for a, b in zip(found, y)]) > 0.7
    elif name == "alignments":
        assert np.mean([np.array_equal(a, b) for a, b in zip(found, y)]) > 0.7
    elif name == "forests":
        assert np.mean([np.array_equal(a[:, None] == a, b[:, None] == b) for a, b in zip(found, y)]) > 0.7


def test_losses_of_pairs_are_counted(rng):
    X, y = chains(rng)
    y = [(np.arange(len(labels)) + labels[0]) % 3 for labels in y]  # no two alike
    assert hinge.check_task(Repeats(2, 3), X[:3], y[:3]).passed
    plain, paying = (hinge.Learner(kind(2, 3), C=1.0).fit(X, y) for kind in (Machine, Repeats))
    assert paying.summary_.primal > plain.summary_.primal
    states = [paying.task.predict(x, paying.coef_) for x in X]
    told = np.mean([(a != b).sum() + (a[1:] == a[:-1]).sum() for a, b in zip(states, y)])
    assert np.isclose(-paying.score(X, y), told)
    with pytest.raises(ValueError, match="slack rescaling counts errors of nodes"):
        hinge.Learner(Repeats(2, 3), rescaling="slack").fit(X, y)


def test_steps_of_one_table_are_a_chain(rng):
    class Same(Machine):
        engine = "steps"

        def features(self, x, counts):
            return np.concatenate([(x.T @ counts.unary).ravel(), counts.pairwise.sum(axis=0).ravel()])

    X, y = chains(rng)
    one, other = (hinge.Learner(kind(2, 3), method="crf", C=1.0, gap=1e-8).fit(X, y) for kind in (Machine, Same))
    assert np.isclose(one.summary_.primal, other.summary_.primal, rtol=1e-7)


X3, Y3 = [np.zeros((3, 2))], [np.array([0, 1, 2])]
TREE = [np.zeros((3, 3, 2))], [np.array([[1, 1, 1], [0, 1, 0], [0, 0, 1]])]


def changed(task, **methods):
    for name, returned in methods.items():
        setattr(task, name, returned if name in ("ngrams", "engine") else lambda *_, returned=returned: returned)
    return task


@pytest.mark.parametrize("task, data, sentence", [
    (changed(Machine(2, 3), engine="rings"), (X3, Y3), "no engine 'rings' for tasks: there are chain, steps"),
    (changed(Steps(2, 3), score={"unary": np.zeros((3, 3)), "pairwise": np.zeros((4, 3, 3))}), (X3, Y3), "or one of these for each step"),
    (changed(Contexts(2, 3), ngrams=[(0, 1)]), (X3, Y3), "an n-gram of the task has 2 labels"),
    (changed(Contexts(2, 3), ngrams=[(0, 1, 5), *NGRAMS[1:]]), (X3, Y3), "labels that are not from 0 to 2"),
    (changed(Contexts(2, 3), ngrams=[(0, 1, 1)] * 2), (X3, Y3), "listed twice"),
    (changed(Contexts(2, 3), ngrams=None), (X3, Y3), "ngrams are no list"),
    (changed(Contexts(2, 3), score={"unary": np.zeros((3, 3)), "ngrams": np.zeros(2)}), (X3, Y3), r"returned 'ngrams' that is not of the shape \(3,\)"),
    (changed(Spans(2), admitted={"spans": np.eye(3)}), TREE, "admitted of example 0: it admits nothing: every tree is excluded"),
    (changed(Spans(2), score={"unary": np.eye(3)}), TREE, "no table 'spans'"),
    (Spans(2), ([np.zeros((1, 1, 2))], [np.ones((1, 1))]), "two words or more"),
    (changed(Links(2), score={"pairs": np.zeros((2, 3))}, admitted={"pairs": np.zeros((2, 3))}, loss_parts={"pairs": np.zeros((2, 3))}), TREE,
     r"give \(items, items\)"),
    (changed(Links(2), loss_parts={"pairs": np.zeros((2, 2)), "constant": np.inf}), ([np.zeros((2, 2, 2))], [np.array([0, 0])]), "no finite number"),
    (changed(Aligner(), score={"match": np.zeros((2, 2)), "first": np.zeros((2, 3))}), ([(np.zeros(2), np.zeros(2))], [np.array([0, 1])]),
     r"returned 'first' that is not of the shape \(2, 2\)"),
])
def test_what_is_wrong_is_named(task, data, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        hinge.Learner(task, method="lssvm").fit(*data)


def test_forests_have_maxima_alone(rng):
    task, X, y = PROBLEMS["forests"](rng)
    with pytest.raises(ValueError, match="forests have maxima alone"):
        hinge.Learner(task, method="hcrf").fit(X, y)
    with pytest.raises(ValueError, match="forests have maxima alone"):
        hinge.Learner(task, method="lssvm").fit(X, y).predict_proba(X)
