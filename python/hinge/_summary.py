"""How a training went."""

from __future__ import annotations

import html
import math
from typing import Any


# What comparisons want of numbers that nobody knows, which JSON has as null.
_UNKNOWN = {"primal": math.inf, "dual": -math.inf, "relative_gap": math.inf}


class Summary:
    """What a training says of itself: every key of the model file's summary is an attribute.

    ``primal``, ``dual`` and ``gap`` (relative, certified) are of the objective as Hinge has it, 1/2 |w|^2 + C times
    the sum, infinite where nobody knows them; ``termination`` is 'converged', 'iteration_limit', 'stopped' or 'no_progress'; ``inference`` says by
    which ways structures were found and how often not exactly; ``history`` is what the callback was told.
    """

    def __init__(self, values: dict[str, Any], history: list[dict[str, Any]] | None = None) -> None:
        self._values = dict(values)
        self.history = history or []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_values" not in self.__dict__:
            raise AttributeError(name)
        values = self.__dict__["_values"]
        name = "relative_gap" if name == "gap" else name
        if name in _UNKNOWN and values.get(name) is None:
            return _UNKNOWN[name]
        if name in values:
            return values[name]
        raise AttributeError(f"the summary has no '{name}': it has {', '.join(sorted(values))}.")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    @property
    def converged(self) -> bool:
        return bool(self._values.get("termination") == "converged")

    @property
    def ended_by_wish(self) -> bool:
        """Whether a callback or Ctrl-C ended it."""
        return self._values.get("termination") == "stopped" and str(self._values.get("message")).startswith(("The callback", "Stopped by"))

    @property
    def exact(self) -> bool:
        """Whether inference was always exact."""
        inference = self._values.get("inference") or {}
        return not inference.get("approximate")

    def to_dict(self) -> dict[str, Any]:
        return dict(self._values)

    def to_frame(self) -> Any:
        """The history as a pandas frame."""
        from ._optional import optional

        return optional("pandas", "Summary.to_frame").DataFrame(self.history)

    def plot(self, ax: Any = None) -> Any:
        """Primal and dual over time, with matplotlib."""
        from ._optional import optional

        plt = optional("matplotlib.pyplot", "Summary.plot")
        ax = ax or plt.gca()
        for name in ("primal", "dual"):
            points = [(h["seconds"], h[name]) for h in self.history if abs(h[name]) < 1e300]
            if points:
                ax.plot(*zip(*points), marker=".", label=name)
        ax.set_xlabel("seconds")
        ax.set_ylabel("objective")
        ax.legend()
        return ax

    def _rows(self) -> list[tuple[str, str]]:
        names = ("solver", "primal", "dual", "relative_gap", "termination", "message", "iterations", "oracle_calls",
                 "seconds")
        rows = [(name, f"{value:.6g}" if isinstance(value, float) else str(value))
                for name in names if (value := self._values.get(name)) is not None]
        return [*rows, ("inference", self._inference())] if "inference" in self._values else rows

    def _inference(self) -> str:
        """Whether it was exact, in words."""
        found = self._values["inference"]
        ways = ", ".join(sorted(found.get("ways") or {}))
        if self.exact:
            return f"exact ({ways})" if ways else "exact"
        return f"not exact in {found['approximate']} of {sum(found['ways'].values())} answers ({ways})"

    def __repr__(self) -> str:
        return "Summary(" + ", ".join(f"{name}={text}" for name, text in self._rows() if name != "message") + ")"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in self._rows())
        return f"<table>{rows}</table>{self._curve()}"

    def _curve(self) -> str:
        """A small picture over the passes: the gap, where it is known more than once, else the objectives."""
        def known(name: str) -> list[tuple[float, float]]:
            return [(h["passes"], h[name]) for h in self.history if abs(h[name]) < 1e300]

        gaps = [(x, math.log10(gap)) for x, gap in known("gap") if gap > 0]
        curves = {"gap": gaps} if len(gaps) > 1 else {name: known(name) for name in ("primal", "dual")}
        curves = {name: points for name, points in curves.items() if len(points) > 1}
        if not curves:
            return ""
        xs, ys = zip(*(point for points in curves.values() for point in points))
        low, high, last = min(ys), max(ys), max(xs) or 1.0
        across, up = 300 / last, 80 / (high - low or 1.0)
        drawn = "".join(
            f'<polyline points="{" ".join(f"{across * x:.1f},{up * (high - y):.1f}" for x, y in points)}" fill="none" '
            f'stroke="currentColor"{" stroke-dasharray=" + chr(34) + "4 3" + chr(34) if name == "dual" else ""}/>'
            for name, points in curves.items())
        shown = (lambda y: f"{10**y:.1g}") if "gap" in curves else (lambda y: f"{y:.4g}")
        told = "gap (log scale)" if "gap" in curves else "primal" if "dual" not in curves else "primal, dual (dashed)"
        return (f'<svg width="380" height="124" viewBox="-62 -14 380 124" font-size="10" fill="currentColor">{drawn}'
                f'<text x="-6" y="4" text-anchor="end">{shown(high)}</text><text x="-6" y="84" text-anchor="end">{shown(low)}</text>'
                f'<text x="0" y="102">{told}</text><text x="300" y="102" text-anchor="end">{last:.3g} passes</text></svg>')
