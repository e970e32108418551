"""Sets of labels for rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import CLASSES, Named
from ._inputs import count_of, listed, weights_of
from ._labels import Classes, text_of
from ._rows import RowEstimator, plain_array


class MultilabelClassifier(Named, RowEstimator):
    """A set of labels for each row, with weights for pairs of labels.

    y is a table of 0 and 1 (-1: nobody knows), or a list of sets of labels. ``classes`` names the columns of a table.
    """

    _task = "multilabel"
    _type = "classifier"
    _means = {"accuracy": None, "loss": None}
    _extra = CLASSES

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = True
        return tags

    def _states(self, y: Any, n: int, classes: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, bool]:
        if hasattr(y, "toarray"):
            y = y.toarray()
        if hasattr(y, "columns") and hasattr(y, "isna"):
            y = y.astype(object).where(~y.isna(), -1).to_numpy()
            y = y.astype(np.float64) if all(isinstance(value, (bool, int, float, np.generic)) for value in y.ravel()) else y
        table = isinstance(y, np.ndarray) and y.ndim == 2
        if table:
            states = np.ascontiguousarray(y, dtype=np.int8)
            if not np.all(np.isin(y, (-1, 0, 1))):
                raise ValueError("a table of labels holds 0, 1 and -1 alone.")
            if classes is None:
                named = list(self._declared().values())
                classes = plain_array(named) if named else np.arange(states.shape[1])
            if states.shape[1] != len(classes):
                raise ValueError(f"y has {states.shape[1]} columns where {len(classes)} labels belong.")
        else:
            sets = [set(listed(f"y of row {i}", each, "labels")) for i, each in enumerate(listed("y", y, "sets of labels"))]
            if classes is None:
                named = list(self._declared().values())
                try:
                    classes = plain_array(sorted(set(named).union(*sets)))
                except TypeError:
                    raise TypeError("labels are of several types that cannot be ordered: give all of one type.") from None
            place = {label: k for k, label in enumerate(classes.tolist())}
            states = np.zeros((len(sets), len(classes)), dtype=np.int8)
            for i, each in enumerate(sets):
                for label in each:
                    if label in place:
                        states[i, place[label]] = 1
        if len(states) != n:
            raise ValueError(f"X has {n} rows, but y has {len(states)}: give one for each.")
        return states, classes, table

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from rows X and their sets of labels y."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = self._table(X, reset=True)
        states, classes, self._as_table = self._states(y, X.shape[0])
        weights = weights_of(sample_weight, X.shape[0], "rows")
        names = [text_of(label) for label in classes]
        self._learn(_core.multilabel_records(self._rows(X), states, names, weights))
        known = self._model.names()
        self._classes = Classes.of({text_of(c): c for c in classes if text_of(c) in known}, known)
        self._order_columns(classes)
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        core = self._fitted()
        X = self._table(X, reset=False)
        if y is None:
            states = np.full((X.shape[0], len(self.classes_)), -1, dtype=np.int8)
        else:
            states = self._states(y, X.shape[0], self.classes_)[0]
        names = [text_of(label) for label in self.classes_]
        return core.examples(_core.multilabel_records(self._rows(X), states, names, None))

    def _order_columns(self, classes: np.ndarray) -> None:
        """All labels in the order of columns."""
        self.classes_ = classes
        place = {text_of(label): k for k, label in enumerate(classes)}
        self._places = np.array([place[text_of(label)] for label in self._classes.array], dtype=np.int64)

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the task's labels as columns of all of them; a label that nobody had is absent."""
        values = values.reshape(-1, len(self._places))
        table = np.zeros((len(values), len(self.classes_)), dtype=values.dtype)
        table[:, self._places] = values[:, self._classes.columns]
        return table

    def predict(self, X: Any) -> Any:
        """A table of 0 and 1, or a list of sets where fit was given sets."""
        _, labels, _ = self._fitted().predict(self._examples(X), "labels", False, self._threads())
        table = self._spread(np.asarray(labels))
        if self._as_table:
            return table.astype(np.int64)
        return [set(self.classes_[row.astype(bool)].tolist()) for row in table]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability that each label is there, (rows, labels)."""
        _, _, values = self._fitted().predict(self._examples(X), "marginals", False, self._threads())
        return self._spread(np.asarray(values))

    def predict_nbest(self, X: Any, k: int = 5) -> list[list[tuple[Any, float]]]:
        """At most k sets of labels of each row, as of ``predict``, best first, with their scores."""
        return [[(table[0].astype(np.int64) if self._as_table else set(self.classes_[table[0].astype(bool)].tolist()), score)
                 for table, score in ((self._spread(np.asarray(found)), score) for found, score in each)]
                for each in self._fitted().best(self._examples(X), [], count_of(k), False, self._threads())]

    def decision_function(self, X: Any) -> np.ndarray:
        """How much the best set with each label scores above the best one without it, (rows, labels): above 0 where it is predicted."""
        _, _, values = self._fitted().predict(self._examples(X), "scores", False, self._threads())
        return self._spread(np.asarray(values, dtype=np.float64))

    @property
    def coef_(self) -> np.ndarray:
        """Weights of each label alone, (labels, features); those of pairs of labels stand behind them in ``weights_``."""
        features, _ = self._columns()
        coef = np.zeros((len(self.classes_), self.n_features_in_))
        coef[:, features] = self._alone()[: len(features)].T
        return coef

    @property
    def intercept_(self) -> np.ndarray:
        """What the bias adds to each label alone."""
        features, bias = self._columns()
        return bias * self._alone()[len(features)] if bias else np.zeros(len(self.classes_))

    def _alone(self) -> np.ndarray:
        """Weights of labels alone, (features, labels)."""
        features, bias = self._columns()
        return self._spread(self.weights_[: (len(features) + (bias != 0)) * len(self._places)])

    def _labels_for_file(self) -> dict[str, Any]:
        return {**super()._labels_for_file(), "table": self._as_table, "columns": [text_of(label) for label in self.classes_]}

    def _load_labels(self, kept: dict[str, Any]) -> None:
        super()._load_labels(kept)
        place = {name: k for k, name in enumerate(kept.get("columns", []))}
        order = sorted(range(len(self.classes_)), key=lambda k: place.get(text_of(self.classes_[k]), k))
        self._order_columns(self.classes_[order])
        self._as_table = bool(kept.get("table", False))
