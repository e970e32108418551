"""Labels as Python has them, beside their names in the task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


class Classes:
    """Labels as Python has them, beside the names that the task has."""

    def __init__(self, objects: Iterable[Any], names: list[str]) -> None:
        """``objects`` are sorted; ``names`` are the task's, in its order."""
        self.array = _array(list(objects))
        place = {name: k for k, name in enumerate(names)}
        self.columns = np.array([place[text_of(label)] for label in self.array], dtype=np.int64)
        self.numbers = np.full(len(names), -1, dtype=np.int64)  # of each of the task's, its place in array
        self.numbers[self.columns] = np.arange(len(self.array))

    @classmethod
    def of(cls, texts: dict[str, Any], names: list[str]) -> Classes:
        """``texts`` has the objects of those names that are not what they were given as."""
        objects = [texts.get(name, name) for name in names]
        try:
            objects = sorted(objects)
        except TypeError:
            raise TypeError("labels are of several types that cannot be ordered: give all of one type.") from None
        return cls(objects, names)

    def by_number(self) -> list[Any]:
        """The object of each of the task's labels."""
        return [self.array[k] if k >= 0 else None for k in self.numbers]

    def kept(self) -> dict[str, Any]:
        kind = type(self.array[0].item() if isinstance(self.array[0], np.generic) else self.array[0]).__name__
        return {"labels": kind}

    @classmethod
    def loaded(cls, kept: dict[str, Any], names: list[str]) -> Classes:
        kinds: dict[str, Any] = {"int": int, "float": float, "bool": lambda text: text == "True"}
        kind = kinds.get(kept.get("labels", ""))
        return cls.of({name: kind(name) for name in names} if kind else {}, names)


def refuse_sets(estimator: str, what: str, y: Iterable[Any], instead: str) -> None:
    """Of estimators whose labels are one class or nothing."""
    for i, label in enumerate(y):
        if isinstance(label, (set, frozenset)):
            raise ValueError(f"{what} {i} has the set {label!r}, but {estimator} does not learn from sets of labels: give one label, {instead}.")


def text_of(label: Any) -> str:
    return str(label.item() if isinstance(label, np.generic) else label)


def _array(values: list[Any]) -> np.ndarray:
    if values and all(isinstance(v, (str, int, float, bool, np.generic)) for v in values):
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
