"""The engine of RNA folds, on tables of what loops score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._inputs import count_of, listed, threads_of

_CLASS, _TYPES = (6, 5, 5), 6
FOLD_TABLES: dict[str, tuple[int, ...]] = {
    "hairpin": _CLASS, "stack": _CLASS, "one_one": _CLASS, "close": _CLASS, "branch": _CLASS, "exterior": _CLASS,
    "outer": _CLASS, "inner": _CLASS, "pair": (_TYPES,), "bulge_stack": (_TYPES, _TYPES), "hairpin_length": (31,),
    "loop": (31, 31), "multi_letter": (), "exterior_letter": (),
}


class FoldCounts(NamedTuple):
    """How often each number of the tables is used (batch, ...), and how probable each pair of letters is, a table for each sequence."""

    tables: dict[str, np.ndarray]
    pairs: list[np.ndarray]


def fold(sequences: Any, tables: Mapping[str, Any], allowed: Any = None, paired: Any = None, max_loop: int = 30,
         temperature: float = 0.0, n_jobs: int | None = None) -> tuple[np.ndarray, FoldCounts]:
    """Folds of RNA without pseudoknots: a list of strings, by ``tables`` of what parts of loops score, 0 where they are left out.

    Pairs are AU, UA, CG, GC, GU and UG, the six types, in this order. Tables of (6, 5, 5) are by a pair's type and the letters
    beside it, A, C, G, U or another: behind its first letter and before its last (``hairpin``, ``stack``, ``one_one``, ``close``,
    ``outer``), or before its first and behind its last (``branch``, ``exterior``, ``inner``). The score of a fold is the sum of::

        pair[type] of each pair, and by the loop that it closes:
        hairpin + hairpin_length[letters, 30 for more]       no pair inside
        stack                                                one pair inside, right behind it
        outer + inner of the pair inside + loop[a, b]        one pair inside, behind a letters and before b, max_loop together
          + bulge_stack[type, type inside] where a + b is 1, + one_one where a and b are 1
        close + branch of each pair inside + multi_letter for each letter     several pairs inside
        and exterior of each pair that no other encloses, exterior_letter of each letter outside of all.

    ``allowed`` has for each sequence a table (letters, letters) of pairs that may be, or None; ``paired`` the letters that must be
    paired. Returns values (batch,), -inf where nothing is allowed, and counts: pairs less probable than 0.001 are 0.
    """
    texts = [_text(b, x) for b, x in enumerate(listed("sequences", sequences, "strings"))]
    value, used, pairs = _core.folds(texts, _flat(tables), _most(max_loop), _masks("allowed", allowed, texts, 2),
                                     _masks("paired", paired, texts, 1), _temperature(temperature), threads_of(n_jobs))
    return value, FoldCounts(_unflat(np.asarray(used)), list(pairs))


def fold_nbest(sequence: str, tables: Mapping[str, Any], k: int, allowed: Any = None, paired: Any = None,
               max_loop: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """The k best folds of one sequence: for each letter its partner, -1 for none (found, letters), and scores, best first."""
    return _core.folds_top(_text(0, sequence), _flat(tables), _most(max_loop), _mask(allowed, 2, "allowed"), _mask(paired, 1, "paired"), count_of(k))


def _text(b: int, x: Any) -> str:
    if not isinstance(x, str):
        raise TypeError(f"sequence {b} is a {type(x).__name__}, where a string of letters belongs.")
    if not x.isascii():
        raise ValueError(f"sequence {b} has letters that are none of RNA: give A, C, G, U, and N for others.")
    return x


def _most(max_loop: Any) -> int:
    if not isinstance(max_loop, (int, np.integer)) or not 0 <= max_loop <= 30:
        raise ValueError(f"max_loop is {max_loop!r}: give a whole number from 0 to 30.")
    return int(max_loop)


def _temperature(temperature: Any) -> float:
    from .engines import _temperatures

    return _temperatures(temperature)[0]


def _mask(mask: Any, dimensions: int, name: str) -> np.ndarray | None:
    if mask is None:
        return None
    mask = np.ascontiguousarray(mask, dtype=bool)
    if mask.ndim != dimensions:
        raise ValueError(f"{name} has the shape {mask.shape}: it needs {dimensions} dimensions.")
    return mask


def _masks(name: str, given: Any, texts: list[str], dimensions: int) -> list[np.ndarray | None]:
    if given is None:
        return []
    given = list(given)
    if len(given) != len(texts):
        raise ValueError(f"{name} has {len(given)} tables for {len(texts)} sequences: give one for each, or None.")
    return [_mask(mask, dimensions, name) for mask in given]


def _flat(tables: Mapping[str, Any]) -> np.ndarray:
    for name in tables:
        if name not in FOLD_TABLES:
            raise ValueError(f"there is no table {name!r} of folds: there are {', '.join(FOLD_TABLES)}.")
    flat = []
    for name, shape in FOLD_TABLES.items():
        table = np.asarray(tables.get(name, 0.0), dtype=np.float64)
        if table.ndim and table.shape != shape:
            raise ValueError(f"the table {name!r} has the shape {table.shape}, where {shape} or one number for all belongs.")
        flat.append(np.broadcast_to(table, shape).ravel())
    return np.concatenate(flat)


def _unflat(used: np.ndarray) -> dict[str, np.ndarray]:
    found, at = {}, 0
    for name, shape in FOLD_TABLES.items():
        size = int(np.prod(shape))
        found[name] = used[:, at : at + size].reshape(-1, *shape)
        at += size
    return found
