"""Inference engines as functions on NumPy arrays.

Each takes scores of parts and a temperature and returns a value and counts of parts. With T_t[f] = t log sum exp(f/t),
the maximum at t = 0, the value is

    T over outputs, at the output temperature, of T over hidden parts, at the latent one, of the score of a structure,

and the counts are its gradient: which parts the best structure uses at temperature 0, how probable each is above. A
score of -inf forbids its part. ``temperature`` is one number for both, or a pair (output, latent). ``..._nbest`` lists the
best structures of one example with their scores, ``..._samples`` draws some from exp(score / temperature).

>>> import numpy as np
>>> value, counts = chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), temperature=1.0)
>>> bool(np.isclose(value[0], 3 * np.log(2))), counts.unary[0, 0].tolist()
(True, [0.5, 0.5])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._fold_engine import FoldCounts, fold, fold_nbest
from ._grammar_engine import Grammar, GrammarCounts, grammar_trees, grammar_trees_nbest, grammar_trees_samples
from ._inputs import count_of, listed, threads_of, whole_numbers

__all__ = [
    "AlignmentCounts", "ChainCounts", "ContextCounts", "FoldCounts", "Grammar", "GrammarCounts", "GraphAnswer", "GraphList",
    "PairAnswer", "PairList", "alignment",
    "alignment_nbest", "alignment_samples", "chain", "chain_argmax", "chain_loss", "chain_nbest", "chain_samples",
    "choice", "choice_nbest", "choice_samples", "clusters", "clusters_nbest", "context_chain", "context_chain_argmax",
    "context_chain_nbest", "context_chain_samples", "fold", "fold_nbest", "grammar_trees", "grammar_trees_nbest",
    "grammar_trees_samples", "graph", "graph_nbest", "graph_samples", "hierarchy",
    "hierarchy_nbest", "hierarchy_samples", "spanning_forest", "spanning_forest_nbest", "top_k", "top_k_nbest",
    "top_k_samples", "trees", "trees_nbest", "trees_samples",
]


class ChainCounts(NamedTuple):
    """How often each label stands at each position, and each pair of labels at neighbouring ones."""

    unary: np.ndarray
    pairwise: np.ndarray


class ContextCounts(NamedTuple):
    """The same, and each n-gram."""

    unary: np.ndarray
    pairwise: np.ndarray
    ngrams: np.ndarray


class GraphAnswer(NamedTuple):
    """Counts of states and pairs, the best (or most probable) states, and how they were found."""

    unary: np.ndarray
    pairwise: np.ndarray
    labels: np.ndarray
    exact: bool
    way: str


class GraphList(NamedTuple):
    """Labellings, best first, their scores, and whether no other is better for certain."""

    labels: np.ndarray
    scores: np.ndarray
    exact: bool


class AlignmentCounts(NamedTuple):
    """How often each pair of letters stands opposite each other, and how often gaps begin and go on."""

    match: np.ndarray
    opens: np.ndarray
    extends: np.ndarray


class PairAnswer(NamedTuple):
    """Which pairs are used, the cluster of each item, and whether that is the best for certain."""

    pairs: np.ndarray
    labels: np.ndarray
    exact: bool


class PairList(NamedTuple):
    """Which pairs each uses (found, pairs), best first, the cluster of each item, scores, and whether no other is better for certain."""

    pairs: np.ndarray
    labels: np.ndarray
    scores: np.ndarray
    exact: bool


def _temperatures(temperature: Any) -> tuple[float, float]:
    pair = tuple(temperature) if isinstance(temperature, (tuple, list)) or np.ndim(temperature) == 1 else (temperature, temperature)
    if len(pair) != 2 or not all(hasattr(t, "__float__") and not isinstance(t, complex) and np.isfinite(t) and t >= 0 for t in pair):
        raise ValueError(f"temperature is {temperature!r}: give a number of 0 or more, or a pair (output, latent).")
    return float(pair[0]), float(pair[1])


def _floats(array: Any, dimensions: int, name: str, dtype: Any = None) -> np.ndarray:
    array = np.asarray(array)
    if array.dtype.kind == "c":
        raise ValueError(f"{name} has complex numbers: give real ones.")
    if dtype is None:
        dtype = array.dtype if array.dtype in (np.float32, np.float64) else np.float64
    if array.ndim != dimensions:
        raise ValueError(f"{name} has the shape {array.shape}: it needs {dimensions} dimensions.")
    return np.ascontiguousarray(array, dtype=dtype)


def _lengths(lengths: Any, dimensions: int = 1) -> np.ndarray | None:
    if lengths is None:
        return None
    if np.ndim(lengths) != dimensions:
        raise ValueError(f"lengths has the shape {np.shape(lengths)}: give " + (
            "how many positions each example has, as mask.sum(1) says it." if dimensions == 1 else "both lengths of each pair, (batch, 2)."))
    return whole_numbers("lengths", lengths)


def _whole_table(name: str, values: Any) -> np.ndarray:
    if np.ndim(values) != 2:
        raise ValueError(f"{name} has the shape {np.shape(values)}: it needs 2 dimensions.")
    return whole_numbers(name, values)


def _mask(hidden: Any) -> np.ndarray | None:
    return None if hidden is None else np.ascontiguousarray(hidden, dtype=bool)


def chain(unary: Any, pairwise: Any, lengths: Any = None, hidden: Any = None, temperature: Any = 1.0,
          n_jobs: int | None = None) -> tuple[np.ndarray, ChainCounts]:
    """Linear chains: unary (batch, positions, labels), pairwise (labels, labels) or one for each step.

    pairwise of (positions - 1, labels, labels), or (batch, positions - 1, labels, labels), has scores of its own for
    each pair of neighbours. ``hidden`` (batch, positions) are positions that are no outputs. Returns values (batch,)
    and counts of the shapes of unary and of pairwise, a table for each example.
    """
    unary = _floats(unary, 3, "unary")
    output, latent = _temperatures(temperature)
    if np.ndim(pairwise) != 2:
        value, node, edge = _core.steps(unary, _steps(unary, pairwise), _lengths(lengths), _mask(hidden), output, latent,
                                        threads_of(n_jobs))
        return value, ChainCounts(node, edge)
    value, node, edge = _core.chain(unary, _floats(pairwise, 2, "pairwise", unary.dtype), _lengths(lengths),
                                    _mask(hidden), output, latent, threads_of(n_jobs))
    return value, ChainCounts(node, edge)


def chain_loss(unary: Any, pairwise: Any, labels: Any, rho: float = 0.0, temperature: Any = 1.0, lengths: Any = None,
               n_jobs: int | None = None) -> tuple[np.ndarray, ChainCounts]:
    """The loss of labels (batch, positions), below 0 where hidden, and its gradient, which has the shapes of counts.

    It is T over all labellings of score + rho errors, less T, at the latent temperature, over those that the labels
    admit of score: rho 0 and temperature 1 are a CRF's, 1 and 0 a structural SVM's.
    """
    unary = _floats(unary, 3, "unary")
    output, latent = _temperatures(temperature)
    if not np.isfinite(rho):
        raise ValueError(f"rho is {rho!r}: give a finite number.")
    value, node, edge = _core.chain_loss(unary, _floats(pairwise, 2, "pairwise", unary.dtype),
                                         _whole_table("labels", labels), _lengths(lengths), float(rho),
                                         output, latent, threads_of(n_jobs))
    return value, ChainCounts(node, edge)


def _steps(unary: np.ndarray, pairwise: Any) -> np.ndarray:
    """Tables of each step of each example."""
    pairwise = np.asarray(pairwise, dtype=unary.dtype)
    if pairwise.ndim == 3:
        pairwise = np.broadcast_to(pairwise, (len(unary), *pairwise.shape))
    if pairwise.ndim != 4:
        raise ValueError(f"pairwise has the shape {pairwise.shape}: it needs 2 dimensions, or 3 or 4 for tables of each step.")
    return np.ascontiguousarray(pairwise)


def chain_argmax(unary: Any, pairwise: Any, lengths: Any = None,
                 n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The best labels of each chain (batch, positions), -1 behind its end, and their scores: (labels, scores)."""
    unary = _floats(unary, 3, "unary", np.float64)
    if np.ndim(pairwise) != 2:
        value, counts = chain(unary, pairwise, lengths, None, 0.0, n_jobs)
        return _labels_of(counts.unary), value
    value, label = _core.chain_best(unary, _floats(pairwise, 2, "pairwise", np.float64), _lengths(lengths), threads_of(n_jobs))
    return label, value


def _labels_of(counts: np.ndarray) -> np.ndarray:
    """Labels that hard counts (batch, positions, labels) use, -1 where there is none."""
    return np.where(counts.any(axis=2), counts.argmax(axis=2), -1)


def chain_nbest(unary: Any, pairwise: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best label sequences of one chain (positions, labels), best first, and their scores."""
    unary = _floats(unary, 2, "unary", np.float64)
    if np.ndim(pairwise) == 2:
        return _core.chain_top(unary[None], _floats(pairwise, 2, "pairwise", np.float64), count_of(k))
    return _core.paths_top(unary, _floats(pairwise, 3, "pairwise", np.float64), count_of(k))


def chain_samples(unary: Any, pairwise: Any, count: int, temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Label sequences of one chain (positions, labels), drawn from exp(score / temperature)."""
    unary, pairwise = _floats(unary, 2, "unary", np.float64), np.asarray(pairwise, dtype=np.float64)
    if pairwise.ndim == 2:
        pairwise = np.broadcast_to(pairwise, (max(len(unary) - 1, 0), *pairwise.shape))
    return np.asarray(_core.paths_drawn(unary, _floats(pairwise, 3, "pairwise", np.float64),
                                        *_draws(count, temperature, random_state, len(unary))))


def _draws(count: Any, temperature: Any, random_state: Any, width: int) -> tuple[int, float, int]:
    """``width`` is how many numbers each structure has."""
    if count_of(count, "count") * max(width, 1) >= 2**31:
        raise ValueError(f"count is {count}, of {width} numbers each: draw 2**31 numbers at most, and again with another random_state.")
    if not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**63:
        raise ValueError(f"random_state is {random_state!r}: give a whole number from 0 on.")
    return int(count), float(temperature), int(random_state)


def context_chain(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any, lengths: Any = None, hidden: Any = None,
                  temperature: Any = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, ContextCounts]:
    """Chains of higher order: listed n-grams of three labels or more have scores beside the pairs."""
    output, latent = _temperatures(temperature)
    value, node, edge, ngram = _core.context_chain(
        _floats(unary, 3, "unary", np.float64), _floats(pairwise, 2, "pairwise", np.float64),
        _ngrams(ngrams, np.shape(unary)[-1]), _floats(ngram_scores, 1, "ngram_scores", np.float64),
        _lengths(lengths), _mask(hidden), output, latent, threads_of(n_jobs))
    return value, ContextCounts(node, edge, ngram)


def _ngrams(ngrams: Any, labels: int) -> list[list[int]]:
    found = [whole_numbers("ngrams", list(ngram)).tolist() for ngram in ngrams]
    for ngram in found:
        if len(ngram) < 3 or not all(0 <= k < labels for k in ngram):
            raise ValueError(f"the n-gram {tuple(ngram)} is none: give three labels or more, each from 0 to {labels - 1}.")
    return found


def context_chain_argmax(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any, lengths: Any = None,
                         n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The best labels of each chain (batch, positions), -1 behind its end, and their scores: (labels, scores)."""
    value, counts = context_chain(unary, pairwise, ngrams, ngram_scores, lengths, None, 0.0, n_jobs)
    return _labels_of(counts.unary), value


def _one_context(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any) -> tuple[Any, Any, Any, Any]:
    return (_floats(unary, 2, "unary", np.float64)[None], _floats(pairwise, 2, "pairwise", np.float64),
            _ngrams(ngrams, np.shape(unary)[-1]), _floats(ngram_scores, 1, "ngram_scores", np.float64))


def context_chain_nbest(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best label sequences of one chain (positions, labels), best first, and their scores."""
    return _core.context_top(*_one_context(unary, pairwise, ngrams, ngram_scores), count_of(k))


def context_chain_samples(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any, count: int, temperature: float = 1.0,
                          random_state: int = 1) -> np.ndarray:
    """Label sequences of one chain (positions, labels), drawn from exp(score / temperature)."""
    return np.asarray(_core.context_drawn(*_one_context(unary, pairwise, ngrams, ngram_scores),
                                          *_draws(count, temperature, random_state, np.shape(unary)[0])))


def graph(unary: Any, edges: Any, pairwise: Any, hidden: Any = None, temperature: Any = 1.0,
          **settings: float) -> tuple[float, GraphAnswer]:
    """One graph: unary (nodes, states), edges (edges, 2), pairwise (edges, states, states) or (states, states).

    Exact by elimination while its tables have at most ``max_cells`` cells, else by messages, ``max_sweeps`` at most;
    the answer says so.
    """
    output, latent = _temperatures(temperature)
    for name, number in settings.items():
        if not (np.isscalar(number) and not isinstance(number, str) and number >= 0):
            raise ValueError(f"{name} is {number!r}: give a number of 0 or more.")
    value, *answer = _core.graph(*_graph(unary, edges, pairwise), _mask(hidden), output, latent,
                                 {name: float(number) for name, number in settings.items()})
    return value, GraphAnswer(*answer)


def _graph(unary: Any, edges: Any, pairwise: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    edges = whole_numbers("edges", edges)
    if edges.size == 0:
        edges = edges.reshape(0, 2)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise ValueError(f"edges has the shape {edges.shape}: give a row for each edge, (edges, 2).")
    pairwise = np.asarray(pairwise, dtype=np.float64)
    if pairwise.ndim == 2:
        pairwise = np.broadcast_to(pairwise, (len(edges), *pairwise.shape))
    return _floats(unary, 2, "unary", np.float64), edges, _floats(pairwise, 3, "pairwise", np.float64)


def graph_nbest(unary: Any, edges: Any, pairwise: Any, k: int) -> GraphList:
    """The k best labellings (found, nodes) of one graph, best first; ``exact`` says whether they are for certain."""
    return GraphList(*_core.graph_top(*_graph(unary, edges, pairwise), count_of(k)))


def graph_samples(unary: Any, edges: Any, pairwise: Any, count: int, temperature: float = 1.0,
                  random_state: int = 1) -> np.ndarray:
    """Labellings (count, nodes) of one graph, drawn from exp(score / temperature); of graphs that elimination solves."""
    return np.asarray(_core.graph_samples(*_graph(unary, edges, pairwise),
                                          *_draws(count, temperature, random_state, np.shape(unary)[0])))


def trees(scores: Any, lengths: Any = None, temperature: Any = 1.0, n_jobs: int | None = None,
          hidden: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Binary trees over words: scores (batch, words, words) of the spans (first word, last word), single words too.

    Spans with labels have scores (batch, words, words, labels), and T is over trees with a label for each of their spans; where
    ``hidden`` (batch, words, words) is true labels are no outputs. Returns values (batch,) and counts of the shape of
    scores: how often, or how probably, each span stands in the tree, with each label.
    """
    output, latent = _temperatures(temperature)
    if np.ndim(scores) != 4:
        if hidden is not None:
            raise ValueError("hidden is of labels of spans: give scores of (batch, words, words, labels).")
        return _core.trees(_floats(scores, 3, "scores", np.float64), _lengths(lengths), output, threads_of(n_jobs))
    scores = _floats(scores, 4, "scores", np.float64)
    if scores.shape[3] == 0:
        raise ValueError("scores has no labels: give one at least.")
    spans, share = _over_last(scores, output)
    if hidden is not None and output != latent:
        there = np.asarray(hidden, dtype=bool)
        if there.shape != spans.shape:
            raise ValueError(f"hidden has the shape {there.shape}, where {spans.shape} belongs.")
        other, shared = _over_last(scores, latent)
        spans, share = np.where(there, other, spans), np.where(there[..., None], shared, share)
    value, counts = _core.trees(spans, _lengths(lengths), output, threads_of(n_jobs))
    return value, np.where(counts[..., None] == 0, 0.0, counts[..., None] * share)


def _over_last(scores: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """T over the last dimension, and its gradient; none where all is -inf."""
    if temperature == 0:
        return scores.max(-1), np.equal(np.arange(scores.shape[-1]), scores.argmax(-1)[..., None]).astype(np.float64)
    top = np.maximum(scores.max(-1), np.finfo(np.float64).min)
    with np.errstate(divide="ignore", invalid="ignore"):  # what is none of the engine's numbers is named there
        share = np.exp((scores - top[..., None]) / temperature)
        sum = share.sum(-1)
        value = np.where(sum == 0, -np.inf, top + temperature * np.log(sum))
    return value, share / np.where(sum == 0, 1, sum)[..., None]


def trees_nbest(scores: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best trees over the words of one sentence, scores (words, words): which spans stand in each (found, words, words), and scores."""
    scores = _floats(scores, 2, "scores", np.float64)
    found, value = _core.trees_top(scores, count_of(k))
    return found.reshape(-1, *scores.shape), value


def trees_samples(scores: Any, count: int, temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Trees of one sentence, drawn from exp(score / temperature): which spans stand in each (count, words, words)."""
    scores = _floats(scores, 2, "scores", np.float64)
    drawn = _core.trees_drawn(scores, *_draws(count, temperature, random_state, scores.size))
    return np.asarray(drawn).reshape(-1, *scores.shape)


def choice(scores: Any, temperature: float = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """One of several: scores (batch, options); values (batch,) and how much of each option is used."""
    return _core.choice(_floats(scores, 2, "scores"), _temperatures(temperature)[0], threads_of(n_jobs))


def choice_nbest(scores: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best options of one example (options,), best first, and their scores."""
    found, value = _core.sets_top(_floats(scores, 1, "scores", np.float64), 1, count_of(k))
    return found.argmax(axis=1), value


def choice_samples(scores: Any, count: int, temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Options of one example (options,), drawn from exp(score / temperature)."""
    drawn = _core.sets_drawn(_floats(scores, 1, "scores", np.float64), 1, *_draws(count, temperature, random_state, np.size(scores)))
    return np.asarray(drawn).argmax(axis=1)


def top_k(scores: Any, k: Any, temperature: float = 0.0, n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The k best of several items: scores (batch, items). k is a number, or how much each place counts, descending."""
    scores = _floats(scores, 2, "scores", np.float64)
    if np.ndim(k) == 0:
        if count_of(k) > scores.shape[1]:
            raise ValueError(f"there are {k} places for {scores.shape[1]} items.")
        k = np.ones(k)
    places = _floats(k, 1, "k", np.float64)
    if not np.all(np.isfinite(places)):
        raise ValueError("k has a place that counts nan or inf: give finite numbers.")
    return _core.top_k(scores, places, _temperatures(temperature)[0], threads_of(n_jobs))


def top_k_nbest(scores: Any, size: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best sets of so many items of one example (items,): which items each has (found, items), and scores."""
    return _core.sets_top(_floats(scores, 1, "scores", np.float64), count_of(size, "size"), count_of(k))


def top_k_samples(scores: Any, size: int, count: int, temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Sets of so many items of one example (items,), drawn from exp(score / temperature): (count, items)."""
    return np.asarray(_core.sets_drawn(_floats(scores, 1, "scores", np.float64), count_of(size, "size"),
                                       *_draws(count, temperature, random_state, np.size(scores))))


def hierarchy(scores: Any, parents: Any, answers: Any = None, temperature: float = 1.0,
              n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """One node of a hierarchy, scored by itself and all above it: scores (batch, nodes), values (batch,), uses of nodes.

    ``parents`` has the number of the node above each, -1 for a root, or a list where there are several; parents stand
    before their children. ``answers`` are the nodes to choose from, by default those that nothing is below.
    """
    return _core.hierarchy(_floats(scores, 2, "scores", np.float64), *_hierarchy(parents, answers),
                           _temperatures(temperature)[0], threads_of(n_jobs))


def _hierarchy(parents: Any, answers: Any) -> tuple[list[list[int]], list[int]]:
    try:
        above = [[p for p in whole_numbers("parents", each if np.ndim(each) else [each]).tolist() if p >= 0] for each in parents]
    except TypeError:
        raise TypeError("parents has for each node the number of the one above, -1 for a root, or a list of them.") from None
    for z, each in enumerate(above):
        if each and max(each) >= z:
            raise ValueError(f"node {z} has the parent {max(each)}: parents stand before their children.")
    if answers is None:
        inner = {p for each in above for p in each}
        answers = [z for z in range(len(above)) if z not in inner]
    chosen = whole_numbers("answers", listed("answers", answers, "nodes")).tolist()
    for z in chosen:
        if not 0 <= z < len(above):
            raise ValueError(f"answers has the node {z}: give nodes from 0 to {len(above) - 1}.")
    return above, chosen


def _answers(scores: Any, parents: Any, answers: Any) -> tuple[np.ndarray, np.ndarray]:
    """The nodes to choose from, and what each scores."""
    above, chosen = _hierarchy(parents, answers)
    return np.array(chosen, np.int64), np.asarray(_core.hierarchy_answers(_floats(scores, 1, "scores", np.float64), above, chosen))


def hierarchy_nbest(scores: Any, parents: Any, k: int, answers: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """The k best answers of one example (nodes,), best first, and their scores."""
    nodes, total = _answers(scores, parents, answers)
    found, value = choice_nbest(total, k)
    return nodes[found], value


def hierarchy_samples(scores: Any, parents: Any, count: int, answers: Any = None, temperature: float = 1.0,
                      random_state: int = 1) -> np.ndarray:
    """Answers of one example (nodes,), drawn from exp(score / temperature)."""
    nodes, total = _answers(scores, parents, answers)
    return nodes[choice_samples(total, count, temperature, random_state)]


def alignment(match: Any, open: float = 0.0, extend: float = 0.0, lengths: Any = None, local: bool = False,
              temperature: float = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, AlignmentCounts]:
    """Alignments of two sequences: match (batch, letters, letters) of the other; a gap scores open, and extend for each further letter.

    ``lengths`` (batch, 2) are those of both. A global alignment accounts for every letter, a local one begins and ends
    with a pair, or has none and scores 0. Letters of the first stand opposite gaps before those of the second, so that each alignment comes once.
    """
    value, *counts = _core.alignment(_floats(match, 3, "match", np.float64), float(open), float(extend),
                                     _lengths(lengths, 2), bool(local), _temperatures(temperature)[0], threads_of(n_jobs))
    return value, AlignmentCounts(*counts)


def alignment_nbest(match: Any, k: int, open: float = 0.0, extend: float = 0.0,
                    local: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The k best alignments of one pair: for each letter of the first that of the second opposite, -1 for a gap, and scores."""
    return _core.alignments_top(_floats(match, 2, "match", np.float64), float(open), float(extend), bool(local), count_of(k))


def alignment_samples(match: Any, count: int, open: float = 0.0, extend: float = 0.0, local: bool = False,
                      temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Alignments of one pair, drawn from exp(score / temperature)."""
    return np.asarray(_core.alignments_drawn(_floats(match, 2, "match", np.float64), float(open), float(extend), bool(local),
                                             *_draws(count, temperature, random_state, np.shape(match)[0])))


def _pairs(pairs: Any) -> tuple[np.ndarray, int]:
    pairs = np.asarray(pairs, dtype=np.float64)
    if pairs.ndim not in (1, 2):
        raise ValueError(f"pairs has the shape {pairs.shape}: give a square table, or one number for each pair.")
    if pairs.ndim == 2:
        if pairs.shape[0] != pairs.shape[1]:
            raise ValueError(f"pairs has the shape {pairs.shape}: give a square table, or one number for each pair.")
        n = len(pairs)
        return np.ascontiguousarray(np.concatenate([pairs[:j, j] for j in range(n)] or [np.zeros(0)])), n
    return np.ascontiguousarray(pairs), round((1 + (1 + 8 * len(pairs)) ** 0.5) / 2)


def _listed(scores: np.ndarray, used: np.ndarray, label: np.ndarray, exact: bool) -> PairList:
    return PairList(used, label, scores, exact)


def _first(found: PairList) -> tuple[float, PairAnswer]:
    return float(found.scores[0]), PairAnswer(found.pairs[0], found.labels[0], found.exact)


def spanning_forest(pairs: Any) -> tuple[float, PairAnswer]:
    """The forest of links that scores most; pairs are a square table (above its diagonal) or one number for each of
    (0, 1), (0, 2), (1, 2), (0, 3), ..."""
    return _first(spanning_forest_nbest(pairs, 1))


def spanning_forest_nbest(pairs: Any, k: int) -> PairList:
    """The k best forests of links. There are no samples: sums over forests are beyond any fast engine."""
    return _listed(*_core.spanning_forests(*_pairs(pairs), count_of(k)))


def clusters(pairs: Any) -> tuple[float, PairAnswer]:
    """The clusters whose pairs within score most (correlation clustering), exactly where that is feasible."""
    return _first(clusters_nbest(pairs, 1))


def clusters_nbest(pairs: Any, k: int) -> PairList:
    """The k best ways to cluster; ``exact`` says whether they are for certain."""
    return _listed(*_core.clusters(*_pairs(pairs), count_of(k)))
