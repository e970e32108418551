"""Metrics of examples that weigh differently.

Weights that are whole numbers of one unit repeat examples, which any metric understands. Others weigh means over examples
and over their items: accuracy and loss.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._inputs import weights_of
from ._units import Units

_MOST = 1000  # repeats of one example


def repeated(units: Units, sample_weight: Any) -> np.ndarray | None:
    """Each unit as often as it weighs; None where that is no whole number."""
    weights = weights_of(sample_weight, units.count)
    assert weights is not None
    times = weights / np.min(weights[weights > 0])
    whole = np.round(times)
    if np.any(np.abs(times - whole) > 1e-9) or whole.max() > _MOST:
        return None
    return np.repeat(np.arange(units.count), whole.astype(np.int64))


def evaluated(estimator: Any, X: Any, y: Any, sample_weight: Any, forms: dict[str, Any]) -> dict[str, Any]:
    units = estimator._units(X, y, **forms)
    chosen = repeated(units, sample_weight)
    if chosen is None:
        raise ValueError("evaluate takes weights that are whole numbers, or 0 and another number: score weighs accuracy and loss by any.")
    X, y, more = units.chosen(chosen)
    return dict(estimator.evaluate(X, y, **more))


def scored(estimator: Any, X: Any, y: Any, sample_weight: Any, metric: str | None, forms: dict[str, Any]) -> float:
    units = estimator._units(X, y, **forms)
    chosen = repeated(units, sample_weight)
    if chosen is not None:
        X, y, more = units.chosen(chosen)
        return float(estimator.score(X, y, metric=metric, **more))
    name = metric or estimator._default_metric
    if name not in ("accuracy", "loss") or name not in estimator._means:
        raise ValueError(f"{name} of {type(estimator).__name__} is no mean over examples: give weights that are whole numbers, or a metric "
                         "of accuracy and loss.")
    weights = weights_of(sample_weight, units.count)
    assert weights is not None
    total = amount = 0.0
    for i in np.flatnonzero(weights):
        X, y, more = units.chosen(np.array([i]))
        metrics = estimator.evaluate(X, y, **more)
        items = estimator._means[name]
        size = weights[i] * (metrics[items] if items else 1)
        if size and not _unknown(metrics):
            total, amount = total + size * estimator._metric(metrics, name), amount + size
    if amount == 0:
        raise ValueError("no example has a known label: there is nothing to compare with.")
    return float(total / amount)


def _unknown(metrics: dict[str, Any]) -> bool:
    return bool(metrics.get("unlabelled"))
