"""Writes hinge/__init__.pyi: what type checkers know of the package, with every parameter of the estimators.

    python python/tests/make_stubs.py          writes it
    python python/tests/make_stubs.py --check  says whether it is what it would write
"""

from __future__ import annotations

import inspect
import pathlib
import sys

import hinge
from hinge._base import Estimator
from hinge._keywords import Available, Lacking
from hinge._routing import Requesting, _Setter

KINDS = {"str": "str", "int": "int", "float": "float", "bool": "bool", "list": "Any"}
OWN = {"gap": "float", "max_passes": "float", "solver_options": "dict[str, float]", "verbose": "int", "warm_start": "bool",
       "callback": "Callable[[dict[str, Any]], Any]", "templates": "str", "classes": "Sequence[Any]",
       "Cs": "Sequence[float]", "cost_matrix": "Any", "cv": "Any", "metric": "str", "task": "Task"}


def parameter(p):
    if p.name in ("C",):
        kind = "float"
    elif p.name == "random_state":
        kind = "Any"
    elif p.name == "kernel" and "precomputed" in p.help:
        kind = "str | Callable[[Any, Any], Any]"
    else:
        kind = OWN.get(p.name) or KINDS.get(p.kind, "Any")
    return f"{p.name}: {kind}{' | None' if p.default is None and kind != 'Any' else ''} = ..."


def function(name, member):
    """A method, with its annotations as they stand in the source."""
    signature = inspect.signature(member)
    parameters = []
    star = False
    for q in signature.parameters.values():
        kind = "" if q.annotation is q.empty or q.name == "self" else f": {q.annotation}"
        default = "" if q.default is q.empty else " = ..."
        if q.name == "self" and "Self" in str(signature.return_annotation):
            kind = ": Self"
        if q.kind is q.VAR_KEYWORD:
            parameters.append(f"**{q.name}: Any")
            continue
        if q.kind is q.KEYWORD_ONLY and not star:
            parameters.append("*")
            star = True
        parameters.append(f"{q.name}{kind}{default}")
    returned = "Any" if signature.return_annotation is signature.empty else signature.return_annotation
    returned = str(returned).replace("Counts", "Any")
    override = "  # type: ignore[override]" if name in ("fit", "predict", "features") else ""
    return f"    def {name}({', '.join(parameters)}) -> {returned}: ...{override}"


def members(cls, owner):
    for name, member in sorted(vars(cls).items()):
        if name.startswith("_") and name not in ("__repr__", "_repr_html_"):
            continue
        if isinstance(member, Available):
            member = member.method
        if isinstance(member, _Setter) and hasattr(owner, name):
            own = "Self" if issubclass(owner, Estimator) else f'"{owner.__name__}"'
            yield f"    def {name}(self: {own}, **requests: bool | str | None) -> {own}: ..."
        if inspect.isfunction(member):
            yield function(name, member)
        elif isinstance(member, property):
            yield f"    @property\n    def {name}(self) -> {member.fget.__annotations__.get('return', 'Any')}: ..."
    for name, kind in sorted(getattr(cls, "__annotations__", {}).items()):
        if not name.startswith("_") and "ClassVar" not in str(kind):
            yield f"    {name}: {kind}"


def head(line):
    """What a line is about."""
    return line.split("(")[0].replace("@property\n", "")


def lacks(cls, line):
    """Whether the class does not have the method of a base that a line is about."""
    name = head(line).split()[-1].rstrip(":")
    return isinstance(inspect.getattr_static(cls, name, None), Lacking)


def written():
    lines = ["# Written by python/tests/make_stubs.py from the options' own descriptions.",
             "from collections.abc import Callable, Iterator, Sequence", "from typing import Any, TypeVar", "", "import numpy as np",
             "", "from . import datasets as datasets, engines as engines", "", "__version__: str", 'Self = TypeVar("Self", bound="Estimator")', ""]
    public = [name for name in hinge.__all__ if name not in ("datasets", "engines")]
    classes = [getattr(hinge, name) for name in public if inspect.isclass(getattr(hinge, name))]
    order = sorted(classes, key=lambda cls: (len(cls.__mro__), cls.__name__))
    names = {cls.__name__ for cls in classes}
    for cls in order:
        bases = [b.__name__.lstrip("_") for b in cls.__bases__]
        shown = [b for b in bases if b in names or b in ("ValueError", "UserWarning", "AttributeError")]
        if not shown and issubclass(cls, Estimator) and cls is not Estimator:
            shown = ["Estimator"]
        lines.append(f"class {cls.__name__}({', '.join(shown)}):" if shown else f"class {cls.__name__}:")
        body = ["    def __init__(self, metric: str) -> None: ...",
                "    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = ...) -> float: ..."] if cls is hinge.scorer else []
        if issubclass(cls, Estimator) and cls is not Estimator:
            keywords = ", ".join(parameter(p) for p in cls._parameters.values() if p.name != "task")
            first = "task: Task | None = ..., " if "task" in cls._parameters else ""
            body.append(f"    def __init__(self, {first}*, {keywords}) -> None: ...")
        for base in [cls, *(b for b in cls.__mro__[1:] if b.__name__ not in names and issubclass(b, Estimator)),
                     *([Requesting] if Requesting in cls.__bases__ else [])]:
            known = {head(line) for line in body}
            body += [line for line in members(base, cls) if head(line) not in known and not lacks(cls, line)]
        if cls.__name__ == "Summary":
            body.append("    def __getattr__(self, name: str) -> Any: ...")
        lines += body or ["    ..."]
        lines.append("")
    for name in public:
        member = getattr(hinge, name)
        if inspect.isfunction(member):
            lines.append(function(name, member).strip().replace("(, ", "("))
    lines += ["", f"__all__ = {sorted(hinge.__all__)!r}"]
    return "\n".join(lines) + "\n"


path = pathlib.Path(__file__).parents[1] / "hinge" / "__init__.pyi"
if "--check" in sys.argv:
    if path.read_text() != written():
        sys.exit("hinge/__init__.pyi is not what python/tests/make_stubs.py writes: run it.")
else:
    path.write_text(written())
