"""The engine of trees of a grammar, on scores of spans and rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._inputs import count_of, threads_of


class Grammar(NamedTuple):
    """A grammar whose symbols are numbers: the first ``terminals`` of them stand over single words, the others over rules.

    ``rules`` are (parent, left child, right child). ``unaries`` are (parent, child): one of them at most stands over a span, and
    its child stands over a rule, or is a terminal. ``root`` stands over all words.
    """

    symbols: int
    terminals: int
    root: int
    rules: Sequence[tuple[int, int, int]]
    unaries: Sequence[tuple[int, int]] = ()


class GrammarCounts(NamedTuple):
    """How often, or how probably, each symbol stands over each span (first word, last word), and each rule is used."""

    spans: np.ndarray
    rules: np.ndarray
    unaries: np.ndarray


def grammar_trees(spans: Any, grammar: Grammar, rules: Any = None, unaries: Any = None, lengths: Any = None,
                  temperature: float = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, GrammarCounts]:
    """Trees of a grammar: spans (batch, words, words, symbols), what each symbol scores over (first word, last word).

    Scores of terminals count over single words alone. ``rules`` and ``unaries`` are what each use of a rule scores, 0 without.
    Returns values (batch,), -inf where there is no tree, and counts; those of rules are (batch, rules).
    """
    from .engines import _floats, _lengths, _temperatures

    spans = _floats(spans, 4, "spans", np.float64)
    value, *counts = _core.derivations(*_parts(spans, grammar, rules, unaries), _lengths(lengths), _temperatures(temperature)[0],
                                       threads_of(n_jobs))
    return value, GrammarCounts(*counts)


def grammar_trees_nbest(spans: Any, grammar: Grammar, k: int, rules: Any = None, unaries: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """The k best trees of one sentence, spans (words, words, symbols): which symbols stand over which spans (found, words, words, symbols), and scores."""
    from .engines import _floats

    spans = _floats(spans, 3, "spans", np.float64)
    found, value = _core.derivations_top(*_parts(spans[None], grammar, rules, unaries), count_of(k))
    return found.reshape(-1, *spans.shape), value


def grammar_trees_samples(spans: Any, grammar: Grammar, count: int, rules: Any = None, unaries: Any = None, temperature: float = 1.0,
                          random_state: int = 1) -> np.ndarray:
    """Trees of one sentence, drawn from exp(score / temperature): (count, words, words, symbols)."""
    from .engines import _draws, _floats

    spans = _floats(spans, 3, "spans", np.float64)
    drawn = _core.derivations_drawn(*_parts(spans[None], grammar, rules, unaries), *_draws(count, temperature, random_state, spans.size))
    return np.asarray(drawn).reshape(-1, *spans.shape)


def _parts(spans: np.ndarray, grammar: Grammar, rules: Any, unaries: Any) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    symbols, terminals, root = (int(each) for each in grammar[:3])
    if spans.shape[1] == 0 or spans.shape[1] != spans.shape[2] or spans.shape[3] != symbols:
        raise ValueError(f"spans has the shape {spans.shape}: it needs (batch, words, words, {symbols}).")
    if not (1 <= terminals <= symbols < 2**30 and 0 <= root < symbols):
        raise ValueError(f"the grammar has {symbols} symbols, {terminals} of them terminals, and the root {root}: give 1 terminal or more, "
                         "and numbers of symbols below their count.")
    given = []
    for what, width, listed, scores in (("rule", 3, grammar.rules, rules), ("unary rule", 2, grammar.unaries, unaries)):
        table = np.asarray(listed if len(listed) else np.zeros((0, width)), dtype=np.int64)
        if table.ndim != 2 or table.shape[1] != width:
            raise ValueError(f"the {what}s of the grammar have the shape {table.shape}, where ({len(listed)}, {width}) belongs.")
        for r, each in enumerate(table.tolist()):
            if min(each) < 0 or max(each) >= symbols or each[0] < terminals or (width == 2 and each[0] == each[1]):
                raise ValueError(f"{what} {r} is {tuple(each)}: its parent is no terminal, and symbols are below {symbols}.")
        if len(set(map(tuple, table.tolist()))) < len(table):
            raise ValueError(f"a {what} of the grammar is there twice: add up what both score.")
        numbers = np.zeros(len(table)) if scores is None else np.ascontiguousarray(scores, dtype=np.float64)
        if numbers.shape != (len(table),):
            raise ValueError(f"there are scores of the shape {numbers.shape} for {len(table)} {what}s of the grammar.")
        given.append((numbers, [tuple(each) for each in table.tolist()]))
    if not given[0][1]:
        raise ValueError("the grammar has no rules: give (parent, left child, right child) of one or more.")
    (rule_scores, rule_list), (unary_scores, unary_list) = given
    return spans, rule_scores, unary_scores, terminals, root, rule_list, unary_list
