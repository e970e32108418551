"""Trees, alignments and folds: forms of their inputs and answers."""

import re

import numpy as np
import pytest
from cases import case

import hinge


def test_trees_in_every_form():
    estimator, X, y = case("TreeParser")
    words = [[(word, tag) for tag, word in re.findall(r"\(([^\s()]+) ([^\s()]+)\)", tree)] for tree in y]
    by_text = estimator.fit(X, y)
    weights = by_text.weights_
    assert np.array_equal(hinge.TreeParser().fit(words, y).weights_, weights)
    assert by_text.predict(words).tolist() == by_text.predict(X).tolist() == list(y)
    nested = ("ROOT", ("S", ("NP", ("DT", "the"), ("NN", "dog")), ("VP", ("VBZ", "sees"), ("NP", ("DT", "a"), ("NN", "bird"))),
                       (".", ".")))
    model = hinge.TreeParser().fit([*X, nested], [*y, nested])
    assert model.predict([nested])[0] == "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN bird))) (. .)))"
    ranked = model.predict_nbest(X[:2], 3)
    assert all(a[1] >= b[1] for each in ranked for a, b in zip(each, each[1:]))
    assert [each[0][0] for each in ranked] == model.predict(X[:2]).tolist()


def test_trees_without_tags_and_in_part():
    _, X, y = case("TreeParser")
    sentences = [" ".join(word for word in tree.replace(")", " ").split() if not word.startswith("(")) for tree in y]
    model = hinge.TreeParser(tags="found", min_count=1).fit(X, y)
    assert model.predict(sentences).tolist() == list(y)
    part = [*y[:6], *(f"(ROOT (? {' '.join(words.split())}))" for words in sentences[6:])]
    assert hinge.TreeParser(tags="found", min_count=1, method="lssvm").fit(sentences, part).score(X, y) > 0.5


def test_alignments_in_every_form():
    estimator, X, y = case("SequenceAligner")
    model = estimator.fit(X, y)
    partners = model.predict(X)
    rows = model.align(X)
    for x, row, opposite, table in zip(X, rows, partners, model.predict_proba(X)):
        assert tuple(part.replace("-", "") for part in row) == tuple(x) and len(row[0]) == len(row[1])
        pairs = [(i, j) for i, j in enumerate(opposite) if j >= 0]
        letters = [sum(c != "-" for c in row[0][:k]) for k, (a, b) in enumerate(zip(*row)) if a != "-" and b != "-"]
        assert [i for i, _ in pairs] == letters
        assert table.shape == (len(x[0]), len(x[1])) and (table.sum(1) < 1 + 1e-9).all()
    for x, opposite, ranked in zip(X, partners, model.predict_nbest(X, 4)):
        best = [each for each, score in ranked if np.isclose(score, ranked[0][1])]  # several, where a gap may stand on either side of like letters
        assert any(np.array_equal(each, opposite) for each in best) and len({tuple(each) for each, _ in ranked}) == len(ranked) == 4
        assert all(a >= b for (_, a), (_, b) in zip(ranked, ranked[1:]))
    again = hinge.SequenceAligner(alphabet="dna").fit(X, [model_partners(each) for each in y])
    assert np.array_equal(again.weights_, model.weights_)
    assert hinge.SequenceAligner(alphabet="dna", balance=True).fit(X, y, groups=[0, 0, 0, 0, 1, 1, 1, 2]).weights_.any()


def model_partners(rows):
    partners, second = [], 0
    for a, b in zip(*rows):
        if a != "-":
            partners.append(-1 if b == "-" else second)
        second += b != "-"
    return np.array(partners)


def test_folds_in_every_form():
    estimator, X, y = case("RnaFolder")
    model = estimator.fit(X, y)
    assert model.predict(X).tolist() == list(y)
    partners = model.predict_pairs(X)
    again = hinge.RnaFolder(features="stacks").fit(X, list(partners))
    assert np.allclose(again.weights_, model.weights_)
    for x, pairs, table in zip(X, partners, model.predict_proba(X)):
        assert np.allclose(table, table.T) and (table.sum(1) < 1 + 1e-9).all() and table.shape == (len(x), len(x))
        assert all(pairs[j] == i for i, j in enumerate(pairs) if j >= 0)
    for fold, ranked in zip(y, model.predict_nbest(X, 4)):
        assert ranked[0][0] == fold and len({each for each, _ in ranked}) == len(ranked)
        assert all(a >= b for (_, a), (_, b) in zip(ranked, ranked[1:]))
    hidden = [fold.replace(".", "?", 2) for fold in y]
    assert hinge.RnaFolder(features="stacks", method="lssvm").fit(X, hidden).score(X, y) > 0.7


def test_what_is_no_tree_alignment_or_fold():
    _, X, y = case("TreeParser")
    for odd, sentence in ((["(S (NP"], "tree 0"), ([("S",)], "tree 0"), (["(S (A b))"], "other words")):
        with pytest.raises((ValueError, TypeError), match=sentence):
            hinge.TreeParser().fit(X[:1], odd)
    with pytest.raises(TypeError, match="sentence 1"):
        hinge.TreeParser().fit([["a"], [3]], ["(A a)", "(A b)"])
    with pytest.raises(ValueError, match="columns"):
        hinge.SequenceAligner().fit([("AC", "A")], [("AC", "A")])
    with pytest.raises(ValueError, match="other letters"):
        hinge.SequenceAligner().fit([("AC", "A")], [("AC", "C-")])
    with pytest.raises(ValueError, match="do not cross"):
        hinge.SequenceAligner(alphabet="dna").fit([("AC", "AC")], [np.array([1, 0])])
    with pytest.raises(TypeError, match="pair 0"):
        hinge.SequenceAligner().fit(["AC"], [None])
    for fold, sentence in (("((.", "symbols"), ("(...", "never closes"), ("...)", "closes"), ("..x.", "symbol 'x'")):
        with pytest.raises(ValueError, match=sentence):
            hinge.RnaFolder().fit(["ACGU"], [fold])
    with pytest.raises(ValueError, match="sequence 0"):
        hinge.RnaFolder().fit(["AC!U"], ["...."])
