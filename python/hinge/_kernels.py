"""Rows that a kernel of the user's compares: by a table of products (``kernel="precomputed"``), or by a function of two sets of inputs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core
from ._inputs import objects_of


def of_products(kernel: Any) -> bool:
    """Whether X has products with the inputs of training, as in scikit-learn's SVC."""
    return isinstance(kernel, str) and kernel == "precomputed"


def is_list_of_inputs(X: Any) -> bool:
    """Whether X is no table, but a list of inputs that only the kernel understands."""
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "OUS"
    return isinstance(X, (list, tuple)) and not all(_of_numbers(x) for x in X)


def _of_numbers(x: Any) -> bool:
    if isinstance(x, (str, bytes, dict)) or not hasattr(x, "__len__"):
        return isinstance(x, (int, float, np.number))
    return getattr(x, "ndim", 1) == 1 and all(isinstance(v, (int, float, np.number)) for v in x)


def as_inputs(X: Any) -> Any:
    """A list of inputs as an array of objects, which can be cut."""
    return X if isinstance(X, np.ndarray) else objects_of(list(X))


def products(kernel: Any, X: Any, others: Any) -> np.ndarray:
    """kernel(X, others), which has a row for each of X and a column for each of the others."""
    made = kernel(X, others)
    table = np.asarray(made.toarray() if hasattr(made, "toarray") else made, dtype=np.float64)
    shape = (len_of(X), len_of(others))
    if table.shape != shape:
        raise ValueError(f"kernel(X, Y) gave the shape {table.shape}, where {shape} belongs: a product of each row of X with each of Y.")
    if not np.all(np.isfinite(table)):
        i, j = np.argwhere(~np.isfinite(table))[0]
        raise ValueError(f"kernel(X, Y) gave {table[i, j]} for row {i} of X and row {j} of Y: give finite numbers.")
    return np.ascontiguousarray(table)


def len_of(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def needed(core: _core.Model) -> np.ndarray:
    """The inputs of training, by their numbers, that predictions depend on; one at least."""
    numbers = all_numbers = np.asarray(core.array("kernel_inputs")).astype(np.int64)
    if json.loads(core.task_options())["kernel_map"] == "none":
        numbers = numbers[np.any(np.asarray(core.weights()).reshape(len(numbers), -1) != 0, axis=1)]
    return np.unique(numbers if len(numbers) else all_numbers[-1:])


class Compared:
    """The inputs of training that an estimator fitted with ``kernel=function`` has kept, by their numbers, and the function."""

    def __init__(self, kernel: Any, inputs: Any) -> None:
        self.kernel, self.size = kernel, len_of(inputs)
        self.numbers, self.inputs = np.arange(self.size), inputs

    def of(self, numbers: np.ndarray) -> Any:
        return self.inputs[np.searchsorted(self.numbers, numbers)]

    def only(self, numbers: np.ndarray) -> Compared:
        """The same, without those that are not needed."""
        made = Compared.__new__(Compared)
        made.kernel, made.size, made.numbers, made.inputs = self.kernel, self.size, numbers, self.of(numbers)
        return made

    def rows(self, core: _core.Model, X: Any) -> _core.Rows:
        """Other inputs, by their products with those that the model needs."""
        numbers = needed(core)
        table = products(self.kernel, X, self.of(numbers))
        start = np.arange(len(table) + 1, dtype=np.int64) * len(numbers)
        return _core.Rows(start, np.tile(numbers, len(table)), table.ravel())
