"""Requests of metadata: which keywords of ``fit``, ``score`` and the others scikit-learn's routing hands on."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._optional import optional

_METHODS = ("fit", "predict", "predict_proba", "decision_function", "score")


class _Setter:
    """``set_fit_request`` and the like, where the class has the method."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __get__(self, instance: Any, owner: Any) -> Callable[..., Any]:
        if _keywords(owner, self.method) is None:
            raise AttributeError(f"{owner.__name__} has no method {self.method}.")

        def setter(**requests: Any) -> Any:
            """Say which keywords scikit-learn's routing hands on: True, False, None (an error where they are given), or another name."""
            if not optional("sklearn", "metadata routing").get_config().get("enable_metadata_routing"):
                raise RuntimeError("requests are for scikit-learn's routing: sklearn.set_config(enable_metadata_routing=True) turns it on.")
            known = _keywords(owner, self.method) or []
            for name in requests:
                if name not in known:
                    raise TypeError(f"{owner.__name__}.{self.method} has no keyword '{name}' to request: it has {', '.join(known) or 'none'}.")
            request = instance.get_metadata_routing()
            for name, alias in requests.items():
                getattr(request, self.method).add_request(param=name, alias=alias)
            instance._metadata_request = request
            return instance

        setter.__name__ = f"set_{self.method}_request"
        return setter


class Requesting:
    """What has keywords beside X and y, and says which of them scikit-learn's routing hands on to it."""

    set_fit_request = _Setter("fit")
    set_predict_request = _Setter("predict")
    set_predict_proba_request = _Setter("predict_proba")
    set_decision_function_request = _Setter("decision_function")
    set_score_request = _Setter("score")

    def get_metadata_routing(self) -> Any:
        """The requests, as scikit-learn's MetadataRequest."""
        kept = self.__dict__.get("_metadata_request")
        if kept is not None:
            return kept
        request = optional("sklearn.utils.metadata_routing", "metadata routing").MetadataRequest(owner=self)
        for method in _METHODS:
            for name in _keywords(type(self), method) or ():
                getattr(request, method).add_request(param=name, alias=None)
        return request


def _keywords(owner: type, name: str) -> list[str] | None:
    """Those beside X and y; None where there is no such method."""
    method = inspect.getattr_static(owner, "__call__" if name == "score" and not hasattr(owner, "fit") else name, None)
    if not inspect.isfunction(method):
        return None
    found = inspect.signature(method).parameters
    forms = inspect.signature(owner._examples).parameters if any(p.kind is p.VAR_KEYWORD for p in found.values()) and \
        hasattr(owner, "_examples") else {}
    return [p.name for p in {**found, **forms}.values()
            if p.name not in ("self", "X", "y", "estimator") and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
