"""Clusters of items, and motifs in sequences of letters."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core
from ._base import Listed, Structured
from ._inputs import listed, objects_of, weights_of, without_missing
from ._labels import known_or_none


class Clusterer(Listed):
    """Clusters of the items of each document, learned from documents whose clusters are known.

    X is a list of documents: a dict with ``pairs``, a table of n (n - 1) / 2 rows of features of the pairs (0, 1),
    (0, 2), (1, 2), (0, 3), ..., and ``n``; or a list of dicts, the fields of each item, or a pandas frame of them,
    which ``comparators`` make features of. y is a list of the clusters of the items, any labels.
    """

    _task = "cluster"
    _default_metric = "b_cubed_f1"
    _inputs = "documents"

    def _document(self, d: int, document: Any) -> tuple[Any, np.ndarray | None]:
        if hasattr(document, "to_dict") and hasattr(document, "columns"):
            document = document.to_dict("records")
        if isinstance(document, dict):
            pairs = document.get("pairs")
            items = document.get("items", document.get("n"))
            if pairs is not None:
                pairs = np.ascontiguousarray(pairs, dtype=np.float64)
                if pairs.ndim != 2:
                    raise ValueError(f"the pairs of document {d} have the shape {pairs.shape}, where rows belong.")
                if items is None:
                    items = round((1 + (1 + 8 * len(pairs)) ** 0.5) / 2)
            if items is None:
                raise ValueError(f"document {d} has neither 'items' nor 'pairs' nor 'n'.")
            return (_count(d, items) if np.ndim(items) == 0 else _fields(d, items)), pairs
        if isinstance(document, (list, tuple)):
            return _fields(d, document), None
        raise TypeError(f"document {d} is a {type(document).__name__}, where a dict or a list of items belongs.")

    def _records(self, X: Any, y: Any, weights: np.ndarray | None) -> _core.Records:
        documents = [self._document(d, document) for d, document in enumerate(listed("X", X, "documents"))]
        if not documents:
            raise ValueError("X is empty: give at least one document.")
        columns = [(d, pairs.shape[1]) for d, (_, pairs) in enumerate(documents) if pairs is not None and len(pairs)]
        for d, width in columns:
            if width != columns[0][1]:
                raise ValueError(f"the pairs of document {d} have {width} columns, where those before have {columns[0][1]}.")
        clusters: list[Any] = [None] * len(documents)
        if y is not None:
            clusters = [None if each is None else _numbered(d, each) for d, each in enumerate(y)]
            if len(clusters) != len(documents):
                raise ValueError(f"X has {len(documents)} documents, but y has {len(clusters)}: give one for each.")
            for d, ((items, _), known) in enumerate(zip(documents, clusters)):
                count = items if isinstance(items, int) else len(items)
                if known is not None and len(known) != count:
                    raise ValueError(f"document {d} has {count} items, but clusters of {len(known)}: give the cluster of each.")
        return _core.cluster_records(documents, clusters, weights)

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each item, an array of arrays, numbered from 0."""
        first, labels, _ = self._fitted().predict(self._examples(X), "labels", False, self._threads())
        labels = np.asarray(labels)
        return objects_of([labels[a:b] for a, b in zip(first[:-1], first[1:])])


class MotifFinder(Structured):
    """Finds a motif that some sequences of letters hold and others do not. X is a list of strings."""

    _task = "motif"
    _type = "classifier"
    _means = {"accuracy": None, "loss": None}
    classes_: np.ndarray

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _records(self, X: Any, y: Any, weights: np.ndarray | None) -> _core.Records:
        if isinstance(X, str):
            raise TypeError("X is one string, where a list of them belongs.")
        sequences = listed("X", X, "strings")
        if not sequences:
            raise ValueError("X is empty: give at least one sequence.")
        for i, each in enumerate(sequences):
            if not isinstance(each, str):
                raise TypeError(f"sequence {i} is a {type(each).__name__}, where a string of letters belongs.")
        codes = np.full(len(sequences), -1, dtype=np.int64)
        if y is not None:
            labels = known_or_none("sequence", y)
            if len(labels) != len(sequences):
                raise ValueError(f"X has {len(sequences)} sequences, but y has {len(labels)} labels: give one for each.")
            for i, label in enumerate(labels):
                if label is not None and label not in (0, 1, -1):
                    raise ValueError(f"sequence {i} has the label {label!r}: give 1 with the motif, 0 (or -1) without, "
                                     "None where nobody knows.")
                codes[i] = -1 if label is None else label == 1
        return _core.motif_records(sequences, codes, weights)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> MotifFinder:
        """Learn from sequences X: y is 1 with the motif, 0 or -1 without, None where nobody knows."""
        if y is None:
            raise ValueError("MotifFinder requires y to be passed, but the target y is None")
        X, y = X if isinstance(X, str) else listed("X", X, "strings"), listed("y", without_missing(y), "labels")
        weights = weights_of(sample_weight, len(X), "sequences")
        self._learn(self._records(X, y, weights))
        kept = known_or_none("sequence", y if weights is None else [label for label, weight in zip(y, weights) if weight])
        self.classes_ = np.array(sorted({int(label) for label in kept if label is not None}))
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        return self._fitted().examples(self._records(X, without_missing(y), None))

    def _told(self, X: Any, what: str) -> tuple[np.ndarray, np.ndarray]:
        _, labels, values = self._fitted().predict(self._examples(X), what, False, self._threads())
        return np.asarray(labels), np.asarray(values) if values is not None else np.zeros(0)

    def predict(self, X: Any) -> np.ndarray:
        """Whether each sequence holds the motif, as ``classes_``."""
        labels = self._told(X, "labels")[0]
        return self.classes_[labels]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class."""
        return self._told(X, "marginals")[1]

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of the motif over that of none."""
        return self._told(X, "scores")[1][:, 0]

    def predict_sites(self, X: Any) -> list[tuple[int, str, str]]:
        """Where the motif stands best in each sequence: (first letter from 0, strand, letters as written)."""
        X = X if isinstance(X, str) else listed("X", X, "strings")
        values = self._told(X, "scores")[1]
        length = int(json.loads(self._fitted().task_options())["length"][0])  # of several, that which was chosen
        return [(int(row[1]), "-" if row[2] else "+", x[int(row[1]) : int(row[1]) + length])
                for row, x in zip(values, X)]

    def profile(self, X: Any, name: str = "motif") -> dict[str, Any]:
        """The sites in X: letters, counts of them at each position, background, MEME text, logo as SVG."""
        core = self._fitted()
        found = core.profile(self._examples(X), name, self._threads())
        return dict(zip(("letters", "counts", "background", "sites", "meme", "logo"), found))

    def _labels_for_file(self) -> dict[str, Any]:
        return {"classes": self.classes_.tolist()}

    def _load_labels(self, kept: dict[str, Any]) -> None:
        self.classes_ = np.array(kept.get("classes", [-1, 1]))


def _numbered(d: int, clusters: Any) -> np.ndarray:
    """Numbers of the clusters of a document's items."""
    clusters = without_missing(clusters)
    for k, label in enumerate(clusters if np.ndim(clusters) else ()):
        if label is None or type(label).__name__ in ("NAType", "NaTType") or (isinstance(label, (float, np.floating)) and label != label):
            raise ValueError(f"item {k} of document {d} has the cluster {label!r}: give a label for each item, one of its own where it stands "
                             "alone.")
    try:
        labels = np.asarray(clusters)
        numbers = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    except (TypeError, ValueError):
        raise TypeError(f"the clusters of document {d} are of several types: give labels of one type.") from None
    if labels.ndim != 1:
        raise ValueError(f"the clusters of document {d} have {labels.ndim} dimensions, where a label for each item belongs.")
    return numbers


def _count(d: int, items: Any) -> int:
    if isinstance(items, bool) or not isinstance(items, (int, np.integer)) or not 0 <= items < 2**31:
        raise ValueError(f"document {d} has {items!r} for the number of its items: give a whole number from 0 to 2**31 - 1.")
    return int(items)


def _fields(d: int, items: Any) -> list[dict[str, Any]]:
    """The fields of each item."""
    for k, item in enumerate(items):
        if not isinstance(item, dict):
            raise TypeError(f"item {k} of document {d} is a {type(item).__name__}, where a dict of its fields belongs.")
    return [{str(k): _field(v) for k, v in item.items()} for item in items]


def _field(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value != value:
        return None  # as pandas writes what is missing
    return value
