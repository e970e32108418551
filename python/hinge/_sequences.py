"""Taggers and classifiers of sequences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from . import _core
from ._base import CLASSES, GUIDED, Named, Structured
from ._inputs import count_of, listed, objects_of, weights_of, whole_numbers, without_missing
from ._labels import known_or_none, refuse_sets, text_of
from ._units import Units


class SequenceTagger(Structured, Named):
    """A label for each position of each sequence: structural SVM, CRF, hidden-state models, and between.

    X is a list of sequences (or a generator of them, which is read once). A sequence is a list of tokens, each a dict
    or a list of strings as for python-crfsuite; or a table (positions, features), dense or CSR; or, with
    ``templates``, a list of words or tuples of columns. One table of all positions with ``lengths`` is a list of
    sequences too, and so is a pandas frame with a column that names the sentence (``sentence=``).

    y is a list of lists of labels; None is a label that nobody knows, a set of labels says that it is one of these.
    ``forbidden=[('O', 'I-NP')]`` excludes labels from standing behind others, ``required`` excludes all but those named.
    """

    _task = "sequence"
    _means = {"accuracy": "tokens", "loss": None}
    _extra = [
        ("templates", None, "Feature templates (CRF++'s, docs/file-formats.md) that make attributes of words or "
                            "columns: their text, or the built-in 'default' or 'crfsuite'."),
        *CLASSES,
        *GUIDED,
    ]

    def _task_options(self) -> dict[str, Any]:
        options = super()._task_options()
        options["format"] = "conll" if self._get("templates") else "crfsuite"
        return options

    def _formed(self, X: Any, y: Any, lengths: Any, sentence: Any, label: Any) -> tuple[Any, Any]:
        """Sequences and their labels, of whatever form they were given in."""
        if lengths is not None:
            return cut(X, lengths), None if y is None else cut(without_missing(y), lengths)
        if _is_frame(X):
            known = self.__dict__.get("_label_column")
            return _of_frame(X, y, sentence, label, [sentence, known, label], bool(self._get("templates")))
        return X, y

    def _records(self, X: Any, y: Any, sample_weight: Any, texts: dict[str, Any]) -> _core.Records:
        if isinstance(X, (str, bytes, dict)) or not isinstance(X, Iterable):
            raise TypeError(f"X is a {type(X).__name__}, where a list of sequences belongs.")
        if isinstance(y, (str, bytes, dict)) or not (y is None or isinstance(y, Iterable)):
            raise TypeError(f"y is a {type(y).__name__}, where a list of lists of labels belongs.")
        both: tuple[Any, Any] = (X, y)
        counts = [len(each) if hasattr(each, "__len__") else None for each in both]
        if y is not None and None not in counts and counts[0] != counts[1]:
            raise ValueError(f"X has {counts[0]} sequences, but y has {counts[1]} lists of labels: give one for each.")
        if counts[0] == 0:
            raise ValueError("X is empty: give at least one sequence.")
        weights = weights_of(sample_weight, counts[0], "sequences")
        return _core.sequence_records(X, y, None if weights is None else weights.tolist(), self._get("templates") or "", texts)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, lengths: Any = None, sentence: Any = None,
            label: Any = None, X_unlabelled: Any = None, rules: Any = None) -> SequenceTagger:
        """Learn from sequences X and their labels y.

        Methods such as 'transductive', 'codl', 'pr' and 'ge' also learn from the sequences ``X_unlabelled`` and from
        ``rules`` about them (docs/rules.md): a text, a list of lines, or a pathlib.Path.
        """
        if y is None and label is None:
            raise ValueError("SequenceTagger requires y to be passed, but the target y is None")
        texts: dict[str, Any] = {}
        if X_unlabelled is None and rules is None:
            self._note_forms(label=label)
            X, y = self._formed(X, y, lengths, sentence, label)
            self._learn(self._records(X, y, sample_weight, texts))
        else:
            if sample_weight is not None or lengths is not None or sentence is not None or label is not None:
                raise ValueError("X_unlabelled and rules go with lists of sequences, without weights, lengths, sentence or label.")
            X, y, more = list(X), list(y), list(X_unlabelled if X_unlabelled is not None else ())
            self._learn_guided(self._records(X + more, y + [None] * len(more), None, texts), len(X), rules)
        self._name_classes(texts)
        return self

    def _units(self, X: Any, y: Any, lengths: Any = None, sentence: Any = None, label: Any = None, **keywords: Any) -> Units:
        return Units(*self._formed(X, y, lengths, sentence, label), keywords)

    def _note_forms(self, label: Any = None, **forms: Any) -> None:
        if label is not None:
            self._label_column = label

    def _labels_for_file(self) -> dict[str, Any]:
        column = self.__dict__.get("_label_column")
        return {**super()._labels_for_file(), **({"label_column": column} if isinstance(column, (str, int)) else {})}

    def _load_labels(self, kept: dict[str, Any]) -> None:
        super()._load_labels(kept)
        if "label_column" in kept:
            self._label_column = kept["label_column"]

    def _prepare(self, core: _core.Model) -> None:
        core.add_labels(list(self._declared()))

    def _examples(self, X: Any, y: Any = None, lengths: Any = None, sentence: Any = None, label: Any = None,
                  **forms: Any) -> _core.Examples:
        core = self._fitted()
        X, y = self._formed(X, y, lengths, sentence, label)
        if y is not None:
            y = (None if each is None else [_said(each_label) for each_label in each] for each in y)
        return core.examples(self._records(X, y, None, {}))

    def _given(self, X: Any, given: Any, lengths: Any, sentence: Any) -> _core.Examples:
        """Examples with labels that are known already."""
        if given is None:
            return self._examples(X, None, lengths, sentence)
        given = cut(given, lengths) if lengths is not None else listed("given", given, "lists of labels")
        self._require_known(given)
        if lengths is not None:
            X = cut(X, lengths)
        return self._examples(X, given, None, sentence)

    def predict(self, X: Any, lengths: Any = None, given: Any = None, sentence: Any = None) -> np.ndarray:
        """The labels of each sequence, an array of lists.

        ``given`` has labels that are known already, sets of which it is one, None elsewhere; the others are predicted
        given them.
        """
        examples = self._given(X, given, lengths, sentence)
        return objects_of(self._fitted().tag(examples, self._label_objects(), given is not None, self._threads()))

    def predict_proba(self, X: Any, lengths: Any = None, given: Any = None,
                      sentence: Any = None) -> np.ndarray:
        """The probability of each label at each position, an array of (positions, labels), columns as ``classes_``.

        With ``given`` labels they are conditional. Those of margin methods are not calibrated.
        """
        examples = self._given(X, given, lengths, sentence)
        first, _, values = self._fitted().predict(examples, "marginals", given is not None, self._threads())
        values = np.asarray(values)[:, self._classes.columns]
        return objects_of([values[a:b] for a, b in zip(first[:-1], first[1:])])

    def decision_function(self, X: Any, lengths: Any = None, sentence: Any = None, given: Any = None) -> np.ndarray:
        """What each label at each position is worth: the score of the best labelling with it; (positions, labels), columns as ``classes_``.

        The largest of a row is the score of the best labelling of all, and stands where ``predict`` has its label. With several
        states a label it is the best path of states that counts. With ``given`` labels those that contradict them have -inf.
        """
        examples = self._given(X, given, lengths, sentence)
        first, _, values = self._fitted().predict(examples, "scores", given is not None, self._threads())
        values = np.asarray(values)[:, self._classes.columns]
        return objects_of([values[a:b] for a, b in zip(first[:-1], first[1:])])

    def predict_nbest(self, X: Any, k: int = 5, lengths: Any = None, sentence: Any = None,
                      given: Any = None) -> list[list[tuple[list[Any], float]]]:
        """The k best labellings of each sequence, best first, with their scores; of those that keep to what is ``given``."""
        examples = self._given(X, given, lengths, sentence)
        return list(self._fitted().best(examples, self._label_objects(), count_of(k), given is not None, self._threads()))

    @property
    def transitions_(self) -> dict[tuple[Any, Any], float]:
        """The weight of each pair of neighbouring labels that has one; of models of order 1 and one state a label."""
        core = self._fitted()
        options = json.loads(core.task_options())
        if options["order"] != 1 or options["states"] != 1:
            raise AttributeError("transitions_ is of models of order 1 and one state a label: see top_features.")
        objects, weights = self._label_objects(), self.weights_
        pairs = np.asarray(core.array("transitions.pairs")).astype(np.int64)
        end = len(weights) - (2 * len(objects) if options["boundaries"] else 0)
        return {(objects[p // len(objects)], objects[p % len(objects)]): float(w)
                for p, w in zip(pairs, weights[end - len(pairs) : end])}


class SequenceClassifier(Structured, Named):
    """One class for each sequence of frames, by chains of hidden states (hidden CRFs, latent and marginal SVMs).

    X is a list of tables (frames, channels).
    """

    _task = "sequence-class"
    _type = "classifier"
    _means = {"accuracy": None, "loss": None}
    _extra = CLASSES

    def _records(self, X: Any, codes: np.ndarray | None, names: list[str], weights: np.ndarray | None,
                 declared: list[str] | None = None) -> _core.Records:
        tables: list[np.ndarray] = []
        for i, x in enumerate(listed("X", X, "tables")):
            try:
                with np.errstate(over="ignore"):  # what is too large is named below
                    table = np.ascontiguousarray(x, dtype=np.float32)
            except (TypeError, ValueError) as error:
                raise ValueError(f"sequence {i} is no table of numbers: {error}.") from None
            if table.ndim != 2:
                raise ValueError(f"sequence {i} has {table.ndim} dimensions, where (frames, channels) belongs.")
            odd = np.argwhere(~np.isfinite(table))
            if len(odd):
                t, c = odd[0]
                raise ValueError(f"sequence {i} has {np.asarray(x)[t, c]} in channel {c} of frame {t}: give finite numbers that single precision has.")
            if tables and table.shape[1] != tables[0].shape[1]:
                raise ValueError(f"sequence {i} has {table.shape[1]} channels, where those before have {tables[0].shape[1]}.")
            tables.append(table)
        if not tables:
            raise ValueError("X is empty: give at least one sequence.")
        codes = np.full(len(tables), -1, dtype=np.int64) if codes is None else codes
        return _core.frames_records(tables, codes, names, weights, declared or [])

    def _encoded(self, y: Any, texts: dict[str, Any]) -> tuple[np.ndarray, list[str]]:
        names: dict[str, int] = {}
        codes = []
        y = known_or_none("sequence", without_missing(y))
        refuse_sets("SequenceClassifier", "sequence", y, "None where nobody knows")
        if len({isinstance(label, str) for label in y if label is not None}) > 1:
            raise TypeError("labels are of several types that cannot be told apart or ordered: give all of one type.")
        for label in y:
            if label is None:
                codes.append(-1)
                continue
            texts.setdefault(text_of(label), label.item() if isinstance(label, np.generic) else label)
            codes.append(names.setdefault(text_of(label), len(names)))
        return np.array(codes, dtype=np.int64), list(names)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> SequenceClassifier:
        """Learn from sequences X and their classes y, None where a class is not known."""
        if y is None:
            raise ValueError("SequenceClassifier requires y to be passed, but the target y is None")
        X = listed("X", X, "tables")
        texts: dict[str, Any] = {}
        codes, names = self._encoded(y if hasattr(y, "isna") else listed("y", y, "classes"), texts)
        if len(codes) != len(X):
            raise ValueError(f"X has {len(X)} sequences, but y has {len(codes)} labels: give one for each.")
        weights = weights_of(sample_weight, len(X), "sequences")
        self._learn(self._records(X, codes, names, weights, list(self._declared())))
        self._name_classes(texts)
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        core = self._fitted()
        codes, names = (None, list[str]()) if y is None else self._encoded(y, {})
        return core.examples(self._records(X, codes, names, None))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sequence."""
        _, labels, _ = self._fitted().predict(self._examples(X), "labels", False, self._threads())
        return self.classes_[self._classes.numbers[labels]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, columns as ``classes_``."""
        _, _, values = self._fitted().predict(self._examples(X), "marginals", False, self._threads())
        return np.asarray(values)[:, self._classes.columns]

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each class; of two classes, that of the second over the first."""
        _, _, values = self._fitted().predict(self._examples(X), "scores", False, self._threads())
        scores = np.asarray(values)[:, self._classes.columns]
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def _said(label: Any) -> Any:
    """A label, a set of them or nothing, as text."""
    if isinstance(label, (set, frozenset)):
        return {_said(each) for each in label}
    return None if label is None else text_of(label)


def cut(rows: Any, lengths: Any) -> list[Any]:
    """Pieces of those lengths."""
    rows = rows.tocsr() if hasattr(rows, "tocsr") else rows
    ends = np.cumsum(whole_numbers("lengths", listed("lengths", lengths, "numbers of rows")))
    total = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if len(ends) == 0 or ends[-1] != total or np.any(np.diff(ends, prepend=0) < 1):
        raise ValueError(f"lengths sum to {ends[-1] if len(ends) else 0}, but there are {total} rows: give the number "
                         "of rows of each sequence.")
    return [rows[a:b] for a, b in zip([0, *ends[:-1]], ends)]


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "groupby")


def _starts(column: Any, name: Any) -> np.ndarray:
    """The rows where sentences begin: an id, or nothing below one, goes on with the sentence above."""
    ids = column.ffill()
    if bool(ids.isna().iloc[0]):
        raise ValueError(f"the column {name!r} has nothing in its first row: say which sentence the first token belongs to.")
    numbers = ids.factorize()[0]
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    seen: set[int] = set()
    for row in starts:
        if numbers[row] in seen:
            raise ValueError(f"the sentence {ids.iloc[row]} goes on in row {row} of the frame, behind another: rows of one sentence stand "
                             f"together, sort them by {name!r}.")
        seen.add(numbers[row])
    return starts


def _of_frame(X: Any, y: Any, sentence: Any, label: Any, left_out: list[Any], columns: bool) -> tuple[Any, Any]:
    """Sentences of a pandas frame of tokens: the column `sentence` names theirs, `label` has labels.

    y has a label for each row, or a list of labels for each sentence.
    """
    if sentence is None:
        raise ValueError("X is a frame of tokens: name the column that says which sentence each belongs to, "
                         "sentence='...'.")
    for name in (sentence, label):
        if name is not None and name not in X.columns:
            raise ValueError(f"the frame has no column {name!r}: it has {', '.join(map(str, X.columns))}.")
    if len(X) == 0:
        raise ValueError("X is empty: give at least one token.")
    if label is not None:
        y = X[label]
    fields = [name for name in X.columns if name not in left_out]
    starts = _starts(X[sentence], sentence)
    ends = np.r_[starts[1:], len(X)]
    cells = [X[name].tolist() for name in fields]

    def sentences() -> Iterator[list[Any]]:
        for a, b in zip(starts, ends):
            rows = zip(*(column[a:b] for column in cells))
            yield [tuple(map(str, row)) if columns else dict(zip(map(str, fields), row)) for row in rows]

    labels = None if y is None else list(without_missing(y))
    if labels is not None and len(labels) == len(X) and not any(isinstance(each, (list, tuple)) for each in labels):
        labels = [labels[a:b] for a, b in zip(starts, ends)]
    return list(sentences()), labels
