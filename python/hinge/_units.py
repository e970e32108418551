"""Data that folds cut: examples, with what fit is told of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Units:
    """X, y and keywords of ``fit``; ``sample_weight`` and ``groups`` have a value for each unit, as X and y have.

    Units are examples. Where an example is several rows of X and y, ``sizes`` has their numbers, and ``fit`` and
    ``score`` are told them as ``group``.
    """

    def __init__(self, X: Any, y: Any, keywords: dict[str, Any], sizes: Sequence[int] | None = None) -> None:
        self.X, self.y = (each if each is None or _sliced(each) else list(each) for each in (X, y))
        self.keywords = {name: value for name, value in keywords.items() if value is not None}
        self.groups = self.keywords.get("groups")
        self._first = None if sizes is None else np.cumsum([0, *sizes])
        self.count = _length(self.X) if sizes is None else len(sizes)
        if self.y is not None and _length(self.y) != _length(self.X):
            raise ValueError(f"X has {_length(self.X)} examples, but y has {_length(self.y)}: give one for each.")
        for name in ("sample_weight", "groups"):
            value = self.keywords.get(name)
            if value is not None and np.ndim(value) > 0 and _length(value) != self.count:
                raise ValueError(f"{name} has {_length(value)} values for {self.count} examples: give one for each.")

    def chosen(self, indices: np.ndarray, among: np.ndarray | None = None) -> tuple[Any, Any, dict[str, Any]]:
        """X, y and keywords of some of the units; where X has products of units, with those of ``among``."""
        if indices.dtype == bool:
            indices = np.flatnonzero(indices)
        rows, keywords = self._rows(indices), dict(self.keywords)
        if self._first is not None:
            keywords["group"] = [int(self._first[i + 1] - self._first[i]) for i in indices]
            keywords.pop("qid", None)
        for name in ("sample_weight", "groups"):
            if name in keywords and np.ndim(keywords[name]) > 0:
                keywords[name] = _chosen(keywords[name], indices)
        X = _chosen(self.X, rows)
        return X if among is None else _columns(X, self._rows(among)), None if self.y is None else _chosen(self.y, rows), keywords

    def _rows(self, indices: np.ndarray) -> np.ndarray:
        if indices.dtype == bool:
            indices = np.flatnonzero(indices)
        if self._first is None:
            return indices
        return np.concatenate([np.arange(self._first[i], self._first[i + 1]) for i in indices])

    def classes(self) -> np.ndarray | None:
        """y where it is one known label for each unit, for splitters that want to see it."""
        if self.y is None or self._first is not None:
            return None
        labels = [self.y.iloc[i] if hasattr(self.y, "iloc") else self.y[i] for i in range(self.count)]
        plain = all(isinstance(label, (str, int, float, np.generic)) for label in labels)
        return np.asarray(labels) if plain else None


def _sliced(values: Any) -> bool:
    return hasattr(values, "shape") or isinstance(values, (list, str, dict))


def _length(values: Any) -> int:
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def _columns(table: Any, indices: np.ndarray) -> Any:
    return table.iloc[:, indices] if hasattr(table, "iloc") else (table if hasattr(table, "shape") else np.asarray(table))[:, indices]


def _chosen(values: Any, indices: np.ndarray) -> Any:
    if hasattr(values, "iloc"):
        return values.iloc[indices]
    return values[indices] if hasattr(values, "shape") else [values[i] for i in indices]
