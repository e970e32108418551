"""What the layers of torch and of JAX share: methods by name, and what labels may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from .engines import _temperatures

# rho, output temperature, latent temperature
METHODS = {"crf": (0.0, 1.0, 1.0), "hcrf": (0.0, 1.0, 1.0), "ssvm": (1.0, 0.0, 0.0), "lssvm": (1.0, 0.0, 0.0),
           "mssvm": (1.0, 0.0, 1.0), "softmax-margin": (1.0, 1.0, 1.0)}


def method_of(method: str, temperature: Any) -> tuple[float, float, float]:
    """(rho, output temperature, latent temperature); ``temperature`` replaces the method's."""
    if method not in METHODS:
        raise ValueError(f"method is {method!r}: give one of {', '.join(METHODS)}.")
    rho, output, latent = METHODS[method]
    return (rho, output, latent) if temperature is None else (rho, *_temperatures(temperature))


def one_temperature(what: str, instead: str, method: str, temperature: Any) -> tuple[float, float]:
    """(rho, temperature) of a method that needs no second temperature."""
    rho, output, latent = method_of(method, temperature)
    if output != latent:
        raise ValueError(f"{what} have losses of one temperature: {instead}.")
    return rho, output


def tree_spans(spans: Any, scores: Any, lengths: Any = None) -> np.ndarray:
    """Which spans cannot be right (batch, words, words): those that are said not to be, and those that cross one that is.

    Single words and all words together stand in every tree. What is said of words behind the end is of no account.
    """
    spans = np.asarray(spans)
    if spans.shape != tuple(scores):
        raise ValueError(f"spans has the shape {spans.shape}, where {tuple(scores)} belongs: 1 in the tree, 0 not, below 0 where nobody knows.")
    wrong = spans == 0
    first, last = np.indices(spans.shape[1:])
    ends = [spans.shape[1]] * len(spans) if lengths is None else [int(n) for n in lengths]
    for b, i, j in np.argwhere(np.triu(spans > 0, 1)):
        if j < ends[b]:
            wrong[b] |= ((first < i) & (i <= last) & (last < j)) | ((i < first) & (first <= j) & (j < last))
    wrong[:, np.arange(len(first)), np.arange(len(first))] = False
    wrong[np.arange(len(spans)), 0, np.array(ends) - 1] = False
    return wrong


def graph_batch(unary: Any, edges: Any, pairwise: Any, labels: Any) -> list[tuple[Any, Any, Any, Any]] | None:
    """(unary, edges, pairwise, labels) of each graph of a batch; None of one graph.

    Edges and pairwise may be the same for all.
    """
    if not isinstance(unary, (list, tuple)) and len(unary.shape) != 3:
        return None
    count = len(unary)
    own_edges = len(edges) == count and all(len(_shape(each)) == 2 for each in edges)
    own_tables = isinstance(pairwise, (list, tuple)) or len(pairwise.shape) == 4
    for name, values in (("pairwise", pairwise if own_tables else unary), ("labels", labels)):
        if len(values) != count:
            raise ValueError(f"there are {count} graphs, but {name} of {len(values)}: give them for each.")
    return list(zip(unary, edges if own_edges else [edges] * count, pairwise if own_tables else [pairwise] * count, labels))


def _shape(values: Any) -> Any:
    return values.shape if hasattr(values, "shape") else np.shape(values)


def refuse_labels(shape: Any, scores: Any, highest: int | None, dtype: Any = "int") -> None:
    """``highest`` label; None where nobody waits to look at it."""
    if "float" in str(dtype):
        raise ValueError(f"labels are of the type {dtype}: give whole numbers.")
    if tuple(shape) != tuple(scores[:-1]):
        raise ValueError(f"labels has the shape {tuple(shape)}, where {tuple(scores[:-1])} belongs.")
    if highest is not None and highest >= scores[-1]:
        raise ValueError(f"a label is {highest}: labels are from 0 to {scores[-1] - 1}, and below 0 where hidden.")
