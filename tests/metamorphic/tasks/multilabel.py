"""Rows of numbers with a set of labels each, some of them unknown."""
import itertools
import math

from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "multilabel"
ALWAYS = ["pairs"]
PREDICT = [["--marginals"]]
VALUES = [1, 2, 0.5, -1, -0.25, 3]
written = []  # the labels of the data that was written last: a line of the output is one answer for each


@st.composite
def data(draw, hidden=True):
    labels = draw(st.sampled_from([["a"], ["a", "b"], ["a", "b", "c"], ["1", "2", "10", "-1"]]))
    rows = st.dictionaries(st.integers(1, 5), st.sampled_from(VALUES), min_size=1, max_size=4)
    states = st.sampled_from(["in", "out"] + ["?"] * (hidden and draw(st.integers(0, 3)) == 0))
    sets = st.fixed_dictionaries({label: states for label in labels})
    examples = draw(st.lists(st.tuples(sets, rows, st.sampled_from([1, 1, 2])), min_size=1, max_size=8))
    return Data(examples + [({label: "in" for label in labels}, draw(rows), 1)], {"labels": labels})


def flags(_):
    return {
        "pairs": st.sampled_from(["none", "tree", "all"]),
        "bias": number(0, 1, 0.5),
        "loss": st.sampled_from(["count", "normalised"]),
        "max-cells": number(0, 10, 2097152),
        "maxima": st.sampled_from(["auto", "cut", "cycles", "expansion", "fusion", "messages"]),
        "search-cells": number(0, 8, 4096),
        "max-sweeps": number(1, 100),
        "damping": number(0, 0.5),
        "sums": st.sampled_from(["tree-reweighted", "bethe"]),
        "tolerance": number(1e-8, 1e-3),
    }


def in_order(labels):
    return sorted(labels, key=lambda name: float(name) if name.lstrip("-").isdigit() else name)


def text(data_, examples):
    written[:] = in_order(data_.facts["labels"])
    lines = []
    for labels, row, weight in examples:
        names = ",".join(("?" if state == "?" else "") + name for name, state in labels.items() if state != "out")
        cost = "" if weight == 1 else f" cost:{weight}"
        lines.append(names + cost + "".join(f" {i}:{v}" for i, v in sorted(row.items())))
    return {"train": "\n".join(lines) + "\n"}


def arguments(_):
    return []


def information(examples, a, b):
    known = [(s[a] == "in", s[b] == "in", w) for s, _, w in examples if "?" not in (s[a], s[b])]
    total = sum(w for _, _, w in known)
    result = 0.0
    for s, t in itertools.product((False, True), repeat=2):
        both = sum(w for x, y, w in known if (x, y) == (s, t))
        if both:
            first, second = sum(w for x, _, w in known if x == s), sum(w for _, y, w in known if y == t)
            result += both / total * math.log(both * total / (first * second))
    return max(result, 0.0)


def tree(labels, examples):
    """The most informative spanning tree; None where another one is as good."""
    edges = sorted(((information(examples, a, b), a, b) for a, b in itertools.combinations(labels, 2)), reverse=True)
    if any(abs(x[0] - y[0]) < 1e-9 for x, y in zip(edges, edges[1:])):
        return None
    root, chosen = {label: label for label in labels}, []
    for _, a, b in edges:
        if root[a] != root[b]:
            chosen.append((a, b))
            root = {label: root[a] if r == root[b] else r for label, r in root.items()}
    return chosen


def problem(data_, examples, options):
    # a label is known where a set names it, as present or as unknown
    labels = in_order(label for label in data_.facts["labels"] if any(s[label] != "out" for s, _, _ in examples))
    pairs = {"none": [], "all": list(itertools.combinations(labels, 2))}.get(options["pairs"])
    if pairs is None:
        pairs = tree(labels, examples)
        if pairs is None:
            return None
    result = []
    for states, row, weight in examples:
        known = [label for label in labels if states[label] != "?"]
        unit = 1 / len(known) if options["loss"] == "normalised" and known else 1
        structures = []
        for chosen in itertools.product((False, True), repeat=len(labels)):
            there = dict(zip(labels, chosen))
            features = {}
            for label in labels:
                if there[label]:
                    features |= {f"{i} -> {label}": v for i, v in row.items()}
                    if options["bias"]:
                        features[f"bias -> {label}"] = options["bias"]
            for a, b in pairs:
                a, b = (a, b) if labels.index(a) < labels.index(b) else (b, a)
                features[f"{'' if there[a] else 'not '}{a} , {'' if there[b] else 'not '}{b}"] = 1
            wrong = sum(there[label] != (states[label] == "in") for label in known)
            structures.append(Structure(features, unit * wrong, tuple(there[label] for label in known), wrong == 0, chosen))
        result.append((weight, structures))
    return result


def renamed(data_):
    """Labels with other names in the same order, for equally informative pairs come in that order; features with other numbers."""
    new = {label: f"z{k}" for k, label in enumerate(in_order(data_.facts["labels"]))}
    move = {i: 1000 - 7 * i for i in range(1, 10)}
    examples = [({new[label]: s for label, s in states.items()}, {move[i]: v for i, v in row.items()}, w)
                for states, row, w in data_.examples]
    return Data(examples, {"labels": [new[label] for label in data_.facts["labels"]]}), new


def answers(output):
    sets = [line.split(" ")[0].split(",") for line in output.split("\n")[:-1]]
    return [label in there for there in sets for label in written]


def places(data_):
    return len(data_.examples) * len(data_.facts["labels"])
