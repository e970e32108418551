"""Inference engines as functions on NumPy arrays.

Each takes scores of parts and a temperature and returns a value and counts of parts. With T_t[f] = t log sum exp(f/t),
the maximum at t = 0, the value is

    T over outputs, at the output temperature, of T over hidden parts, at the latent one, of the score of a structure,

and the counts are its gradient: which parts the best structure uses at temperature 0, how probable each is above. A
score of -inf forbids its part. ``temperature`` is one number for both, or a pair (output, latent).

>>> import numpy as np
>>> value, counts = chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), temperature=1.0)
>>> bool(np.isclose(value[0], 3 * np.log(2))), counts.unary[0, 0].tolist()
(True, [0.5, 0.5])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core

__all__ = [
    "ChainCounts", "ContextCounts", "GraphAnswer", "PairAnswer", "chain", "chain_argmax", "chain_loss", "chain_nbest",
    "chain_samples", "choice", "clusters", "context_chain", "graph", "graph_samples", "spanning_forest", "top_k", "trees",
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


class PairAnswer(NamedTuple):
    """Which pairs are used, the cluster of each item, and whether that is the best for certain."""

    pairs: np.ndarray
    labels: np.ndarray
    exact: bool


def _temperatures(temperature: Any) -> tuple[float, float]:
    pair = temperature if isinstance(temperature, (tuple, list)) else (temperature, temperature)
    if len(pair) != 2 or not all(np.isfinite(t) and t >= 0 for t in pair):
        raise ValueError(f"temperature is {temperature!r}: give a number of 0 or more, or a pair (output, latent).")
    return float(pair[0]), float(pair[1])


def _floats(array: Any, dimensions: int, name: str, dtype: Any = None) -> np.ndarray:
    array = np.asarray(array)
    if dtype is None:
        dtype = array.dtype if array.dtype in (np.float32, np.float64) else np.float64
    if array.ndim != dimensions:
        raise ValueError(f"{name} has the shape {array.shape}: it needs {dimensions} dimensions.")
    return np.ascontiguousarray(array, dtype=dtype)


def _lengths(lengths: Any) -> np.ndarray | None:
    return None if lengths is None else np.ascontiguousarray(lengths, dtype=np.int64)


def _mask(hidden: Any) -> np.ndarray | None:
    return None if hidden is None else np.ascontiguousarray(hidden, dtype=bool)


def _threads(n_jobs: int | None) -> int:
    return 1 if n_jobs is None else 0 if n_jobs == -1 else int(n_jobs)


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
        return _stepwise(unary, np.asarray(pairwise), lengths, hidden, (output, latent))
    value, node, edge = _core.chain(unary, _floats(pairwise, 2, "pairwise", unary.dtype), _lengths(lengths),
                                    _mask(hidden), output, latent, _threads(n_jobs))
    return value, ChainCounts(node, edge)


def chain_loss(unary: Any, pairwise: Any, labels: Any, rho: float = 0.0, temperature: Any = 1.0, lengths: Any = None,
               n_jobs: int | None = None) -> tuple[np.ndarray, ChainCounts]:
    """The loss of labels (batch, positions), below 0 where hidden, and its gradient, which has the shapes of counts.

    It is T over all labellings of score + rho errors, less T, at the latent temperature, over those that the labels
    admit of score: rho 0 and temperature 1 are a CRF's, 1 and 0 a structural SVM's.
    """
    unary = _floats(unary, 3, "unary")
    output, latent = _temperatures(temperature)
    value, node, edge = _core.chain_loss(unary, _floats(pairwise, 2, "pairwise", unary.dtype),
                                         np.ascontiguousarray(labels, dtype=np.int64), _lengths(lengths), float(rho),
                                         output, latent, _threads(n_jobs))
    return value, ChainCounts(node, edge)


def _stepwise(unary: np.ndarray, pairwise: np.ndarray, lengths: Any, hidden: Any,
              temperatures: tuple[float, float]) -> tuple[np.ndarray, ChainCounts]:
    """Chains whose steps have scores of their own: graphs that elimination solves exactly."""
    batch, positions, labels = unary.shape
    if pairwise.ndim == 3:
        pairwise = np.broadcast_to(pairwise, (batch, *pairwise.shape))
    if pairwise.shape != (batch, positions - 1, labels, labels):
        raise ValueError(f"pairwise has the shape {pairwise.shape}, where {(batch, positions - 1, labels, labels)} "
                         "belongs.")
    value = np.zeros(batch, dtype=unary.dtype)
    nodes, tables = np.zeros_like(unary), np.zeros(pairwise.shape, dtype=unary.dtype)
    steps = np.stack([np.arange(positions - 1), np.arange(1, positions)], axis=1)
    for b in range(batch):
        n = positions if lengths is None else int(lengths[b])
        if not 1 <= n <= positions:
            raise ValueError(f"the length of example {b} is {n}: it must be from 1 to {positions}.")
        value[b], answer = graph(unary[b, :n], steps[: n - 1], pairwise[b, : n - 1],
                                 None if hidden is None else np.asarray(hidden)[b, :n], temperatures)
        nodes[b, :n], tables[b, : n - 1] = answer.unary, answer.pairwise
    return value, ChainCounts(nodes, tables)


def chain_argmax(unary: Any, pairwise: Any, lengths: Any = None,
                 n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The best labels of each chain (batch, positions), -1 behind its end, and their scores: (labels, scores)."""
    value, label = _core.chain_best(_floats(unary, 3, "unary", np.float64), _floats(pairwise, 2, "pairwise", np.float64),
                                    _lengths(lengths), _threads(n_jobs))
    return label, value


def chain_nbest(unary: Any, pairwise: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k best label sequences of one chain (positions, labels), best first, and their scores."""
    return _core.chain_top(_floats(unary, 2, "unary", np.float64)[None], _floats(pairwise, 2, "pairwise", np.float64),
                           int(k))


def chain_samples(unary: Any, pairwise: Any, count: int, temperature: float = 1.0, random_state: int = 1) -> np.ndarray:
    """Label sequences of one chain (positions, labels), drawn from exp(score / temperature)."""
    return np.asarray(_core.chain_samples(_floats(unary, 2, "unary", np.float64)[None],
                                          _floats(pairwise, 2, "pairwise", np.float64), int(count), float(temperature),
                                          int(random_state)))


def context_chain(unary: Any, pairwise: Any, ngrams: Any, ngram_scores: Any, lengths: Any = None, hidden: Any = None,
                  temperature: Any = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, ContextCounts]:
    """Chains of higher order: listed n-grams of three labels or more have scores beside the pairs."""
    output, latent = _temperatures(temperature)
    value, node, edge, ngram = _core.context_chain(
        _floats(unary, 3, "unary", np.float64), _floats(pairwise, 2, "pairwise", np.float64),
        [[int(k) for k in ngram] for ngram in ngrams], _floats(ngram_scores, 1, "ngram_scores", np.float64),
        _lengths(lengths), _mask(hidden), output, latent, _threads(n_jobs))
    return value, ContextCounts(node, edge, ngram)


def graph(unary: Any, edges: Any, pairwise: Any, hidden: Any = None, temperature: Any = 1.0,
          **settings: float) -> tuple[float, GraphAnswer]:
    """One graph: unary (nodes, states), edges (edges, 2), pairwise (edges, states, states) or (states, states).

    Exact by elimination while its tables have at most ``max_cells`` cells, else by messages, ``max_sweeps`` at most;
    the answer says so.
    """
    output, latent = _temperatures(temperature)
    value, *answer = _core.graph(*_graph(unary, edges, pairwise), _mask(hidden), output, latent,
                                 {name: float(number) for name, number in settings.items()})
    return value, GraphAnswer(*answer)


def _graph(unary: Any, edges: Any, pairwise: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    edges = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
    pairwise = np.asarray(pairwise, dtype=np.float64)
    if pairwise.ndim == 2:
        pairwise = np.broadcast_to(pairwise, (len(edges), *pairwise.shape))
    return _floats(unary, 2, "unary", np.float64), edges, _floats(pairwise, 3, "pairwise", np.float64)


def graph_samples(unary: Any, edges: Any, pairwise: Any, count: int, temperature: float = 1.0,
                  random_state: int = 1) -> np.ndarray:
    """Labellings (count, nodes) of one graph, drawn from exp(score / temperature); of graphs that elimination solves."""
    return np.asarray(_core.graph_samples(*_graph(unary, edges, pairwise), int(count), float(temperature),
                                          int(random_state)))


def trees(scores: Any, lengths: Any = None, temperature: float = 1.0,
          n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Binary trees over words: scores (batch, words, words) of the spans (first word, last word), single words too.

    Returns values (batch,) and how often, or how probably, each span stands in the tree. Spans with labels: take the
    maximum or the log of the sum over labels first.
    """
    return _core.trees(_floats(scores, 3, "scores", np.float64), _lengths(lengths), _temperatures(temperature)[0],
                       _threads(n_jobs))


def choice(scores: Any, temperature: float = 1.0, n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """One of several: scores (batch, options); values (batch,) and how much of each option is used."""
    return _core.choice(_floats(scores, 2, "scores"), _temperatures(temperature)[0], _threads(n_jobs))


def top_k(scores: Any, k: Any, temperature: float = 0.0, n_jobs: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The k best of several items: scores (batch, items). k is a number, or how much each place counts, descending."""
    places = np.ones(k) if isinstance(k, (int, np.integer)) else np.ascontiguousarray(k, dtype=np.float64)
    return _core.top_k(_floats(scores, 2, "scores", np.float64), places, _temperatures(temperature)[0],
                       _threads(n_jobs))


def _pairs(pairs: Any) -> tuple[np.ndarray, int]:
    pairs = np.asarray(pairs, dtype=np.float64)
    if pairs.ndim == 2:
        if pairs.shape[0] != pairs.shape[1]:
            raise ValueError(f"pairs has the shape {pairs.shape}: give a square table, or one number for each pair.")
        n = len(pairs)
        return np.ascontiguousarray(np.concatenate([pairs[:j, j] for j in range(n)] or [np.zeros(0)])), n
    return np.ascontiguousarray(pairs), round((1 + (1 + 8 * len(pairs)) ** 0.5) / 2)


def spanning_forest(pairs: Any) -> tuple[float, PairAnswer]:
    """The forest of links that scores most; pairs are a square table (above its diagonal) or one number for each of
    (0, 1), (0, 2), (1, 2), (0, 3), ..."""
    value, used, label, exact = _core.spanning_forest(*_pairs(pairs))
    return value, PairAnswer(used, label, exact)


def clusters(pairs: Any) -> tuple[float, PairAnswer]:
    """The clusters whose pairs within score most (correlation clustering), exactly where that is feasible."""
    value, used, label, exact = _core.clusters(*_pairs(pairs))
    return value, PairAnswer(used, label, exact)
