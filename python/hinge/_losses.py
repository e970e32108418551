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


def tree_spans(spans: Any, shape: Any, lengths: Any = None) -> np.ndarray:
    """Which spans cannot be right (batch, words, words): those that are said not to be, and those that cross one that is.

    Single words and all words together stand in every tree. What is said of words behind the end is of no account.
    """
    spans = np.asarray(spans)
    if spans.shape != tuple(shape):
        raise ValueError(f"spans has the shape {spans.shape}, where {tuple(shape)} belongs: 1 in the tree, 0 not, below 0 where nobody knows.")
    wrong = spans == 0
    if wrong.size == 0:
        return wrong
    first, last = np.indices(spans.shape[1:])
    ends = _ends(shape, lengths)
    for b, i, j in np.argwhere(np.triu(spans > 0, 1)):
        if j < ends[b]:
            wrong[b] |= ((first < i) & (i <= last) & (last < j)) | ((i < first) & (first <= j) & (j < last))
    wrong[:, np.arange(len(first)), np.arange(len(first))] = False
    wrong[np.arange(len(spans)), 0, np.array(ends) - 1] = False
    for b, n in enumerate(ends):
        if not _admits_a_tree(spans[b, :n, :n], wrong[b, :n, :n]):
            raise ValueError(f"example {b}: no binary tree has the spans that are said to be 1, and none of those that are said to be 0.")
    return wrong


def _ends(shape: Any, lengths: Any) -> list[int]:
    """How many words each sentence has."""
    return [int(shape[1])] * int(shape[0]) if lengths is None else [int(n) for n in lengths]


def _open(spans: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """The spans (number, 2) of one sentence of which nobody knows whether they stand in its tree."""
    n = len(spans)
    unknown = np.triu((spans < 0) & ~wrong, 1)
    unknown[:1, n - 1 :] = False
    return np.argwhere(unknown)


def _admits_a_tree(spans: np.ndarray, wrong: np.ndarray) -> bool:
    n = len(spans)
    if n < 3:
        return True
    if len(_open(spans, wrong)) == 0:  # spans that do not cross are a tree where they are enough
        return int(np.triu(~wrong).sum()) == 2 * n - 1
    reached = np.eye(n, dtype=bool)
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            reached[i, j] = not wrong[i, j] and bool((reached[i, i:j] & reached[i + 1 : j + 1, j]).any())
    return bool(reached[0, n - 1])


def refuse_open_trees(spans: Any, wrong: np.ndarray, lengths: Any) -> None:
    """At two temperatures a tree that is known in part would be a maximum over sums of trees."""
    spans = np.asarray(spans)
    for b, n in enumerate(_ends(wrong.shape, lengths)):
        unknown = _open(spans[b, :n, :n], wrong[b, :n, :n])
        if len(unknown):
            raise ValueError(f"example {b}: nobody knows whether the span {tuple(unknown[0].tolist())} stands in its tree, and trees that are known in "
                             "part have losses of one temperature: take 'crf', 'ssvm', 'softmax-margin', or one temperature.")


def refuse_labels_of_spans(labels: Any, shape: Any, lengths: Any) -> None:
    """Labels (batch, words, words) of spans; those that are no span of the sentence are of no account."""
    labels = np.asarray(labels)
    refuse_labels(labels.shape, shape, labels.dtype)
    for b, n in enumerate(_ends(shape, lengths)):
        odd = np.argwhere(np.triu(labels[b, :n, :n]) >= shape[3])
        if len(odd):
            i, j = odd[0].tolist()
            raise ValueError(f"example {b}: the span {(i, j)} has the label {labels[b, i, j]}: labels are from 0 to {shape[3] - 1}, and below 0 where "
                             "hidden.")


def refuse_other_shape(name: str, shape: Any, expected: Any) -> None:
    if tuple(shape) != tuple(expected):
        raise ValueError(f"{name} has the shape {tuple(shape)}, where {tuple(expected)} belongs.")


def refuse_scores_of_spans(shape: Any, labels: Any) -> None:
    if len(shape) not in (3, 4) or shape[1] != shape[2]:
        raise ValueError(f"scores has the shape {tuple(shape)}, where (batch, words, words) belongs, or (batch, words, words, labels).")
    if len(shape) == 4 and shape[3] == 0:
        raise ValueError("scores has no labels: give one at least.")
    if len(shape) == 3 and labels is not None:
        raise ValueError("labels are of spans with labels: give scores of (batch, words, words, labels).")


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


def each_graph(loss: Any, batch: list[Any]) -> list[Any]:
    """The loss of each graph; what is wrong with one has its number."""
    losses = []
    for number, each in enumerate(batch):
        try:
            losses.append(loss(*each))
        except ValueError as error:
            raise ValueError(f"graph {number}: {error}") from None
    return losses


def _shape(values: Any) -> Any:
    return values.shape if hasattr(values, "shape") else np.shape(values)


def refuse_labels(shape: Any, scores: Any, dtype: Any = "int") -> None:
    """Labels of scores of those shapes are whole numbers, one for each."""
    if "float" in str(dtype):
        raise ValueError(f"labels are of the type {dtype}: give whole numbers.")
    if tuple(shape) != tuple(scores[:-1]):
        raise ValueError(f"labels has the shape {tuple(shape)}, where {tuple(scores[:-1])} belongs.")


def refuse_high_labels(labels: Any, states: int, lengths: Any = None) -> None:
    """Labels (batch, positions), of pictures, or of one graph; those behind the end are of no account."""
    labels = np.asarray(labels)
    high = labels >= states
    if lengths is not None and labels.ndim == 2:
        high &= np.arange(labels.shape[1]) < np.asarray(lengths).reshape(-1, 1)
    if high.any():
        place = tuple(np.argwhere(high)[0])
        whose = f"example {place[0]}" if labels.ndim > 1 else f"node {place[0]}"
        raise ValueError(f"{whose} has the label {labels[place]}: labels are from 0 to {states - 1}, and below 0 where hidden.")
