"""What the layers of torch and of JAX share: methods by name, and what labels may be."""

from __future__ import annotations

from typing import Any

from .engines import _temperatures

# rho, output temperature, latent temperature
METHODS = {"crf": (0.0, 1.0, 1.0), "hcrf": (0.0, 1.0, 1.0), "ssvm": (1.0, 0.0, 0.0), "lssvm": (1.0, 0.0, 0.0),
           "mssvm": (1.0, 0.0, 1.0), "softmax-margin": (1.0, 1.0, 1.0)}


def method_of(method: str, temperature: Any) -> tuple[float, float, float]:
    """(rho, output temperature, latent temperature); ``temperature`` replaces the method's."""
    if method not in METHODS:
        raise ValueError(f"method is {method!r}: give one of {', '.join(METHODS)}.")
    rho, output, latent = METHODS[method]
    return (rho, output, latent) if temperature is None else (rho, *_temperatures(temperature))


def refuse_labels(shape: Any, scores: Any, highest: int | None) -> None:
    """``highest`` label; None where nobody waits to look at it."""
    if tuple(shape) != tuple(scores[:-1]):
        raise ValueError(f"labels has the shape {tuple(shape)}, where {tuple(scores[:-1])} belongs.")
    if highest is not None and highest >= scores[-1]:
        raise ValueError(f"a label is {highest}: labels are from 0 to {scores[-1] - 1}, and below 0 where hidden.")
