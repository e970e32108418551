"""Graphs in JSON Lines: nodes with labels, some of them unknown or hidden for good, and edges between them."""
import itertools
import json

from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from flags import SWITCH, number
from kernels import mapped_rows
from tasks import Data

NAME = "graph"
PREDICT = [["--scores"], ["--marginals"], ["--scores", "--marginals"], ["--output-format=jsonl"]]
VALUES = [1, 1, 2, 0.5, -1, 4]


@st.composite
def data(draw, hidden=True):
    labels = draw(st.sampled_from([["p", "q"], ["p", "q", "r"], ["0", "1"]]))
    shape = draw(st.sampled_from(["any", "any", "one"]))
    told = st.sampled_from(labels + [None] if hidden and draw(st.integers(0, 2)) == 0 else labels)
    for_good = hidden and draw(st.integers(0, 3)) == 0
    types = draw(st.sampled_from([[""], ["t", "u"]]))
    features = st.dictionaries(st.sampled_from(["f", "g"]), st.sampled_from(VALUES), max_size=2)
    edge_features = draw(st.sampled_from([None, st.dictionaries(st.sampled_from(["e", "h"]), st.sampled_from(VALUES), max_size=2)]))
    first = None
    graphs = []
    for _ in range(draw(st.integers(1, 5))):
        if first is None or shape == "any":
            size = draw(st.integers(1, 5))
            pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
            chosen = draw(st.lists(st.sampled_from(pairs), max_size=6, unique_by=frozenset)) if pairs else []
            first = (size, chosen, draw(st.lists(st.sampled_from(types), min_size=size, max_size=size)),
                     draw(st.lists(st.booleans(), min_size=size, max_size=size)) if for_good else [False] * size)
        size, edges, node_types, hides = first
        nodes = [(None if h else draw(told), draw(features), t, h) for t, h in zip(node_types, hides)]
        if all(label is None for label, _, _, _ in nodes):
            nodes[0] = (labels[0], nodes[0][1], nodes[0][2], False)
        links = [(*pair, None if edge_features is None else draw(edge_features)) for pair in edges]
        graphs.append((nodes, links, draw(st.sampled_from([1, 1, 2]))))
    used = {label for nodes, _, _ in graphs for label, _, _, _ in nodes}
    if shape == "any":
        graphs += [([(c, draw(features), types[0], False)], [], 1) for c in labels if c not in used]
    return Data(graphs, {"labels": labels, "types": types})


def flags(data_):
    labels = data_.facts["labels"]
    return {
        "format": None, "split": None, "pixels": None, "neighbours": None, "connect": None, "edge-features": None,
        "label-suffix": None, "unlabelled-colour": None,
        "weights": st.sampled_from(["shared", "position"]),
        "pairs": st.sampled_from(["table", "agreement", "agreement"]),
        "directed": st.just(["all"]),
        "unlabelled-nodes": st.sampled_from(["hidden", "class", "drop"]),
        "hidden-states": number(0, 1, 2),
        "bias": number(0, 1, 0.5),
        "scale": SWITCH,
        "loss": st.sampled_from(["count", "normalised"]),
        "label-costs": st.sampled_from([[f"{c}:{w}" for c in labels[:k]] for k in (1, 2) for w in (2, 0.5, 0)]),
        "max-cells": number(0, 10, 2097152),
        "maxima": st.sampled_from(["auto", "cut", "cycles", "expansion", "fusion", "messages"]),
        "search-cells": number(0, 8, 4096),
        "max-sweeps": number(1, 100),
        "damping": number(0, 0.5),
        "sums": st.sampled_from(["tree-reweighted", "bethe"]),
        "tolerance": number(1e-8, 1e-3),
    }


def text(data_, examples):
    lines = []
    for nodes, edges, weight in examples:
        graph = {"features": [f for _, f, _, _ in nodes], "labels": [label for label, _, _, _ in nodes],
                 "edges": [[i, j] for i, j, _ in edges]}
        if data_.facts["types"] != [""]:
            graph["node_types"] = [t for _, _, t, _ in nodes]
        if any(h for _, _, _, h in nodes):
            graph["hidden"] = [h for _, _, _, h in nodes]
        if edges and edges[0][2] is not None:
            graph["edge_features"] = [f for _, _, f in edges]
        if weight != 1:
            graph["weight"] = weight
        lines.append(json.dumps(graph))
    return {"train": "\n".join(lines) + "\n"}


def arguments(_):
    return []


def prepared(examples, options):
    """The graphs as training sees them: unlabelled nodes as --unlabelled-nodes says, biases, scaled features."""
    graphs = []
    for nodes, edges, weight in examples:
        if options["unlabelled_nodes"] == "drop":
            kept = [i for i, (label, _, _, h) in enumerate(nodes) if h or label is not None]
            edges = [(kept.index(i), kept.index(j), f) for i, j, f in edges if i in kept and j in kept]
            nodes = [nodes[i] for i in kept]
        elif options["unlabelled_nodes"] == "class":
            nodes = [("unlabelled" if label is None and not h else label, f, t, h) for label, f, t, h in nodes]
        bias = float(options["bias"])
        constant = {"constant": bias} if bias else {}
        # a feature of value 0 is none
        nodes = [(label, {k: v for k, v in f.items() if v} | constant, t, h) for label, f, t, h in nodes]
        edges = [(i, j, {"constant": bias or 1.0} if f is None else f | constant) for i, j, f in edges]
        graphs.append((nodes, edges, weight))
    if options["scale"]:
        for of_nodes in True, False:
            largest = {}
            rows = [row[1] if of_nodes else row[2] for g in graphs for row in (g[0] if of_nodes else g[1])]
            for row in rows:
                for k, v in row.items():
                    largest[k] = max(largest.get(k, 0), abs(v))
            for row in rows:
                for k in row:
                    row[k] /= largest[k]
    if options["kernel"] == "none":
        return graphs
    biases = [[{k: v for k, v in row.items() if k == "constant" and bias} for _, row, _, _ in nodes] for nodes, _, _ in graphs]
    rows = mapped_rows([[{k: v for k, v in row.items() if k not in own} for (_, row, _, _), own in zip(nodes, owns)]
                        for (nodes, _, _), owns in zip(graphs, biases)], options)
    return rows and [([(label, {f"kernel {k + 1}": v for k, v in row.items()} | own, t, h)
                       for (label, _, t, h), row, own in zip(nodes, made, owns)], edges, weight)
                     for (nodes, edges, weight), made, owns in zip(graphs, rows, biases)]


def problem(data_, examples, options):
    if options["format"] != "jsonl":
        return None
    graphs = prepared(examples, options)
    if graphs is None:
        return None
    told = {label for nodes, _, _ in graphs for label, _, _, _ in nodes} - {None}
    labels = sorted(told - {"unlabelled"}) + ["unlabelled"] * ("unlabelled" in told)
    costs = {item.rpartition(":")[0]: float(item.rpartition(":")[2]) for item in options["label_costs"]}
    position = options["weights"] == "position"
    hidden = [f"#{k}" for k in range(options["hidden_states"] or len(labels))]

    def kind(node):
        return (node[2], len(hidden) if node[3] else len(labels), node[3])

    kinds = []  # in the order in which they appear
    for nodes, _, _ in graphs:
        for node in nodes:
            if kind(node) not in kinds:
                kinds.append(kind(node))

    def kind_name(k):
        name = " ".join(part for part in (k[0], "hidden" if k[2] else "") if part)
        return f"{name}: " if name else ""

    def edge_features(e, nodes, states):
        i, j, row = e
        if options["pairs"] == "agreement" and states[i] != states[j]:
            return {}
        if position:
            prefix = f"edge {i}-{j}: "
        else:
            a, b = kinds.index(kind(nodes[i])), kinds.index(kind(nodes[j]))
            if not options["directed"] or options["pairs"] == "agreement":
                if a > b:
                    i, j, a, b = j, i, b, a
                if a == b and order(states[i]) < order(states[j]):  # symmetric: one weight, the later state first
                    i, j = j, i
            ends = f"[{kind_name(kinds[a])}][{kind_name(kinds[b])}]" if len(kinds) > 1 else ""
            prefix = f"edge {ends}: "
        return {f"{prefix}{f} -> {states[i]} , {states[j]}": v for f, v in row.items()}

    def order(state):
        return hidden.index(state) if state.startswith("#") else labels.index(state)

    result = []
    for nodes, edges, weight in graphs:
        choices = [hidden if node[3] else labels for node in nodes]
        count = 1
        for c in choices:
            count *= len(c)
        if count > MOST_STRUCTURES:
            return None
        known = [i for i, node in enumerate(nodes) if node[0] is not None]
        unit = 1 / len(known) if options["loss"] == "normalised" and known else 1
        structures = []
        for states in itertools.product(*choices):
            features = {}
            for i, (node, state) in enumerate(zip(nodes, states)):
                prefix = f"node {i}: " if position else kind_name(kind(node))
                for f, v in node[1].items():
                    features[f"{prefix}{f} -> {state}"] = features.get(f"{prefix}{f} -> {state}", 0) + v
            for e in edges:
                for f, v in edge_features(e, nodes, states).items():
                    features[f] = features.get(f, 0) + v
            wrong = [i for i in known if states[i] != nodes[i][0]]
            loss = unit * sum(costs.get(nodes[i][0], 1) for i in wrong)
            structures.append(Structure(features, loss, tuple(states[i] for i in known), not wrong,
                                        tuple(None if node[3] else state for node, state in zip(nodes, states))))
        result.append((weight, structures))
    return result


def bounded(options):
    return lambda name: options["pairs"] == "agreement" and name.startswith("edge ")


def renamed(data_):
    labels = {label: f"z{9 - k}" for k, label in enumerate(data_.facts["labels"])} | {None: None}
    examples = [([(labels[label], {f.upper(): v for f, v in row.items()}, t, h) for label, row, t, h in nodes],
                 [(i, j, row and {f + "'": v for f, v in row.items()}) for i, j, row in edges], w)
                for nodes, edges, w in data_.examples]
    return Data(examples, data_.facts | {"labels": [labels[c] for c in data_.facts["labels"]]}), labels


def answers(output):
    labels = [label for line in output.splitlines() for label in json.loads(line)["labels"]]
    return [label if label is None else str(label) for label in labels]


def places(data_):
    return sum(len(nodes) for nodes, _, _ in data_.examples)


def truths(data_):
    return [label for nodes, _, _ in data_.examples for label, _, _, _ in nodes]
