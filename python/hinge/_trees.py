"""Trees of sentences."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from . import _core
from ._base import Listed
from ._inputs import count_of, listed, objects_of

_LEAF = re.compile(r"\(([^\s()]+)\s+([^\s()]+)\s*\)")


class TreeParser(Listed):
    """A tree for each sentence, by a weighted grammar that is read off the trees of training.

    X is a list of sentences: lists of words, or of pairs (word, tag), which ``tags='given'`` wants; or trees, whose
    words and tags are taken. y is a list of trees: text in brackets such as ``'(S (NP (PRP It)) (VP (VBZ works)))'``,
    tuples ``('S', ('NP', ('PRP', 'It')), ...)``, or nltk's; None where nothing is known. The bracket ``?`` says that
    its pieces may be grouped in any way.
    """

    _task = "parse"
    _default_metric = "f1"
    _inputs = "sentences"

    def _records(self, X: Any, y: Any, weights: np.ndarray | None) -> _core.Records:
        if isinstance(X, str):
            raise TypeError("X is one text, where a list of sentences belongs.")
        words, tags = [], []
        for i, x in enumerate(listed("X", X, "sentences")):
            found = _words(i, x)
            words.append([word for word, _ in found])
            tags.append([tag for _, tag in found])
        if not words:
            raise ValueError("X is empty: give at least one sentence.")
        trees = [None] * len(words) if y is None else [None if tree is None else _text(i, tree) for i, tree in enumerate(y)]
        if len(trees) != len(words):
            raise ValueError(f"X has {len(words)} sentences, but y has {len(trees)} trees: give one for each.")
        return _core.tree_records(words, tags, trees, weights)

    def predict(self, X: Any, given: Any = None) -> np.ndarray:
        """The tree of each sentence, an array of texts in brackets.

        ``given`` has what is known already, as y of ``fit``: the best tree that keeps to its brackets is predicted.
        """
        return objects_of([ranked[0][0] for ranked in self._ranked(X, 1, given)])

    def predict_nbest(self, X: Any, k: int = 5, given: Any = None) -> list[list[tuple[str, float]]]:
        """At most k trees of each sentence, best first, with their scores; -inf where the grammar has none."""
        return self._ranked(X, count_of(k), given)

    def _ranked(self, X: Any, k: int, given: Any) -> list[list[tuple[str, float]]]:
        if given is not None:
            given = listed("given", given, "trees")
        return list(self._fitted().trees(self._examples(X, given), k, given is not None, self._threads()))


def _text(i: int, tree: Any) -> str:
    """A tree in brackets, on one line."""
    if isinstance(tree, str):
        return tree
    if hasattr(tree, "label") and callable(tree.label):  # nltk's
        return "(" + " ".join([str(tree.label()), *(_piece(i, child) for child in tree)]) + ")"
    if isinstance(tree, (tuple, list)) and len(tree) > 1 and isinstance(tree[0], str):
        return "(" + " ".join([tree[0], *(_piece(i, child) for child in tree[1:])]) + ")"
    raise TypeError(f"tree {i} has a {type(tree).__name__}, where text in brackets, (label, child, ...) or an nltk tree "
                    "belongs.")


def _piece(i: int, child: Any) -> str:
    return child if isinstance(child, str) else _text(i, child)


def _words(i: int, x: Any) -> list[tuple[str, str]]:
    """Words and tags, which are empty where nobody knows them."""
    if isinstance(x, str) and not x.lstrip().startswith("("):
        return [(word, "") for word in x.split()]
    if isinstance(x, str) or hasattr(x, "label") or (isinstance(x, tuple) and len(x) > 1 and isinstance(x[1], tuple)):
        return [(word, tag) for tag, word in _LEAF.findall(_text(i, x)) if tag != "-NONE-"]
    found = []
    for word in listed(f"sentence {i}", x, "words"):
        pair = (word, "") if isinstance(word, str) else word
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            raise TypeError(f"sentence {i} has a {type(word).__name__}, where a word or (word, tag) belongs.")
        found.append((pair[0], pair[1]))
    return found
