"""Labels that are known in part: sets of labels, excluded transitions, unlabelled examples and rules."""

import itertools

import numpy as np
import pytest

import hinge


def enumerated(scores, pairs, admitted):
    """log sum exp over labellings that are admitted, by listing them."""
    total = -np.inf
    for path in itertools.product(range(scores.shape[1]), repeat=len(scores)):
        if all(k in some for k, some in zip(path, admitted)):
            score = sum(scores[t, k] for t, k in enumerate(path)) + sum(pairs[a, b] for a, b in zip(path, path[1:]))
            total = np.logaddexp(total, score)
    return total


def test_a_set_is_the_sum_over_its_labellings(rng):
    """The primal of a CRF on sets is that of the labellings that the sets admit."""
    K, d = 3, 4
    X = [rng.normal(size=(n, d)) for n in (3, 4, 2)]
    y = [[{"a", "b"}, "c", None], ["a", {"b", "c"}, {"c", "a"}, "b"], ["c", "a"]]
    model = hinge.SequenceTagger(method="crf", C=1.0, gap=1e-9, solver="lbfgs").fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    w = model.weights_
    names = model._model.names()
    order = [names.index(label) for label in "abc"]
    emit, pairs = w[: d * K].reshape(d, K)[:, order], w[d * K :].reshape(K, K)[np.ix_(order, order)]
    total = 0.5 * w @ w
    for x, labels in zip(X, y):
        scores = np.asarray(x, dtype=np.float32).astype(float) @ emit
        some = [{"abc".index(l) for l in ("abc" if label is None else label if isinstance(label, set) else {label})}
                for label in labels]
        total += enumerated(scores, pairs, [range(K)] * len(x)) - enumerated(scores, pairs, some)
    assert np.isclose(total, model.summary_.primal, rtol=1e-6)


@pytest.mark.parametrize("method", ["crf", "lssvm", "mssvm", "softmax-margin"])
def test_sets_teach(method, tagged):
    X, y = tagged
    kinds = sorted({label for labels in y for label in labels})
    rng = np.random.default_rng(0)
    some = [[{label, str(rng.choice(kinds))} if rng.random() < 0.5 else label for label in labels] for labels in y]
    model = hinge.SequenceTagger(method=method, C=1.0).fit(X, some)
    assert model.score(X, y) > 0.7
    assert model.evaluate(X, some)["loss"] <= model.evaluate(X, y)["loss"]


def test_sets_of_one_and_of_all_are_a_label_and_none(tagged):
    X, y = tagged
    kinds = {label for labels in y for label in labels}
    by_set = [[{label} if t % 2 else kinds for t, label in enumerate(labels)] for labels in y]
    plain = [[label if t % 2 else None for t, label in enumerate(labels)] for labels in y]
    models = [hinge.SequenceTagger(method="crf", classes=sorted(kinds), gap=1e-9).fit(X, labels) for labels in (by_set, plain)]
    assert np.isclose(models[0].summary_.primal, models[1].summary_.primal, rtol=1e-6)


def test_given_sets_keep_predictions_in_them(tagged):
    X, y = tagged
    model = hinge.SequenceTagger(method="crf").fit(X, y)
    given = [[{"NOUN", "VERB"}, *[None] * (len(labels) - 1)] for labels in y]
    assert all(labels[0] in ("NOUN", "VERB") for labels in model.predict(X, given=given))
    det = model.classes_.tolist().index("DET")
    assert all(p[0, det] == 0 and np.isclose(p.sum(1), 1).all() for p in model.predict_proba(X, given=given))


def test_classes_known_in_part(rows):
    X, y = rows
    rng = np.random.default_rng(1)
    some = [{label, str(rng.choice(["ant", "bee", "cow"]))} if i % 2 else label for i, label in enumerate(y)]
    for method in ("crf", "lssvm"):
        model = hinge.MulticlassClassifier(method=method, C=1.0, gap=1e-8).fit(X, some)
        assert np.mean(model.predict(X) == y) > 0.7
    model = hinge.MulticlassClassifier(method="crf", C=1.0, gap=1e-10, solver="lbfgs", bias=0).fit(X, some)
    scores = np.asarray(X, dtype=np.float32).astype(float) @ model.coef_.T
    inside = [[k for k, c in enumerate(model.classes_) if c in (label if isinstance(label, set) else {label})]
              for label in some]
    log = np.logaddexp.reduce
    primal = 0.5 * np.sum(model.coef_**2) + sum(log(s) - log(s[k]) for s, k in zip(scores, inside))
    assert np.isclose(primal, model.summary_.primal, rtol=1e-6)
    with pytest.raises(ValueError, match="row 3 has the set"):
        hinge.MulticlassClassifier().fit(X, ["ant", "bee", "cow", set(), *["ant"] * (len(X) - 4)])


def rings(rng, K=3, count=5):
    X = [(rng.normal(size=(n, 2)), np.array([[i, (i + 1) % n] for i in range(n)])) for n in rng.integers(3, 5, count)]
    return X, [[str(label) for label in rng.choice(list("abc"), len(nodes))] for nodes, _ in X]


def test_sets_in_graphs_are_the_sum_over_their_labellings(rng):
    """The primal of a CRF on rings whose labels are sets is that of listing the labellings that the sets admit."""
    K, d = 3, 2
    X, y = rings(rng, K)
    some = [[{label, "c"} if i % 3 == 0 else None if i % 3 == 1 else label for i, label in enumerate(labels)] for labels in y]
    model = hinge.GraphLabeller(method="crf", C=1.0, gap=1e-9, solver="lbfgs").fit(X, some)
    names = model._model.names()
    assert sorted(names) == ["a", "b", "c"]
    w = model.weights_
    emit, cells = w[: d * K].reshape(d, K), w[d * K :]
    pairs = np.zeros((K, K))
    pairs[np.tril_indices(K)] = cells
    pairs = np.tril(pairs) + np.tril(pairs, -1).T
    total = 0.5 * w @ w
    for (nodes, edges), labels in zip(X, some):
        scores = nodes.astype(np.float32).astype(float) @ emit
        admitted = [set(names) if label is None else label if isinstance(label, set) else {label} for label in labels]
        every, inside = [], []
        for s in itertools.product(range(K), repeat=len(nodes)):
            score = sum(scores[i, k] for i, k in enumerate(s)) + sum(pairs[s[a], s[b]] for a, b in edges)
            every.append(score)
            if all(names[k] in may for k, may in zip(s, admitted)):
                inside.append(score)
        total += np.logaddexp.reduce(every) - np.logaddexp.reduce(inside)
    assert np.isclose(total, model.summary_.primal, rtol=1e-6)


@pytest.mark.parametrize("method", ["crf", "lssvm", "mssvm"])
def test_sets_in_graphs_teach_and_are_kept_to(method, rng):
    X, y = [], []
    for _ in range(30):
        labels = rng.integers(0, 3, int(rng.integers(3, 6)))
        X.append((np.eye(3)[labels] + 0.4 * rng.normal(size=(len(labels), 3)), np.array([[i, i + 1] for i in range(len(labels) - 1)])))
        y.append(labels.tolist())
    some = [[{label, int(rng.integers(3))} if rng.random() < 0.5 else label for label in labels] for labels in y]
    model = hinge.GraphLabeller(method=method, C=1.0).fit(X, some)
    assert model.classes_.tolist() == [0, 1, 2] and model.score(X, y) > 0.8
    assert model.evaluate(X, some)["loss"] <= model.evaluate(X, y)["loss"]
    given = [[{1, 2}, *[None] * (len(labels) - 1)] for labels in y]
    assert all(labels[0] in (1, 2) for labels in model.predict(X, given=given))
    assert all(p[0, 0] == 0 and np.isclose(p.sum(1), 1).all() for p in model.predict_proba(X, given=given))
    for odd, sentence in ((set(), "graph 0 has an empty set"), ([1, 2], "a label of graph 0 is a list")):
        with pytest.raises((ValueError, TypeError), match=sentence):
            hinge.GraphLabeller().fit(X, [[odd, *y[0][1:]], *y[1:]])


def test_empty_sets_are_refused(tagged):
    X, y = tagged
    with pytest.raises(ValueError, match="empty set of labels at position 0"):
        hinge.SequenceTagger().fit(X, [[set(), *labels[1:]] for labels in y])


@pytest.mark.parametrize("solver", ["lbfgs", "soft_dual", "frank_wolfe"])
def test_excluded_transitions(solver, rng):
    labels = ["B", "I", "O"]
    X, y = [], []
    for _ in range(40):
        path = ["O"]
        while len(path) < 6:
            path.append(str(rng.choice(["I", "O"] if path[-1] in "BI" else ["B", "O"])))
        X.append([{"w": label if rng.random() < 0.6 else "?"} for label in path])
        y.append(path)
    method = "ssvm" if solver == "frank_wolfe" else "crf"
    model = hinge.SequenceTagger(method=method, solver=solver, forbidden=[("O", "I")], required=[("B", "I"), ("B", "O")]).fit(X, y)
    assert model.summary_.termination == "converged" and np.isfinite(model.weights_).all()
    odd = [[{"w": str(rng.choice(labels))} for _ in range(7)] for _ in range(30)]
    for path in model.predict(odd):
        assert not {("O", "I"), ("B", "B")} & set(zip(path, path[1:]))
    for ranked in model.predict_nbest(odd[:5], 20):
        assert all(np.isfinite(score) for _, score in ranked)
        assert not any({("O", "I"), ("B", "B")} & set(zip(path, path[1:])) for path, _ in ranked)
    assert all(np.allclose(p.sum(1), 1) for p in model.predict_proba(odd))
    assert hinge.SequenceTagger(method=method, solver=solver).fit(X, y).predict(odd).tolist() != model.predict(odd).tolist()
    with pytest.raises(ValueError, match="sequence 41 has no labelling"):
        hinge.SequenceTagger(forbidden=[("O", "I")]).fit([*X, X[0][:2]], [*y, ["O", "I"]])
    with pytest.raises(ValueError, match="FROM>TO"):
        hinge.SequenceTagger(forbidden=["O"]).fit(X, y)


def test_excluded_transitions_are_kept_in_the_file(tmp_path, tagged):
    X, y = tagged
    X, y = zip(*((x, labels) for x, labels in zip(X, y) if ("NOUN", "NOUN") not in zip(labels, labels[1:])))
    model = hinge.SequenceTagger(method="crf", forbidden=[("NOUN", "NOUN")]).fit(X, y)
    model.save(tmp_path / "m")
    loaded = hinge.load(tmp_path / "m")
    odd = [[{"word": "noun"}] * 4]
    assert ("NOUN", "NOUN") not in zip(*[loaded.predict(odd)[0][k:] for k in (0, 1)])
    assert loaded.predict(odd).tolist() == model.predict(odd).tolist()


RULES = """
labels are DET, NOUN, VERB
attribute "word:det" in DET
attribute "word:noun" in NOUN
attribute "word:verb" in VERB
"""


@pytest.mark.parametrize("method", ["transductive", "codl", "pr", "ge"])
def test_rules_about_unlabelled_sequences_teach(method, tagged):
    X, y = tagged
    few = hinge.SequenceTagger(method="crf", classes=["DET", "NOUN", "VERB"]).fit(X[:1], y[:1]).score(X[1:], y[1:])
    model = hinge.SequenceTagger(method=method, transduction={"C2": 20.0}).fit(X[:1], y[:1], X_unlabelled=X[1:], rules=RULES)
    assert model.score(X[1:], y[1:]) > few
    told = model.summary_.transduction
    assert told["labelled"] == 1 and len(told["rules"]) == 3
    assert model.classes_.tolist() == ["DET", "NOUN", "VERB"]


def test_rules_about_rows_and_graphs(rows):
    X, y = rows
    model = hinge.MulticlassClassifier(method="ge", C=1.0).fit(
        X[:40], y[:40], X_unlabelled=X[40:], rules=["fraction of ant about 33% over the sample weight 5"])
    assert model.score(X[40:], y[40:]) > 0.6
    from cases import case

    graph, graphs, labels = case("GraphLabeller")
    model = graph.set_params(method="ge").fit(graphs[:4], labels[:4], X_unlabelled=graphs[4:],
                                              rules="fraction of 1 about 50% over the sample")
    assert model.score(graphs[4:], labels[4:]) > 0.6


def test_what_rules_do_not_go_with(rows, tagged):
    X, y = tagged
    with pytest.raises(ValueError, match="X_unlabelled"):
        hinge.SequenceTagger(method="transductive").fit(X, y, rules=RULES)
    with pytest.raises(ValueError, match="without weights"):
        hinge.SequenceTagger(method="ge").fit(X, y, sample_weight=np.ones(len(X)), X_unlabelled=X)
    with pytest.raises(ValueError, match="nothing"):
        hinge.SequenceTagger(method="ge", transduction={"nothing": 1}).fit(X, y, X_unlabelled=X, rules=RULES)
    with pytest.raises(ValueError, match="rules:1"):
        hinge.SequenceTagger(method="ge").fit(X, y, X_unlabelled=X, rules="no rule of any kind")


def listed_all(model, x, count):
    return model.predict_nbest([x], k=count)[0]


@pytest.mark.parametrize("order", [1, 2])
def test_best_labellings_that_keep_to_what_is_given(order, rng):
    """Those of all labellings that agree, in their order; what a label is worth is the best of them with it."""
    X = [rng.normal(size=(4, 2)) for _ in range(12)]
    y = [[("a", "b", "c")[int(k)] for k in (x[:, 0] > 0).astype(int) + (x[:, 1] > 1)] for x in X]
    model = hinge.SequenceTagger(method="crf", order=order, C=1.0, beam=0) if order > 1 else hinge.SequenceTagger(method="crf", C=1.0)
    everything = [(labels, score) for labels, score in listed_all(model.fit(X, y), X[0], 81)]
    assert len(everything) == 81
    for given in ([None, "b", None, None], ["a", None, {"b", "c"}, None], ["a", "b", "c", "a"]):
        agree = [(labels, score) for labels, score in everything
                 if all(g is None or one in (g if isinstance(g, set) else {g}) for one, g in zip(labels, given))]
        found = model.predict_nbest([X[0]], k=200, given=[given])[0]
        assert [labels for labels, _ in found] == [labels for labels, _ in agree]
        assert np.allclose([score for _, score in found], [score for _, score in agree])
        worth = model.decision_function([X[0]], given=[given])[0]
        for t in range(4):
            for k, label in enumerate(model.classes_):
                assert worth[t, k] == pytest.approx(max((score for labels, score in agree if labels[t] == label), default=-np.inf))
    rest = model.decision_function(X[:2], given=[None, [None] * 4])
    assert all(np.array_equal(a, b) for a, b in zip(rest, model.decision_function(X[:2])))
    with pytest.raises(ValueError, match="none of classes_"):
        model.predict_nbest([X[0]], given=[["z", None, None, None]])


@pytest.mark.parametrize("edges", [[[0, 1], [1, 2], [2, 3]], [[0, 1], [1, 2], [2, 3], [3, 0]]])
def test_best_labellings_of_graphs_that_keep_to_what_is_given(edges, rng):
    X = [(rng.normal(size=(4, 2)), np.array(edges)) for _ in range(12)]
    y = [[("a", "b", "c")[int(k)] for k in (x[:, 0] > 0).astype(int) + (x[:, 1] > 1)] for x, _ in X]
    model = hinge.GraphLabeller(method="crf", C=1.0).fit(X, y)
    everything = listed_all(model, X[0], 81)
    for given in ([None, "b", None, None], ["a", None, {"b", "c"}, None], [-1, None, None, None]):
        agree = [(labels, score) for labels, score in everything
                 if all(g in (None, -1) or one in (g if isinstance(g, set) else {g}) for one, g in zip(labels, given))]
        found = model.predict_nbest([X[0]], k=200, given=[given])[0]
        assert [labels for labels, _ in found] == [labels for labels, _ in agree]
        worth = model.decision_function([X[0]], given=[given])[0]
        for t in range(4):
            for k, label in enumerate(model.classes_):
                assert worth[t, k] == pytest.approx(max((score for labels, score in agree if labels[t] == label), default=-np.inf))


def test_guided_learning_starts_anew():
    with pytest.raises(ValueError, match="leave out warm_start"):
        hinge.SequenceTagger(method="ge", warm_start=True).fit([[["a"], ["b"]]], [["x", "y"]], X_unlabelled=[[["a"]]], rules="")
