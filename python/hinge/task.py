"""Tasks of your own, in NumPy: say what structures are worth, and learn with every solver."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core, engines
from ._base import Estimator, _clone
from ._inputs import listed, weights_of
from ._interrupts import presses
from ._keywords import Available
from ._options import parameters_of, signature_of, unknown
from ._summary import Summary

__all__ = ["CheckReport", "FactoredTask", "LatentTask", "Learner", "Task", "check_task"]


class Task:
    """A task by its searches; unlocks structural SVMs.

    A structure is what inference chooses, a label what the data says of it. Write ``dimension``, the number of weights,
    and

        loss(y, s)                  what structure s costs where the label is y: 0 where it is right
        features(x, s)              an array of ``dimension`` numbers, or (indices, values); the score is <w, features>
        predict(x, w)               the structure of highest score
        most_violating(x, y, w)     the structure of highest score + loss(y, s)

    and, for slack rescaling, most_violating_slack(x, y, w): that of highest loss(y, s) (1 + score(s) - score(y)). With
    structures(x), which lists all of them, ``check_task`` compares the searches with enumeration.
    """

    dimension: int = 0
    _engine = ""

    def loss(self, y: Any, s: Any) -> float:
        raise NotImplementedError(f"{type(self).__name__} needs loss(y, s)")

    def features(self, x: Any, s: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs features(x, s)")

    def predict(self, x: Any, w: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs predict(x, w)")

    def most_violating(self, x: Any, y: Any, w: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs most_violating(x, y, w)")

    def structure(self, y: Any) -> Any:
        """The structure that the label y admits, where it is one; y itself unless you say otherwise."""
        return y

    def determined(self, y: Any) -> bool:
        """Whether the label y admits one structure only."""
        return True


class LatentTask(Task):
    """A task whose labels leave something open; unlocks latent structural SVMs.

    Write also complete(x, y, w): the structure of highest score among those that the label y admits.
    """

    def complete(self, x: Any, y: Any, w: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs complete(x, y, w)")

    def determined(self, y: Any) -> bool:
        return False


class Counts(NamedTuple):
    """How often each part is used."""

    unary: np.ndarray
    pairwise: Any


class SpanCounts(NamedTuple):
    """How often each span stands in a tree."""

    spans: np.ndarray


class LetterCounts(NamedTuple):
    """How often letters are paired, and stand opposite gaps that begin or go on."""

    match: np.ndarray
    first: np.ndarray
    second: np.ndarray


class LinkCounts(NamedTuple):
    """How often each link is used, above the diagonal."""

    pairs: np.ndarray


_COUNTS: dict[str, Any] = {"context_chain": engines.ContextCounts, "trees": SpanCounts, "alignment": LetterCounts, "forest": LinkCounts}


class FactoredTask(Task):
    """A task by its parts, which an engine searches and sums over; unlocks every method and temperature.

    ``engine`` names it, and so the tables of parts:

    - 'chain': ``unary`` (positions, states), ``pairwise`` (states, states)
    - 'steps': the same, with ``pairwise`` (positions - 1, states, states), a table for each step
    - 'context_chain': a chain with ``ngrams`` (n-grams,) besides; the attribute ``ngrams`` lists their labels, three or more each
    - 'graph': ``unary`` (nodes, states), ``edges`` (edges, 2), ``pairwise`` (edges, states, states) or one table
    - 'choice': ``unary`` (1, states)
    - 'trees': ``spans`` (words, words), binary trees by (first word, last word)
    - 'alignment': ``match`` (letters, letters of the other); ``first`` and ``second`` (letters, 2), for each letter of both what a gap
      opposite scores, where it begins and where it goes on
    - 'forest': ``pairs`` (items, items), links between items, of which those above the diagonal count; maxima alone

    Write ``dimension`` and::

        score(x, w)             dict(unary=..., ...), linear in w
        features(x, counts)     the adjoint: with counts.unary, ..., an array of ``dimension`` numbers or (indices, values)
        loss_parts(x, y)        dict(unary=..., ...): what each part costs, of pairs too; of a forest also ``constant``
        admitted(x, y)          dict(unary=...): True for the states that the label leaves open, and for spans, pairs of letters
                                (also ``first``, ``second``) that may stand; of a forest links within clusters, which are its trees
        hidden(x, y)            which nodes of chains and graphs are no outputs, or None
    """

    engine: str = "chain"

    @property
    def _engine(self) -> str:  # type: ignore[override]
        return self.engine

    def score(self, x: Any, w: np.ndarray) -> dict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} needs score(x, w)")

    def loss_parts(self, x: Any, y: Any) -> dict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} needs loss_parts(x, y)")

    def admitted(self, x: Any, y: Any) -> dict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} needs admitted(x, y)")

    def hidden(self, x: Any, y: Any) -> Any:
        return None

    def _counts(self, tables: dict[str, Any]) -> Any:
        return _COUNTS.get(self.engine, Counts)(**tables)

    def predict(self, x: Any, w: np.ndarray, temperature: Any = 0.0) -> Any:
        """The best states of the nodes; of a choice, the best one; of trees, which spans stand in them; of alignments, the partner of
        each letter, -1 for a gap; of forests, the cluster of each item."""
        _, counts = self._solved(x, w, temperature)
        if self.engine == "trees":
            return counts.spans > 0.5
        if self.engine == "alignment":
            return np.where(counts.match.max(axis=1) > 0.5, counts.match.argmax(axis=1), -1)
        if self.engine == "forest":
            return _components(counts.pairs)
        best = counts.unary.argmax(axis=1)
        return int(best[0]) if self.engine == "choice" else best

    def marginals(self, x: Any, w: np.ndarray) -> Any:
        """How probable each part is, at temperature 1."""
        return self._solved(x, w, 1.0)[1]

    def _solved(self, x: Any, w: np.ndarray, temperature: Any) -> tuple[float, Any]:
        value, tables = _core.solve_parts(self, self.score(x, w), self.engine, engines._temperatures(temperature)[0])
        return value, self._counts(tables)


def _components(pairs: np.ndarray) -> np.ndarray:
    """The cluster of each item, numbered by their first items."""
    cluster = np.arange(len(pairs))
    for i, j in np.argwhere(pairs > 0.5):
        cluster[cluster == cluster[j]] = cluster[i]
    return np.unique(cluster, return_inverse=True)[1]


class Learner(Estimator):
    """Learns a task of your own: ``hinge.Learner(Event(), C=1.0).fit(X, y).predict(X)``.

    Parameters are those of every estimator. Tasks without parts run on one thread, whatever ``n_jobs`` says, where
    Python runs one thread at a time; a free-threaded Python runs them on several. Of a FactoredTask the engines do.
    """

    coef_: np.ndarray
    _parameters = {name: p for name, p in parameters_of("multiclass", [("task", None, "The task.")]).items()
                   if p.group != "task"}

    def __init__(self, task: Any = None, **values: Any) -> None:
        values["task"] = task
        for name in values:
            if name not in self._parameters:
                raise unknown("Learner", name, self._parameters)
        for p in self._parameters.values():
            setattr(self, p.name, values.get(p.name, p.default))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Learner:
        """Learn from inputs X and labels y, lists of whatever the task takes."""
        task = self._get("task")
        if not isinstance(task, Task):
            raise TypeError(f"task is a {type(task).__name__}, where a hinge.Task belongs.")
        X, y = listed("X", X, "inputs"), listed("y", [] if y is None else y, "labels")
        if len(X) != len(y):
            raise ValueError(f"X has {len(X)} inputs, but y has {len(y)} labels: give one for each.")
        weights = weights_of(sample_weight, len(X), "inputs")
        kept: Any = []
        if weights is not None and np.any(weights == 0):
            kept = np.flatnonzero(weights).tolist()
            X, y, weights = [X[i] for i in kept], [y[i] for i in kept], weights[kept]
        history: list[dict[str, Any]] = []
        start = self.coef_.tolist() if self._get("warm_start") and "coef_" in self.__dict__ else []
        if self._threads() != 1 and not task._engine and not _core.free_threads:
            warnings.warn("tasks in Python run on one thread: n_jobs is of no account.", UserWarning, stacklevel=2)
        found, summary = _core.learn_task(
            task, X, y, [] if weights is None else weights.tolist(), kept, task._engine, json.dumps(self._training_options()),
            self._settings(), self._values_of_C(), start, self._listener(history), presses())
        self.coef_ = np.asarray(found)
        self.summary_ = Summary(json.loads(summary), history)
        self._warn()
        return self

    def _weights(self) -> np.ndarray:
        if "coef_" not in self.__dict__:
            super()._fitted()
        return self.coef_

    def _fitted(self) -> _core.Model:
        self._weights()
        raise AttributeError("a Learner has weights and no model of the library's: its task decodes and measures.")

    @property
    def weights_(self) -> np.ndarray:
        """All weights: ``coef_``."""
        return self._weights()

    def path(self: Any, X: Any, y: Any, Cs: Sequence[float], **keywords: Any) -> Iterator[tuple[float, Any]]:
        """Fitted learners along ascending C, each started from the one before."""
        X, y, before = list(X), list(y), None
        for C in sorted(float(C) for C in Cs):
            each = _clone(self).set_params(C=C, warm_start=before is not None)
            if before is not None:
                each.coef_ = before
            each.fit(X, y, **keywords)
            before = each.coef_
            yield C, each.set_params(warm_start=self._get("warm_start"))

    def predict(self, X: Any) -> list[Any]:
        """The structure of each input."""
        w = self._weights()
        return [self._get("task").predict(x, w) for x in X]

    def _probabilities(self, X: Any) -> list[Any]:
        """How probable each part is, of a FactoredTask."""
        w, task = self._weights(), self._get("task")
        return [task.marginals(x, w) for x in X]

    predict_proba = Available(_probabilities, lambda self: None if isinstance(self._get("task"), FactoredTask) else
                              "probabilities need a task made of parts: write a FactoredTask.")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Minus the mean loss."""
        w, task, X, y = self._weights(), self._get("task"), list(X), list(y)
        if len(X) != len(y):
            raise ValueError(f"X has {len(X)} inputs, but y has {len(y)} labels: give one for each.")
        if not X:
            raise ValueError("X is empty: give at least one input.")
        if isinstance(task, FactoredTask):
            losses = [_loss_of_parts(task, x, label, w) for x, label in zip(X, y)]
        else:
            losses = [float(task.loss(label, task.predict(x, w))) for x, label in zip(X, y)]
        return -float(np.average(losses, weights=weights_of(sample_weight, len(X), "inputs")))

    def __sklearn_is_fitted__(self) -> bool:
        return "coef_" in self.__dict__

    def save(self, path: Any) -> None:
        """Write the weights and the summary with NumPy; the task is yours to keep."""
        weights, summary = self._weights(), json.dumps(self.summary_.to_dict())
        with open(path, "wb") as file:
            np.savez(file, weights=weights, summary=summary)

    def load(self, path: Any) -> Learner:
        """Take the weights that ``save`` wrote: ``hinge.Learner(Event()).load(path)``."""
        with np.load(path, allow_pickle=False) as kept:
            if not {"weights", "summary"} <= set(kept):
                raise ValueError(f"{path}: was not written by Learner.save.")
            weights, summary = np.asarray(kept["weights"], dtype=np.float64), json.loads(str(kept["summary"]))
        task = self._get("task")
        if task is not None and weights.shape != (task.dimension,):
            raise ValueError(f"{path}: has {len(weights)} weights, where the task has {task.dimension}.")
        self.coef_, self.summary_ = weights, Summary(summary)
        return self

    def top_features(self, k: int = 20) -> list[tuple[str, float]]:
        """The k weights of largest size, by their numbers."""
        w = self._weights()
        order = np.argsort(-np.abs(w), kind="stable")[:k]
        return [(str(j), float(w[j])) for j in order]


Learner.__init__.__signature__ = signature_of(Learner._parameters)  # type: ignore[attr-defined]


def _loss_of_parts(task: FactoredTask, x: Any, y: Any, w: np.ndarray) -> float:
    costs, counts = task.loss_parts(x, y), task._solved(x, w, 0.0)[1]
    told = float(costs.get("constant", 0.0))
    for name in counts._fields:
        if costs.get(name) is not None and getattr(counts, name) is not None:
            told += float((np.asarray(costs[name], dtype=np.float64) * getattr(counts, name)).sum())
    return told


class CheckReport:
    """What ``check_task`` found: sentences."""

    def __init__(self, failures: list[str], skipped: list[str], comparisons: int) -> None:
        self.failures, self.skipped, self.comparisons = failures, skipped, comparisons

    @property
    def passed(self) -> bool:
        return not self.failures

    def __repr__(self) -> str:
        head = f"{self.comparisons} comparisons, {len(self.failures)} failures"
        return "\n".join([head, *self.failures, *self.skipped])


def check_task(task: Task, X: Any, y: Any, examples: int = 20, seed: int = 1, fail: bool = True) -> CheckReport:
    """Whether the task keeps its contract on some examples; raises ValueError with sentences where it does not.

    Planes lie below the functions they support, searches are no worse than enumeration, scores are linear with the
    features as their adjoint, the loss is 0 at the label's own structure and never negative.
    """
    if not isinstance(task, Task):
        raise TypeError(f"task is a {type(task).__name__}, where a hinge.Task belongs.")
    X, y = listed("X", X, "inputs"), listed("y", y, "labels")
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} inputs, but y has {len(y)} labels: give one for each.")
    failures, skipped, comparisons = _core.check_task(task, X, y, task._engine, examples, seed)
    report = CheckReport(list(failures), list(skipped), comparisons)
    if not task._engine:
        _check_plain(task, X, y, examples, seed, report)
    if fail and not report.passed:
        raise ValueError("the task does not keep its contract:\n" + repr(report))
    return report


def _check_plain(task: Task, X: list[Any], y: list[Any], examples: int, seed: int, report: CheckReport) -> None:
    random = np.random.default_rng(seed)
    for i in np.unique(np.linspace(0, len(X) - 1, examples).astype(int)):
        x, label = X[i], y[i]

        def score(s: Any, w: np.ndarray) -> float:
            found = task.features(x, s)
            if isinstance(found, tuple):
                return float(np.dot(w[np.asarray(found[0], dtype=int)], found[1]))
            return float(np.dot(w, found))

        if task.determined(label):
            report.comparisons += 1
            cost = task.loss(label, task.structure(label))
            if cost != 0:
                report.failures.append(f"example {i}: loss(y, structure(y)) is {cost}, where 0 belongs.")
        for scale in (0.0, 0.1, 1.0, 10.0):
            w = scale * random.normal(size=task.dimension)
            best, worst = task.predict(x, w), task.most_violating(x, label, w)
            report.comparisons += 2
            tolerance = 1e-9 * (1 + abs(score(best, w)))
            if score(worst, w) > score(best, w) + tolerance:
                report.failures.append(f"example {i}: predict scores {score(best, w):g}, but most_violating found a "
                                       f"structure of {score(worst, w):g}.")
            if score(best, w) + task.loss(label, best) > score(worst, w) + task.loss(label, worst) + tolerance:
                report.failures.append(f"example {i}: most_violating reaches "
                                       f"{score(worst, w) + task.loss(label, worst):g}, but predict's structure has "
                                       f"{score(best, w) + task.loss(label, best):g} with its loss.")
            if hasattr(task, "structures"):
                listed = [(score(s, w), task.loss(label, s)) for s in task.structures(x)]
                report.comparisons += 2
                if max(a for a, _ in listed) > score(best, w) + tolerance:
                    report.failures.append(f"example {i}: predict scores {score(best, w):g}, enumeration "
                                           f"{max(a for a, _ in listed):g}.")
                if max(a + b for a, b in listed) > score(worst, w) + task.loss(label, worst) + tolerance:
                    report.failures.append(f"example {i}: most_violating reaches "
                                           f"{score(worst, w) + task.loss(label, worst):g}, enumeration "
                                           f"{max(a + b for a, b in listed):g}.")


