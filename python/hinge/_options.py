"""Parameters of the estimators, from the descriptions that the options have of themselves."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from . import _core

# Options about files, which Python has no use for, and what Python gives in another way.
_NOT_HERE = {"format", "label", "template", "folds", "split", "positive_files", "output_format"}
_RENAMED = {"threads": "n_jobs", "seed": "random_state"}
_OF_TASK = {"motif": {"positive", "negative"}, "multiclass": {"feature_names"}, "graph": set(), "fold": {"crossing"}}

_C = (
    "Minimise 1/2 |w|^2 + C times the sum of the examples' losses, as in scikit-learn. None: 1 where outputs have "
    "a temperature (crf, hcrf, softmax-margin, epsilon), else 0.1."
)
_OWN: list[tuple[str, Any, str]] = [
    ("gap", None, "Stop when (primal - dual) / primal is at most this; None: as the solver has it."),
    ("max_passes", None, "Stop after so many passes over the examples; None: as the solver has it."),
    ("solver_options", None, "Further options of the solver, a dict."),
    ("warm_start", False, "Go on from the weights of the last fit, matched by the names of their features."),
    ("verbose", 0, "1: log progress to the logger 'hinge', and to standard error where it has no handler."),
    ("callback", None, "Called with a dict after every round; ends the training by returning False."),
]


class Parameter:
    """One keyword of a constructor."""

    def __init__(self, name: str, default: Any, help: str, option: str | None = None, group: str = "own",
                 kind: str = "") -> None:
        self.name, self.default, self.help = name, default, help
        self.option, self.group, self.kind = option, group, kind


def parameters_of(task: str, extra: list[tuple[str, Any, str]]) -> dict[str, Parameter]:
    """All keywords of a task's estimator: those of any training, of the task, and Python's own."""
    return {**_of_training(), **_of_task(task), **{name: Parameter(name, value, help) for name, value, help in extra}}


@functools.cache
def _of_training() -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    for option in _core.training_options():
        name = _RENAMED.get(option["name"], option["name"])
        default, help = option["default"], _sentence(option)
        if name == "C":
            default, help = None, _C
        elif name == "n_jobs":
            default, help = None, "Threads, which change no bit of the result; None: 1, -1: every core."
        elif name == "random_state":
            default, help = None, "Seed of everything random; None: 1, so that runs repeat."
        elif name in ("output_temperature", "latent_temperature"):
            default, help = None, help.replace(" (-1: that of the method)", "; None: that of the method")
        found[name] = Parameter(name, default, help, option["name"], "training", option["kind"])
    for name, value, help in _OWN:
        found[name] = Parameter(name, value, help)
    return found


@functools.cache
def _of_task(task: str) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    hidden = _NOT_HERE | _OF_TASK.get(task, set())
    for option in _core.task_options(task):
        if option["name"] in hidden:
            continue
        default = option["default"]
        if option["name"] == "length" and len(default) == 1:
            default = int(default[0])
        found[option["name"]] = Parameter(option["name"], default, _sentence(option), option["name"], "task",
                                          option["kind"])
    return found


def _sentence(option: dict[str, Any]) -> str:
    text = option["help"][0].upper() + option["help"][1:]
    if not text.endswith("."):
        text += "."
    if option["words"]:
        text += " One of " + ", ".join(repr(word) for word in option["words"]) + "."
    elif option["kind"] in ("int", "float") and (option["low"] > -1e308 or option["high"] < 1e308):
        low, high = option["low"], option["high"]
        text += f" From {low:g}." if high > 1e308 else f" From {low:g} to {high:g}."
    return text


def signature_of(parameters: dict[str, Parameter]) -> inspect.Signature:
    keywords = [inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default)
                for p in parameters.values()]
    return inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *keywords])


def documented(text: str | None, parameters: dict[str, Parameter]) -> str:
    lines = [inspect.cleandoc(text or ""), "", "Parameters", "----------"]
    for p in parameters.values():
        lines.append(f"{p.name} : default {p.default!r}")
        lines.append("    " + p.help)
    return "\n".join(lines) + "\n"


def unknown(what: str, name: str, known: Any) -> TypeError:
    import difflib

    near = [each for each in known if each.lower() == name.lower()] or difflib.get_close_matches(name, list(known), 1)
    return TypeError(f"{what} has no parameter '{name}'" + (f": did you mean '{near[0]}'?" if near else "."))
