"""The build backend: scikit-build-core's, which asks for packages with the headers that the compiler does not find."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import Any

from scikit_build_core import build
from scikit_build_core.build import build_editable, build_sdist, build_wheel, get_requires_for_build_sdist
from scikit_build_core.build import prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel

# cmake/headers.cmake finds in these packages what the system does not have.
HEADERS = {"fmt/format.h": "cmeel-fmt>=12.1", "nlohmann/json.hpp": "nlohmann-json>=3.11"}


def finds(header: str) -> bool:
    """Whether the compiler does."""
    try:
        command = [*shlex.split(os.environ.get("CXX", "c++")), "-E", "-x", "c++", "-", "-o", os.devnull]
        return subprocess.run(command, input=f"#include <{header}>\n".encode(), stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return True  # there is no compiler, which CMake will say


def _headers() -> list[str]:
    return [package for header, package in HEADERS.items() if not finds(header)]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return [*build.get_requires_for_build_wheel(config_settings), *_headers()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return [*build.get_requires_for_build_editable(config_settings), *_headers()]


__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable", "get_requires_for_build_sdist",
           "get_requires_for_build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]
