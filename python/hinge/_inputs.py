"""Lists, weights and answers in the forms that people give and expect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def listed(name: str, values: Any, what: str) -> list[Any]:
    """A list of anything that can be iterated over, but of what is one thing."""
    if isinstance(values, (str, bytes, dict, np.generic)) or not (isinstance(values, Iterable) or hasattr(values, "__getitem__")):
        raise TypeError(f"{name} is a {type(values).__name__}, where a list of {what} belongs.")
    return list(values)


def objects_of(lists: list[Any]) -> np.ndarray:
    """A 1-D array of lists, which scikit-learn can cut and join."""
    array = np.empty(len(lists), dtype=object)
    for k, each in enumerate(lists):
        array[k] = each
    return array


def whole_numbers(what: str, values: Any) -> np.ndarray:
    """Numbers of things, 64 bits each: what is none of them is named, and not cast."""
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind == "f":
        odd = ~((np.floor(array) == array) & (np.abs(array) < 2.0**63))
    elif array.dtype.kind in "iu":
        odd = array > np.iinfo(np.int64).max if array.dtype == np.uint64 else np.zeros(0, dtype=bool)
    else:
        odd = np.full(array.shape, array.dtype.kind != "b")
    if np.any(odd):
        raise ValueError(f"{what} has {array[odd].ravel()[0]!s}: give whole numbers of 64 bits at most.")
    return np.ascontiguousarray(array, dtype=np.int64)


def without_missing(values: Any) -> Any:
    """What pandas has no value for is None, as what nobody knows."""
    if not (hasattr(values, "isna") and hasattr(values, "tolist")):
        return values
    missing = np.asarray(values.isna())
    return [None if nothing else value for value, nothing in zip(values.tolist(), missing)] if missing.any() else values


def weights_of(sample_weight: Any, n: int | None = None, what: str = "examples") -> np.ndarray | None:
    """One weight for each; ``n`` is None where nobody knows how many there are, and one number stays one then."""
    if sample_weight is None:
        return None
    weights = np.array(sample_weight, dtype=np.float64)
    if weights.ndim == 0 and n is not None:
        weights = np.full(n, float(weights))
    if weights.ndim > 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if n is not None and len(weights) != n:
        raise ValueError(f"there are {len(weights)} sample weights for {n} {what}: give one for each.")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise ValueError("sample weights are numbers of 0 or more.")
    if not np.any(weights > 0):
        raise ValueError("every sample weight is zero, so that nothing is left to learn from.")
    return weights


def count_of(k: Any, name: str = "k") -> int:
    """How many answers are asked for."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ValueError(f"{name} is {k!r}: give a whole number from 1 on.")
    if k >= 2**62:
        raise ValueError(f"{name} is {k}: no list is so long, give a number below 2**62.")
    return int(k)


def threads_of(n_jobs: Any) -> int:
    """How many threads are asked for: 0 is one for each core."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs < -1 or n_jobs == 0 or n_jobs > 1024:
        raise ValueError(f"n_jobs is {n_jobs!r}: give a number of threads, 1024 at most, or -1 for every core.")
    return 0 if n_jobs == -1 else int(n_jobs)
