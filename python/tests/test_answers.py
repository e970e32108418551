"""Answers beside the best one: lists, what labels are worth, and weights of features, each against the definition."""

import numpy as np
import pytest
from cases import case

import hinge


def worth(ranked, items, labels):
    """The best score of each label of each item among all labellings."""
    table = np.full((items, len(labels)), -np.inf)
    for answer, score in ranked:
        for t, label in enumerate(answer):
            k = labels.index(label)
            table[t, k] = max(table[t, k], score)
    return table


@pytest.mark.parametrize("parameters", [{}, {"method": "crf"}, {"order": 2}, {"order": 3}, {"forbidden": [("DET", "VERB")]}])
def test_what_labels_of_positions_are_worth(tagged, parameters):
    kept = [i for i, labels in enumerate(tagged[1]) if ("DET", "VERB") not in zip(labels, labels[1:])]
    X, y = ([each[i] for i in kept] for each in tagged)
    tagger = hinge.SequenceTagger(**parameters).fit(X, y)
    labels = tagger.classes_.tolist()
    few = [x for x in X if len(x) < 6][:8]
    for found, ranked, best in zip(tagger.decision_function(few), tagger.predict_nbest(few, k=10**4), tagger.predict(few)):
        assert np.allclose(found, worth(ranked, len(best), labels), atol=1e-9)
        assert np.allclose(found.max(axis=1), ranked[0][1]) and [labels[k] for k in found.argmax(axis=1)] == best
    joined = tagger.decision_function([token for x in few for token in x], lengths=[len(x) for x in few])
    assert all(np.array_equal(a, b) for a, b in zip(joined, tagger.decision_function(few)))


def test_several_states_a_label(tagged):
    X, y = tagged
    tagger = hinge.SequenceTagger(states=2, method="lssvm").fit(X, y)
    for found, best in zip(tagger.decision_function(X[:5]), tagger.predict(X[:5])):
        assert found.shape == (len(best), 3) and np.ptp(found.max(axis=1)) < 1e-9
        assert [tagger.classes_[k] for k in found.argmax(axis=1)] == best


def test_lists_of_graphs_and_what_labels_of_nodes_are_worth():
    estimator, X, y = case("GraphLabeller")
    model = estimator.fit(X, y)
    for x, ranked, found, best in zip(X, model.predict_nbest(X, k=10**3), model.decision_function(X), model.predict(X)):
        n = len(x[0])
        scores = [score for _, score in ranked]
        assert len(ranked) == 2**n == len({tuple(labels) for labels, _ in ranked}) and scores == sorted(scores, reverse=True)
        assert ranked[0][0] == best and np.allclose(found, worth(ranked, n, model.classes_.tolist()), atol=1e-9)
        proba = model.predict_proba([x])[0]
        total = np.exp(np.array(scores) - scores[0])
        first = sum(p for p, (labels, _) in zip(total / total.sum(), ranked) if labels[0] == model.classes_[1])
        assert np.isclose(first, proba[0, 1])
    with pytest.raises(ValueError, match="give a whole number from 1 on"):
        model.predict_nbest(X, k=0)


@pytest.mark.parametrize("as_sets", [False, True])
def test_lists_of_label_sets_and_what_labels_are_worth(as_sets):
    _, X, table = case("MultilabelClassifier")
    table[:, 2] |= table[:, 0]
    y = [set(np.array(list("abc"))[row.astype(bool)].tolist()) for row in table] if as_sets else table
    model = hinge.MultilabelClassifier().fit(X, y)
    for found, ranked, best in zip(model.decision_function(X), model.predict_nbest(X, k=99), model.predict(X)):
        assert len(ranked) == 8 and np.array_equal(ranked[0][0], best)
        for l, label in enumerate(model.classes_):
            has = [(label in answer) if as_sets else bool(answer[l]) for answer, _ in ranked]
            with_it, without = (max(score for (_, score), h in zip(ranked, has) if h == there) for there in (True, False))
            assert np.isclose(found[l], with_it - without)
            assert (found[l] > 0) == ((label in best) if as_sets else bool(best[l]))


@pytest.mark.parametrize("bias", [0.0, 2.0])
def test_weights_of_features_are_those_of_the_scores(bias):
    _, X, y = case("BinaryClassifier")
    X[:, 1] = 0  # a column that training does not see
    model = hinge.BinaryClassifier(bias=bias).fit(X, y)
    assert model.coef_.shape == (1, 4) and np.allclose(X @ model.coef_[0] + model.intercept_, model.decision_function(X), atol=1e-6)
    _, X, y = case("TaxonomyClassifier")
    for known in (y, np.where(y == y[0], y[0], "mammal/cow")):
        model = hinge.TaxonomyClassifier(bias=bias).fit(X, known)
        found = (X @ model.coef_.T + model.intercept_).squeeze()
        assert model.coef_.shape == (3 if known is y else 1, 4) and np.allclose(found, model.decision_function(X), atol=1e-6)
    _, X, table = case("MultilabelClassifier")
    model = hinge.MultilabelClassifier(bias=bias, pairs="none", classes=["c", "a", "b"]).fit(X, table)
    assert model.coef_.shape == (3, 4) and np.allclose(X @ model.coef_.T + model.intercept_, model.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("name", ["BinaryClassifier", "MulticlassClassifier", "TaxonomyClassifier", "MultilabelClassifier", "Ranker"])
def test_kernels_leave_no_weights_of_features(name):
    _, X, y = case(name)
    model = getattr(hinge, name)(kernel="rbf").fit(X, y)
    assert not hasattr(model, "coef_") and not hasattr(hinge.Ranker(), "coef_")
    with pytest.raises(AttributeError, match="kernel='rbf' made others of them"):
        model.coef_


def test_folds_keep_to_what_is_given():
    estimator, X, y = case("RnaFolder")
    model = estimator.fit(X, y)
    x = "GGGGAAAACCCCAGGGAAAACCC"
    free = model.predict([x])[0]
    assert np.array_equal(model.predict([x], given=["?" * len(x)])[0], free) and model.predict([x], given=[None])[0] == free
    second = "?" * 13 + "(((????)))"
    assert model.predict([x], given=[second])[0][13:] == "(((....)))"
    assert model.predict([x], given=["." * len(x)])[0] == "." * len(x)
    ranked = [fold for fold, _ in model.predict_nbest([x], k=2000)[0]]
    known = "(" + "?" * 10 + ")" + "?" * 11
    kept = [fold for fold in ranked if fold[0] == "(" and _partners(fold)[0] == 11]
    assert model.predict([x], given=[known])[0] == kept[0] and model.predict_pairs([x], given=[known])[0][0] == 11
    probable = model.predict_proba([x], given=[known])[0]
    shares = {fold: np.exp(score) for fold, score in model.predict_nbest([x], k=10**5)[0] if fold in kept or _partners(fold).get(0) == 11}
    expected = sum(share for fold, share in shares.items() if _partners(fold).get(1) == 10) / sum(shares.values())
    assert probable[0, 11] == pytest.approx(1) and probable[1, 10] == pytest.approx(expected, abs=2e-3)
    with pytest.raises(ValueError, match="X has 1 examples, but given has 2"):
        model.predict([x], given=[None, None])
    with pytest.raises(ValueError, match="given has a pair of letters in example 1 that no fold has"):
        model.predict([x, "AAAAAA"], given=[None, "(....)"])


def _partners(fold):
    open_, found = [], {}
    for i, symbol in enumerate(fold):
        if symbol == "(":
            open_.append(i)
        elif symbol == ")":
            found[open_.pop()] = i
    return found


def test_alignments_keep_to_what_is_given():
    estimator, X, y = case("SequenceAligner")
    model = estimator.fit(X, y)
    x = ("ACGTACGT", "ACGACGT")
    free = model.predict([x])[0]
    assert np.array_equal(model.predict([x], given=[None])[0], free)
    assert np.array_equal(model.predict([x], given=[np.full(8, -2)])[0], free)
    given = np.full(8, -2)
    given[5], given[0] = 3, -1
    found = model.predict([x], given=[given])[0]
    assert found[5] == 3 and found[0] == -1
    kept = [partners for partners, _ in model.predict_nbest([x], k=20000)[0] if partners[5] == 3 and partners[0] == -1]
    assert np.array_equal(found, kept[0])
    probable = model.predict_proba([x], given=[given])[0]
    assert probable[5, 3] == pytest.approx(1) and probable[0].sum() == 0 < model.predict_proba([x])[0][0].sum()
    impossible = np.full(8, -2)
    impossible[0], impossible[7] = 6, 0
    with pytest.raises(ValueError, match="example 0|pair 0|order|cross"):
        model.predict([x], given=[impossible])
    top, bottom = model.align([x], given=[given])[0]
    assert len(top) == len(bottom) and top.replace("-", "") == x[0] and bottom.replace("-", "") == x[1]


def test_trees_keep_to_what_is_given():
    estimator, X, y = case("TreeParser")
    model = estimator.fit(X, y)
    words = "the dog sees a bird near the pond .".split()
    tags = "DT NN VBZ DT NN IN DT NN .".split()  # part of the input, where they are known
    ranked = model.predict_nbest([list(zip(words, tags))], k=1000)[0]
    assert len(ranked) == 2  # near the pond: the bird, or the seeing
    for text, score in ranked:
        assert model.predict([words], given=[text])[0] == text
        assert model.predict_nbest([words], given=[text])[0] == [(text, pytest.approx(score))]
    open_ = "(ROOT (? " + " ".join(words) + "))"
    assert model.predict([words, words], given=[None, open_]).tolist() == [model.predict([words])[0]] * 2
    with pytest.raises(ValueError, match="what is given of sentence 0 leaves the grammar no tree"):
        model.predict([words], given=["(ROOT (NP " + " ".join(f"(DT {word})" for word in words) + "))"])
    with pytest.raises(ValueError, match="X has 1 sentences, but y has 2"):
        model.predict([words], given=[None, None])
