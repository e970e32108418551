"""Functions that torch.compile calls as they are, instead of looking into them.

It would trace through our kernels and through NumPy, and not always rightly. Elsewhere they are plain functions: what torch
does around an operator costs more than a launch.
"""

from __future__ import annotations

from typing import Any, Callable

import torch


def opaque(name: str, schema: str, shapes: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``shapes`` makes empty tensors like those that the function returns."""

    def made(function: Callable[..., Any]) -> Callable[..., Any]:
        operator = torch.library.custom_op(f"hinge::{name}", function, mutates_args=(), schema=schema)
        operator.register_fake(shapes)

        def call(*arguments: Any) -> Any:
            return (operator if torch.compiler.is_compiling() else function)(*arguments)

        call.__doc__ = function.__doc__
        return call

    return made
