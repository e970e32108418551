"""Estimators that choose C by cross-validation, along one warm-started path a fold."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._base import ConvergenceWarning, Estimator, _clone

_EXTRA: list[tuple[str, Any, str]] = [
    ("Cs", None, "Values of C to choose from; None: 0.001, 0.01, ... 100."),
    ("cv", 5, "Folds, each once held out: their number, or an iterable of (training, test) indices."),
    ("metric", None, "By which the best is chosen; None: the loss of the task."),
]


def with_cv(base: type[Any]) -> type[Any]:
    """The class of that estimator that chooses C itself."""

    def fit(self: Any, X: Any, y: Any, **keywords: Any) -> Any:
        """Choose C by cross-validation, then learn from all of X and y with it."""
        Cs = sorted(float(C) for C in (self.Cs if self.Cs is not None else 10.0 ** np.arange(-3, 3)))
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        scores = np.zeros((0, len(Cs)))
        for rest, part in _folds(self.cv, n, self._seed()):
            each = base(**{k: v for k, v in self.get_params().items() if k in base._parameters})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                each._fit_path(_chosen(X, rest), _chosen(y, rest), Cs)
            row = []
            for k in range(each._model.runs()):
                each._model.choose_run(k)
                row.append(each.score(_chosen(X, part), _chosen(y, part), metric=self.metric or "loss"))
            if len(row) < len(Cs):
                raise RuntimeError("it was stopped before every fold was done, so that no C could be chosen.")
            scores = np.vstack([scores, row])
        self.cv_results_ = {"C": np.array(Cs), "scores": scores, "mean": scores.mean(axis=0)}
        self.C_ = Cs[int(np.argmax(self.cv_results_["mean"]))]
        kept, self.C = self.C, self.C_
        try:
            return base.fit(self, X, y, **keywords)
        finally:
            self.C = kept

    name = base.__name__ + "CV"
    doc = f"{base.__name__} that chooses C by cross-validation: ``C_`` is the best, ``cv_results_`` has all scores."
    return type(name, (base,), {"__doc__": doc, "fit": fit, "_extra": [*base._extra, *_EXTRA],
                                "__module__": "hinge", "__qualname__": name})


def _folds(cv: Any, n: int, seed: int) -> Any:
    if not isinstance(cv, (int, np.integer)):
        return list(cv.split(np.zeros(n)) if hasattr(cv, "split") else cv)
    if not 2 <= cv <= n:
        raise ValueError(f"cv is {cv}, for {n} examples: give 2 folds or more, and no more than examples.")
    order = np.random.default_rng(seed).permutation(n)
    return [(np.sort(np.concatenate([f for j, f in enumerate(np.array_split(order, cv)) if j != k])),
             np.sort(part)) for k, part in enumerate(np.array_split(order, cv))]


def _chosen(values: Any, indices: Any) -> Any:
    return values[indices] if hasattr(values, "shape") else [values[i] for i in indices]


__all__ = ["with_cv", "Estimator", "_clone"]
