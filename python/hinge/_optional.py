"""Packages that are imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any


def optional(name: str, what: str) -> Any:
    """The module; ImportError that says who needs it where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = {"sklearn": "scikit-learn"}.get(name.split(".")[0], name.split(".")[0])
        raise ImportError(f"{what} needs {package}: pip install {package}.") from error
