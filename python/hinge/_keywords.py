"""Methods that say what an unknown keyword may have been meant to be, and methods that some estimators lack."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ._options import unknown

_ASKED = ("decision_function", "evaluate", "fit", "predict", "predict_nbest", "predict_pairs", "predict_proba", "predict_sites", "score")


def name_keywords(cls: type) -> None:
    """Wraps the methods of a class that take data."""
    for name in _ASKED:
        if inspect.isfunction(method := cls.__dict__.get(name)):
            setattr(cls, name, _named(method))


def refuse_keywords(what: str, keywords: Any, *methods: Any) -> None:
    """What none of the methods takes."""
    known = [name for method in methods for name, p in inspect.signature(method).parameters.items()
             if name != "self" and p.kind is not p.VAR_KEYWORD]
    for name in keywords:
        if name not in known:
            raise unknown(what, name, known)


def _named(method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = inspect.signature(method).parameters
    known = frozenset(name for name, p in parameters.items() if p.kind is not p.VAR_KEYWORD)
    forms = len(known) < len(parameters)  # those of data too

    @functools.wraps(method)
    def asked(self: Any, *positional: Any, **keywords: Any) -> Any:
        if not known.issuperset(keywords):
            refuse_keywords(f"{type(self).__name__}.{method.__name__}", keywords, method, *([self._further(method.__name__)] if forms else []))
        return method(self, *positional, **keywords)

    @functools.wraps(method)
    def learned(self: Any, *positional: Any, **keywords: Any) -> Any:
        before = dict(vars(self))
        try:
            return asked(self, *positional, **keywords)
        except BaseException:  # nothing of what was learned before is mixed with what was begun
            parameters = {name: value for name, value in vars(self).items() if name in self._parameters}
            vars(self).clear()
            vars(self).update(before, **parameters)
            raise

    return learned if method.__name__ == "fit" else asked


class Available:
    """A method that is there where ``lacking`` has no sentence about it, as scikit-learn's ``available_if`` has it."""

    def __init__(self, method: Callable[..., Any], lacking: Callable[[Any], str | None]) -> None:
        self.method, self.lacking = method, lacking
        functools.update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self.method
        if sentence := self.lacking(instance):
            raise AttributeError(sentence)
        return functools.partial(self.method, instance)


class Lacking:
    """A method of the base that an estimator does not have: the sentence says what it has instead."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise AttributeError(self.sentence)
