"""The engine of trees of a grammar against enumeration."""

import numpy as np
import pytest
from test_fold_engine import smooth

from hinge import engines

# 0 and 1 are terminals; 4 is the root, and stands within too
GRAMMAR = engines.Grammar(5, 2, 4, [(2, 0, 1), (2, 2, 0), (3, 1, 2), (4, 2, 3), (4, 4, 3), (4, 0, 2), (4, 2, 2)], [(4, 3), (3, 2), (2, 1)])


def bottoms(spans, rules, unaries, i, j):
    """(symbol, score, its symbols over spans, its rules, its unary rules) of all that stands over a rule or is a terminal."""
    if i == j:
        for x in range(GRAMMAR.terminals):
            yield x, spans[i, i, x], ((i, i, x),), (), ()
    for r, (parent, left, right) in enumerate(GRAMMAR.rules):
        for k in range(i, j):
            for x, a, p, q, u in tops(spans, rules, unaries, i, k):
                if x != left:
                    continue
                for y, b, s, t, v in tops(spans, rules, unaries, k + 1, j):
                    if y == right:
                        yield parent, spans[i, j, parent] + rules[r] + a + b, ((i, j, parent), *p, *s), (r, *q, *t), (*u, *v)


def tops(spans, rules, unaries, i, j):
    for x, score, p, q, u in bottoms(spans, rules, unaries, i, j):
        yield x, score, p, q, u
        for c, (parent, child) in enumerate(GRAMMAR.unaries):
            if child == x:
                yield parent, score + spans[i, j, parent] + unaries[c], ((i, j, parent), *p), q, (c, *u)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_trees_are_those_of_enumeration(rng, n):
    spans, rules, unaries = rng.normal(size=(2, 6, 6, 5)), rng.normal(size=7), rng.normal(size=3)
    spans[0, 0, 0, 0] = -np.inf
    all_ = [tree for tree in tops(spans[0], rules, unaries, 0, n - 1) if tree[0] == 4 and tree[1] > -np.inf]
    scores = [tree[1] for tree in all_]
    for t in (0.0, 0.6):
        value, counts = engines.grammar_trees(spans, GRAMMAR, rules, unaries, [n, 6], t, n_jobs=2)
        if not all_:
            assert value[0] == -np.inf and not counts.spans[0].any()
            continue
        assert np.isclose(value[0], smooth(scores, t)) and np.isfinite(value[1])
        expected = np.zeros((6, 6, 5)), np.zeros(7), np.zeros(3)
        for _, score, places, used, steps in all_:
            share = float(score == max(scores)) if t == 0 else np.exp((score - value[0]) / t)
            for table, each in zip(expected, (places, used, steps)):
                for place in each:
                    table[place] += share
        for table, found in zip(expected, (counts.spans, counts.rules, counts.unaries)):
            assert np.allclose(found[0], table)
    found, ranked = engines.grammar_trees_nbest(spans[0, :n, :n], GRAMMAR, 10**4, rules, unaries)
    assert np.allclose(ranked, sorted(scores, reverse=True)) and found.shape == (len(scores), n, n, 5)
    if not all_:
        return
    best = max(all_, key=lambda tree: tree[1])
    assert set(map(tuple, np.argwhere(found[0]))) == set(best[2])
    drawn = engines.grammar_trees_samples(spans[0, :n, :n], GRAMMAR, 4000, rules, unaries, 0.6)
    marginal = engines.grammar_trees(spans[:1, :n, :n], GRAMMAR, rules, unaries, None, 0.6)[1].spans[0]
    assert np.allclose(drawn.mean(axis=0), marginal, atol=0.04)


def test_binary_trees_are_a_grammar(rng):
    spans = rng.normal(size=(3, 5, 5))
    plain = engines.trees(spans, temperature=0.5)
    grammar = engines.Grammar(2, 1, 1, [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)])
    value, counts = engines.grammar_trees(np.repeat(spans[..., None], 2, axis=3), grammar, temperature=0.5)
    assert np.allclose(value, plain[0]) and np.allclose(counts.spans.sum(axis=3), plain[1])


@pytest.mark.parametrize("change, sentence", [
    (dict(terminals=0), "1 terminal or more"), (dict(root=9), "the root 9"), (dict(rules=[(1, 0, 0)]), "rule 0 is .*its parent is no terminal"),
    (dict(rules=[(2, 0, 7)]), "symbols are below 5"), (dict(rules=[]), "no rules"), (dict(rules=[(2, 0, 0)] * 2), "there twice"),
    (dict(rules=[(2, 0)]), "have the shape"), (dict(unaries=[(3, 3)]), "unary rule 0"), (dict(symbols=4), "spans has the shape"),
])
def test_wrong_grammars_are_named(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        engines.grammar_trees(np.zeros((1, 3, 3, 5)), GRAMMAR._replace(**change))


def test_wrong_scores_are_named():
    with pytest.raises(ValueError, match=r"scores of the shape \(2,\) for 7 rules"):
        engines.grammar_trees(np.zeros((1, 3, 3, 5)), GRAMMAR, [1, 2])
    with pytest.raises(ValueError, match="a score of example 0 is nan"):
        engines.grammar_trees(np.full((1, 3, 3, 5), np.nan), GRAMMAR)
    with pytest.raises(ValueError, match="k is 0"):
        engines.grammar_trees_nbest(np.zeros((3, 3, 5)), GRAMMAR, 0)
