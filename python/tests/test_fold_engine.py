"""The engine of RNA folds against enumeration, by the formula that its docstring has."""

import numpy as np
import pytest

from hinge import engines
from hinge._fold_engine import FOLD_TABLES

TYPES = ["AU", "UA", "CG", "GC", "GU", "UG"]
LETTERS = "GCAAAGCUAAAGC"


def folds(x, i=0, j=None):
    """All folds of the letters i to j - 1, as sets of pairs."""
    j = len(x) if j is None else j
    if i >= j:
        yield frozenset()
        return
    yield from folds(x, i + 1, j)
    for k in range(i + 4, j):
        if x[i] + x[k] in TYPES:
            for inside in folds(x, i + 1, k):
                for behind in folds(x, k + 1, j):
                    yield inside | behind | {(i, k)}


def uses(x, fold, max_loop=30):
    """The tables' places that a fold uses; None where a loop is too long."""
    code = lambda i: "ACGU".find(x[i]) % 5 if 0 <= i < len(x) else 4
    kind = lambda i, j: TYPES.index(x[i] + x[j])
    inside = lambda i, j: (kind(i, j), code(i + 1), code(j - 1))
    outside = lambda i, j: (kind(i, j), code(i - 1), code(j + 1))
    used = []
    for i, j in fold:
        used.append(("pair", (kind(i, j),)))
        within = [(k, l) for k, l in fold if i < k and l < j]
        direct = [p for p in within if not any(k < p[0] and p[1] < l for k, l in within)]
        free = [t for t in range(i + 1, j) if not any(k <= t <= l for k, l in direct)]
        if not direct:
            used += [("hairpin", inside(i, j)), ("hairpin_length", (min(len(free), 30),))]
        elif len(direct) > 1:
            used += [("close", inside(i, j)), *(("branch", outside(*p)) for p in direct), *[("multi_letter", ())] * len(free)]
        else:
            (k, l), = direct
            a, b = k - i - 1, j - l - 1
            if a + b > max_loop:
                return None
            used += [("stack", inside(i, j))] if a + b == 0 else [("outer", inside(i, j)), ("inner", outside(k, l)), ("loop", (a, b))]
            used += [("bulge_stack", (kind(i, j), kind(k, l)))] if a + b == 1 else [("one_one", inside(i, j))] if a == b == 1 else []
    outer = [p for p in fold if not any(k < p[0] and p[1] < l for k, l in fold)]
    used += [("exterior", outside(*p)) for p in outer]
    return used + [("exterior_letter", ())] * (len(x) - sum(j - i + 1 for i, j in outer))


def tables_of(rng):
    return {name: rng.normal(size=shape) for name, shape in FOLD_TABLES.items()}


def smooth(values, t):
    values = np.asarray(values)
    return values.max() if t == 0 else values.max() + t * np.log(np.exp((values - values.max()) / t).sum())


@pytest.mark.parametrize("max_loop", [30, 2])
def test_folds_are_those_of_enumeration(rng, max_loop):
    tables = tables_of(rng)
    all_ = {fold: used for fold in folds(LETTERS) if (used := uses(LETTERS, fold, max_loop)) is not None}
    scores = {fold: sum(tables[name][place] for name, place in used) for fold, used in all_.items()}
    assert any(name == "close" for used in all_.values() for name, _ in used) and len(scores) > 20
    for t in (0.0, 0.7):
        value, counts = engines.fold([LETTERS, LETTERS[:6]], tables, max_loop=max_loop, temperature=t, n_jobs=2)
        assert np.isclose(value[0], smooth(list(scores.values()), t))
        best = max(scores.values())
        share = {fold: float(score == best) if t == 0 else np.exp((score - value[0]) / t) for fold, score in scores.items()}
        expected = {name: np.zeros(shape) for name, shape in FOLD_TABLES.items()}
        pairs = np.zeros((len(LETTERS), len(LETTERS)))
        for fold, used in all_.items():
            for name, place in used:
                expected[name][place] += share[fold]
            for i, j in fold:
                pairs[[i, j], [j, i]] += share[fold]
        for name, table in expected.items():
            assert np.allclose(counts.tables[name][0], table), name
        assert np.allclose(counts.pairs[0], np.where(pairs < 0.001, 0, pairs)) and counts.pairs[1].shape == (6, 6)
    found, ranked = engines.fold_nbest(LETTERS, tables, 10**4, max_loop=max_loop)
    assert len(found) == len(scores) and np.allclose(ranked, sorted(scores.values(), reverse=True))
    for partners, score in zip(found[:20], ranked):
        assert np.isclose(scores[frozenset((i, j) for i, j in enumerate(partners) if j > i)], score)


def test_pairs_that_may_be_and_letters_that_must_be_paired(rng):
    tables, n = tables_of(rng), len(LETTERS)
    allowed = rng.random((n, n)) < 0.7
    paired = np.zeros(n, dtype=bool)
    paired[5] = True
    scores = [sum(tables[name][place] for name, place in uses(LETTERS, fold)) for fold in folds(LETTERS)
              if all(allowed[p] for p in fold) and any(5 in p for p in fold)]
    value, _ = engines.fold([LETTERS, LETTERS], tables, [allowed, None], [paired, None], temperature=1.0)
    assert np.isclose(value[0], smooth(scores, 1.0)) and value[1] > value[0]
    assert np.allclose(engines.fold_nbest(LETTERS, tables, 10**4, allowed, paired)[1], sorted(scores, reverse=True))
    nothing, counts = engines.fold(["AAAA"], {}, paired=[np.ones(4)])
    assert nothing[0] == -np.inf and counts.pairs[0].sum() == 0
    assert np.array_equal(engines.fold(["gcaaagcuaaagc", LETTERS.replace("U", "T")], tables)[0], engines.fold([LETTERS] * 2, tables)[0])


@pytest.mark.parametrize("call, sentence", [
    (lambda: engines.fold("ACGU", {}), "sequences is a str"),
    (lambda: engines.fold([3], {}), "sequence 0 is a int"),
    (lambda: engines.fold(["ACGU", ""], {}), "sequence 1 is empty"),
    (lambda: engines.fold(["ACGÜ"], {}), "sequence 0 has letters that are none of RNA"),
    (lambda: engines.fold(["ACGU"], {"stacks": 1}), "there is no table 'stacks' of folds"),
    (lambda: engines.fold(["ACGU"], {"stack": np.zeros(6)}), r"'stack' has the shape \(6,\), where \(6, 5, 5\)"),
    (lambda: engines.fold(["ACGU"], {"stack": np.nan}), "a score of the tables is nan"),
    (lambda: engines.fold(["ACGU"], {}, allowed=[np.ones((3, 3))]), r"allowed of sequence 0 has the shape \(3, 3\)"),
    (lambda: engines.fold(["ACGU"], {}, paired=[]), "paired has 0 tables for 1 sequences"),
    (lambda: engines.fold(["ACGU"], {}, paired=[[True]]), "paired of sequence 0 has 1 entries for 4"),
    (lambda: engines.fold(["ACGU"], {}, max_loop=31), "max_loop is 31"),
    (lambda: engines.fold_nbest("ACGU", {}, 0), "k is 0"),
])
def test_wrong_folds_are_named(call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call()
