"""Estimators that choose C by cross-validation, along one warm-started path a fold."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._base import ConvergenceWarning, Estimator, _clone
from ._rows import KernelEstimator

_EXTRA: list[tuple[str, Any, str]] = [
    ("Cs", None, "Values of C to choose from; None: 0.001, 0.01, ... 100."),
    ("cv", 5, "Folds, each once held out: their number, an iterable of (training, test) indices, or a splitter of scikit-learn. What "
              "is cut are examples: sequences, graphs, queries (qid, group), rows; examples of one of the groups stay together."),
    ("metric", None, "By which the best is chosen; None: the loss of the task."),
]


def with_cv(base: type[Any]) -> type[Any]:
    """The class of that estimator that chooses C itself."""

    def fit(self: Any, X: Any, y: Any = None, **keywords: Any) -> Any:
        """Choose C by cross-validation, then learn from all of X and y with it; keywords are those of fit without it."""
        try:
            Cs = [float(C) for C in (self.Cs if self.Cs is not None else 10.0 ** np.arange(-3, 3))]
        except (TypeError, ValueError):
            Cs = []
        if not Cs or not all(0 < C < np.inf for C in Cs):
            raise ValueError(f"Cs is {self.Cs!r}: give one positive number or more.")
        Cs.sort()
        if self.warm_start:
            raise ValueError(f"{type(self).__name__} starts every path anew: leave out warm_start.")
        for name in ("X_unlabelled", "rules"):
            if keywords.get(name) is not None:
                raise ValueError(f"{type(self).__name__} chooses C by labelled examples alone: use GridSearchCV with {name}.")
        self._note_forms(**keywords)
        units = self._units(X, y, **keywords)
        products = isinstance(self, KernelEstimator) and self._of_products()
        scores = np.zeros((0, len(Cs)))
        for rest, part in _folds(self.cv, units, self._seed()):
            each = base(**{k: v for k, v in self.get_params().items() if k in base._parameters})
            each._searching = True
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                X_rest, y_rest, more = units.chosen(rest, rest if products else None)
                each._fit_path(X_rest, y_rest, Cs, **more)
            X_part, y_part, more = units.chosen(part, rest if products else None)
            forms = {name: value for name, value in more.items() if name not in ("sample_weight", "groups")}
            row = []
            for k in range(each._model.runs()):
                each._model.choose_run(k)
                row.append(each.score(X_part, y_part, metric=self.metric or "loss", **forms))
            if len(row) < len(Cs) or each.summary_.ended_by_wish:
                raise RuntimeError("it was stopped before every fold was done, so that no C could be chosen.")
            scores = np.vstack([scores, row])
        self.cv_results_ = {"C": np.array(Cs), "scores": scores, "mean": scores.mean(axis=0)}
        self.C_ = Cs[int(np.argmax(self.cv_results_["mean"]))]
        kept, self.C = self.C, self.C_
        try:
            return base.fit(self, units.X, units.y, **units.keywords)
        finally:
            self.C = kept

    def further(self: Any, method: str) -> Any:
        return base.fit if method == "fit" else base._further(self, method)

    name = base.__name__ + "CV"
    doc = f"{base.__name__} that chooses C by cross-validation: ``C_`` is the best, ``cv_results_`` has all scores."
    return type(name, (base,), {"__doc__": doc, "fit": fit, "_further": further, "_extra": [*base._extra, *_EXTRA],
                                "__module__": "hinge", "__qualname__": name})


def _folds(cv: Any, units: Any, seed: int) -> Sequence[tuple[np.ndarray, np.ndarray]]:
    if not isinstance(cv, (int, np.integer)):
        found = list(cv.split(np.zeros(units.count), units.classes(), units.groups) if hasattr(cv, "split") else cv)
        if not found:
            raise ValueError("cv has no folds: give pairs of indices, those to learn from and those held out.")
        return [(np.asarray(rest), np.asarray(part)) for rest, part in found]
    names = np.arange(units.count) if units.groups is None else np.asarray(units.groups)
    _, group = np.unique(names, return_inverse=True)
    most = int(group.max()) + 1 if len(group) else 0
    if not 2 <= cv <= most:
        what = "examples" if units.groups is None else "groups"
        raise ValueError(f"cv is {cv}, for {most} {what}: give 2 folds or more, and no more than {what}.")
    order = np.random.default_rng(seed).permutation(most)
    held = [np.isin(group, part) for part in np.array_split(order, cv)]
    return [(np.flatnonzero(~part), np.flatnonzero(part)) for part in held]


__all__ = ["with_cv", "Estimator", "_clone"]
