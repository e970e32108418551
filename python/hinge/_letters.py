"""Alignments of two sequences, and folds of one: both pair letters."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _core
from ._base import Listed
from ._inputs import count_of, listed, objects_of, weights_of

_GAP, _UNKNOWN = -1, -2
_LOST = "pairs_that_no_fold_here_has"


class _Pairer(Listed):
    _abstract = True

    def _records(self, X: Any, y: Any, weights: np.ndarray | None, groups: Any = None) -> _core.Records:
        raise NotImplementedError

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Any:
        """Learn from X and what is known of its pairs of letters, y; of alignments ``groups`` names the families."""
        X, y = self._both(X, y)
        named = [""] * len(X) if groups is None else [str(group) for group in groups]
        if len(named) != len(X):
            raise ValueError(f"X has {len(X)} examples, but groups has {len(named)}: give one for each.")
        weights = weights_of(sample_weight, len(X), self._inputs)
        self._learn(self._records(X, y, weights, named if groups is not None else None))
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        X = listed("X", X, self._inputs)
        return self._fitted().examples(self._records(X, [None] * len(X) if y is None else list(y), None))

    def _partners(self, X: Any, given: Any = None) -> list[np.ndarray]:
        examples = self._given(X, given)
        first, labels, _ = self._fitted().predict(examples, "labels", given is not None, self._threads())
        return [np.asarray(labels)[a:b] for a, b in zip(first[:-1], first[1:])]

    def _given(self, X: Any, given: Any) -> _core.Examples:
        """Examples with what is known of them; training leaves out pairs that are in no answer, but nobody gives such on purpose."""
        if given is None:
            return self._examples(X)
        X, given = listed("X", X, self._inputs), listed("given", given, "what is known of each")
        if len(X) != len(given):
            raise ValueError(f"X has {len(X)} {self._inputs}, but given has {len(given)}: give one for each, or None.")
        examples = self._examples(X, given)
        if _LOST in json.loads(examples.facts()):
            i = next(i for i in range(len(X)) if _LOST in json.loads(self._examples(X[i : i + 1], given[i : i + 1]).facts()))
            raise ValueError(f"given has a pair of letters in example {i} that no fold has: leave it out.")
        return examples

    def _ranked(self, X: Any, k: int) -> list[list[tuple[np.ndarray, float]]]:
        return [[(np.array(partners), score) for partners, score in each]
                for each in self._fitted().best(self._examples(X), [], count_of(k), False, self._threads())]

    def _probabilities(self, X: Any, shapes: list[tuple[int, int]], both: bool, given: Any) -> np.ndarray:
        tables = []
        for shape, (ends, values) in zip(shapes, self._fitted().pairs(self._given(X, given), given is not None, self._threads())):
            table = np.zeros(shape)
            table[ends[:, 0], ends[:, 1]] = values
            if both:
                table[ends[:, 1], ends[:, 0]] = values
            tables.append(table)
        return objects_of(tables)


class SequenceAligner(_Pairer):
    """The alignment of two sequences of letters, by learned scores of pairs and gaps.

    X is a list of pairs of strings without gaps, or of (first, second, structure of the first, structure of the
    second), with H, E, . or ? a letter. y is a list of alignments: pairs of rows with gaps, ``('AC-G', 'A-TG')``, or
    for each letter of the first the number of that of the second opposite, -1 for a gap, -2 where nobody knows; None
    where nothing is known.
    """

    _task = "align"

    def _records(self, X: Any, y: Any, weights: np.ndarray | None, groups: Any = None) -> _core.Records:
        pairs = [_pair(i, x) for i, x in enumerate(X)]
        if not pairs:
            raise ValueError("X is empty: give at least one pair of sequences.")
        known = [None if each is None else _aligned(i, x, each) for i, (x, each) in enumerate(zip(pairs, y))]
        return _core.align_records([x[0] for x in pairs], [x[1] for x in pairs], [x[2] for x in pairs],
                                   [x[3] for x in pairs], known, groups or [], weights)

    def predict(self, X: Any, given: Any = None) -> np.ndarray:
        """For each letter of the first sequence that of the second opposite, -1 for a gap; an array of arrays.

        ``given`` has what is known already, as y of ``fit``: the best alignment that keeps to it is predicted.
        """
        return objects_of(self._partners(X, given))

    def predict_nbest(self, X: Any, k: int = 5) -> list[list[tuple[np.ndarray, float]]]:
        """At most k alignments of each pair, as of ``predict``, best first, with their scores."""
        return self._ranked(X, k)

    def predict_proba(self, X: Any, given: Any = None) -> np.ndarray:
        """How probable it is that two letters stand opposite each other, with what is ``given``: (letters, letters); 0 below 0.001."""
        X = list(X)
        return self._probabilities(X, [(len(x[0]), len(x[1])) for x in X], False, given)

    def align(self, X: Any, given: Any = None) -> list[tuple[str, str]]:
        """The two rows of each alignment, with gaps, that keeps to what is ``given``."""
        X = list(X)
        return [_rows(x[0], x[1], partners) for x, partners in zip(X, self._partners(X, given))]


class RnaFolder(_Pairer):
    """The fold of a sequence of RNA, without pseudoknots, by learned scores of pairs and loops.

    X is a list of strings. y is a list of folds: dots and brackets, ``'((..))'``, with ? where nobody knows, or for
    each letter the number of the one that it is paired with, -1 for none, -2 where nobody knows; None where nothing
    is known.
    """

    _task = "fold"
    _default_metric = "f1"

    def _records(self, X: Any, y: Any, weights: np.ndarray | None, groups: Any = None) -> _core.Records:
        if isinstance(X, str):
            raise TypeError("X is one string, where a list of them belongs.")
        letters = list(X)
        if not letters:
            raise ValueError("X is empty: give at least one sequence.")
        for i, x in enumerate(letters):
            if not isinstance(x, str):
                raise TypeError(f"sequence {i} is a {type(x).__name__}, where a string of letters belongs.")
        known = [None if each is None else _folded(i, x, each) for i, (x, each) in enumerate(zip(letters, y))]
        return _core.fold_records(letters, known, weights)

    def predict(self, X: Any, given: Any = None) -> np.ndarray:
        """The fold of each sequence in dots and brackets, an array of texts.

        ``given`` has what is known already, as y of ``fit``: the best fold that keeps to it is predicted.
        """
        return objects_of([_dots(partners) for partners in self._partners(X, given)])

    def predict_nbest(self, X: Any, k: int = 5) -> list[list[tuple[str, float]]]:
        """At most k folds of each sequence in dots and brackets, best first, with their scores."""
        return [[(_dots(partners), score) for partners, score in each] for each in self._ranked(X, k)]

    def predict_pairs(self, X: Any, given: Any = None) -> np.ndarray:
        """For each letter the one that it is paired with, -1 for none, with what is ``given``; an array of arrays."""
        return objects_of(self._partners(X, given))

    def predict_proba(self, X: Any, given: Any = None) -> np.ndarray:
        """How probable each pair of letters is, with what is ``given``: (letters, letters); 0 below 0.001."""
        X = list(X)
        return self._probabilities(X, [(len(x), len(x)) for x in X], True, given)


def _dots(partners: np.ndarray) -> str:
    return "".join("." if j < 0 else "(" if j > i else ")" for i, j in enumerate(partners))


def _pair(i: int, x: Any) -> tuple[str, str, str, str]:
    if not isinstance(x, (tuple, list)) or len(x) not in (2, 4) or not all(isinstance(text, str) for text in x):
        raise TypeError(f"pair {i} is a {type(x).__name__}, where two strings belong, or four with structures.")
    return (x[0], x[1], "", "") if len(x) == 2 else (x[0], x[1], x[2], x[3])


def _aligned(i: int, x: tuple[str, str, str, str], y: Any) -> np.ndarray:
    if not (isinstance(y, (tuple, list)) and len(y) == 2 and all(isinstance(row, str) for row in y)):
        return _numbers(f"the alignment of pair {i}", y, len(x[0]))
    if len(y[0]) != len(y[1]):
        raise ValueError(f"the rows of alignment {i} have {len(y[0])} and {len(y[1])} columns: give as many.")
    partners, second = [], 0
    for a, b in zip(*y):
        if a not in "-.":
            partners.append(_GAP if b in "-." else second)
        second += b not in "-."
    for row, letters in zip(y, x):
        if row.replace("-", "").replace(".", "").upper() != letters.upper():
            raise ValueError(f"the rows of alignment {i} have other letters than the sequences of pair {i}.")
    return np.array(partners, dtype=np.int64)


def _folded(i: int, x: str, y: Any) -> np.ndarray:
    if not isinstance(y, str):
        partners = _numbers(f"the fold of sequence {i}", y, len(x))
        _require_nested(i, partners)
        return partners
    if len(y) != len(x):
        raise ValueError(f"the fold of sequence {i} has {len(y)} symbols for {len(x)} letters: give one for each.")
    partners, open_ = np.full(len(y), _GAP, dtype=np.int64), []
    for k, symbol in enumerate(y):
        if symbol == "(":
            open_.append(k)
        elif symbol == ")":
            if not open_:
                raise ValueError(f"the fold of sequence {i} closes at {k} what nothing opened.")
            partners[k] = open_.pop()
            partners[partners[k]] = k
        elif symbol == "?":
            partners[k] = _UNKNOWN
        elif symbol != ".":
            raise ValueError(f"the fold of sequence {i} has the symbol {symbol!r}: use (, ), . and ?.")
    if open_:
        raise ValueError(f"the fold of sequence {i} never closes what opens at {open_[-1]}.")
    return partners


def _require_nested(i: int, partners: np.ndarray) -> None:
    """Of pairs that name each other; what else may be wrong is said where they are read."""
    open_: list[int] = []
    for k, other in enumerate(partners.tolist()):
        if not 0 <= other < len(partners) or partners[other] != k:
            continue
        if other > k:
            open_.append(other)
        elif open_ and open_.pop() != k:
            raise ValueError(f"the pair of letters {other} and {k} of sequence {i} crosses another: pseudoknots are not folded, leave one "
                             "of both out.")


def _numbers(what: str, y: Any, letters: int) -> np.ndarray:
    partners = np.asarray(y)
    if partners.ndim != 1 or partners.dtype.kind not in "iu" or len(partners) != letters:
        raise ValueError(f"{what} has the shape {partners.shape} and the type {partners.dtype}: give a whole number for "
                         f"each of {letters} letters, or text.")
    return np.ascontiguousarray(partners, dtype=np.int64)


def _rows(first: str, second: str, partners: np.ndarray) -> tuple[str, str]:
    """Letters between two pairs stand opposite gaps, those of the first sequence before those of the second."""
    top, bottom, i, j = [], [], 0, 0
    for a, b in [*((a, int(b)) for a, b in enumerate(partners) if b >= 0), (len(first), len(second))]:
        top.append(first[i:a] + "-" * (b - j) + first[a : a + 1])
        bottom.append("-" * (a - i) + second[j:b] + second[b : b + 1])
        i, j = a + 1, b + 1
    return "".join(top), "".join(bottom)
