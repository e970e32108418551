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


def refuse_labels(shape: Any, scores: Any, highest: int | None) -> None:
    """``highest`` label; None where nobody waits to look at it."""
    if tuple(shape) != tuple(scores[:-1]):
        raise ValueError(f"labels has the shape {tuple(shape)}, where {tuple(scores[:-1])} belongs.")
    if highest is not None and highest >= scores[-1]:
        raise ValueError(f"a label is {highest}: labels are from 0 to {scores[-1] - 1}, and below 0 where hidden.")
