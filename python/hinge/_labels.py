"""Labels as Python has them, beside their names in the task."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

import numpy as np


_SEVERAL = "labels are of several types that cannot be told apart or ordered: give all of one type."
_KINDS: dict[str, Any] = {"str": str, "int": int, "float": float, "bool": lambda text: text == "True", "tuple": ast.literal_eval,
                          "bytes": ast.literal_eval}


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
        kinds = {_kind(label) for label in objects}
        if len(kinds) > 1:
            raise TypeError(_SEVERAL)
        try:
            objects = sorted(objects)
        except TypeError:
            raise TypeError(f"labels of the type {kinds.pop()} cannot be ordered: give text or numbers.") from None
        return cls(objects, names)

    def by_number(self) -> list[Any]:
        """The object of each of the task's labels."""
        return [self.array[k] if k >= 0 else None for k in self.numbers]

    def kept(self) -> dict[str, Any]:
        """What a model file says of labels, so that ``loaded`` has them as they are."""
        kind = _kind(self.array[0])
        for label in self.array:
            try:
                back = _KINDS[kind](text_of(label)) if kind in _KINDS else None
            except (ValueError, SyntaxError):
                back = None
            if back != label or _kind(back) != kind:
                raise TypeError(f"the label {label!r} is a {kind}, which does not come back from a model file: learn from labels that are str, "
                                "int, float, bool, bytes or tuples of these, or pickle the estimator.")
        return {"labels": kind}

    @classmethod
    def loaded(cls, kept: dict[str, Any], names: list[str]) -> Classes:
        kind = _KINDS.get(kept.get("labels", ""))
        return cls.of({name: kind(name) for name in names} if kind else {}, names)


def refuse_sets(estimator: str, what: str, y: Iterable[Any], instead: str) -> None:
    """Of estimators whose labels are one class or nothing."""
    for i, label in enumerate(y):
        if isinstance(label, (set, frozenset)):
            raise ValueError(f"{what} {i} has the set {label!r}, but {estimator} does not learn from sets of labels: give one label, {instead}.")


def known_or_none(what: str, y: Iterable[Any]) -> list[Any]:
    """Labels with None for pandas' NA and NaT; nan is named."""
    labels = [None if type(label).__name__ in ("NAType", "NaTType") else label for label in y]
    for i, label in enumerate(labels):
        if isinstance(label, (float, np.floating)) and label != label:
            raise ValueError(f"{what} {i} has the label nan: give None where it is not known.")
    return labels


def text_of(label: Any) -> str:
    return str(label.item() if isinstance(label, np.generic) else label)


def _kind(label: Any) -> str:
    return type(label.item() if isinstance(label, np.generic) else label).__name__


def _array(values: list[Any]) -> np.ndarray:
    if values and all(isinstance(v, (str, int, float, bool, np.generic)) for v in values):
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
