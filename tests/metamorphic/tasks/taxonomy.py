"""Rows of numbers with a class in a hierarchy each, by names or by a file of parents."""
from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "taxonomy"
PREDICT = [["--scores"], ["--marginals"]]
VALUES = [1, 2, 0.5, -1, -0.25, 3]
# of each class its parents
TREES = [
    {"a": [], "b": [], "a.x": ["a"], "a.y": ["a"], "b.x": ["b"]},
    {"a": [], "a.x": ["a"], "a.x.p": ["a.x"], "a.x.q": ["a.x"], "a.y": ["a"], "c": []},
    {"p": [], "q": [], "r": [], "a": ["p", "q"], "b": ["p"], "c": ["r", "q"]},
    {"t": [], "p": ["t"], "q": ["t"], "a": ["p", "q"], "b": ["a", "t"], "c": ["q"]},
]


@st.composite
def data(draw, hidden=True):
    tree = draw(st.sampled_from(TREES))
    leaves = [c for c in tree if not any(c in parents for parents in tree.values())]
    said = leaves + (list(tree) + ["?"] if hidden and draw(st.integers(0, 2)) == 0 else [])
    rows = st.dictionaries(st.integers(1, 5), st.sampled_from(VALUES), max_size=4)
    examples = draw(st.lists(st.tuples(st.sampled_from(said), rows, st.sampled_from([1, 1, 2, 0.5])), min_size=1, max_size=8))
    examples += [(c, draw(rows), 1) for c in leaves if c not in {e[0] for e in examples}]
    costs = {(a, b): 0 if a == b else draw(st.sampled_from([1, 2, 0.5, 0])) for a in leaves for b in leaves}
    return Data(examples, {"tree": tree, "leaves": leaves, "costs": costs, "named": "a.x" in tree})


def flags(data_):
    return {
        "separator": st.just("."),
        "parents": None,
        "answers": st.sampled_from(["leaves", "all"]),
        "loss": st.sampled_from(["tree", "errors"]),
        "cost-matrix": st.just("costs"),
        "features": st.sampled_from(["auto", "all", "observed"]),
        "bias": number(0, 1, 0.5),
    }


def text(data_, examples):
    rows = []
    for label, row, weight in examples:
        cost = "" if weight == 1 else f" cost:{weight}"
        rows.append(f"{label}{cost}" + "".join(f" {i}:{v}" for i, v in sorted(row.items())))
    tree, leaves, costs = data_.facts["tree"], data_.facts["leaves"], data_.facts["costs"]
    parents = [" ".join([c, *tree[c]]) for c in reversed(tree)]
    matrix = [" ".join(leaves)] + [" ".join([a, *(str(costs[a, b]) for b in leaves)]) for a in leaves]
    return {"train": "\n".join(rows) + "\n", "parents": "\n".join(parents) + "\n", "costs": "\n".join(matrix) + "\n"}


def arguments(data_):
    return [] if data_.facts["named"] else ["--parents", "parents"]


def above(tree, c):
    found = {c}
    for p in tree[c]:
        found |= above(tree, p)
    return found


def distance(tree, a, b):
    """Edges on the shortest way, a root above all tops among the nodes."""
    links = [(c, p) for c, parents in tree.items() for p in parents or ["the root"]]
    reached, front, steps = {a}, {a}, 0
    while b not in reached:
        front = {y for x, y in links if x in front} | {x for x, y in links if y in front}
        reached |= front
        steps += 1
    return steps


def problem(data_, examples, options):
    tree, costs = data_.facts["tree"], data_.facts["costs"]
    if data_.facts["named"]:  # only what the names tell
        told = {c for label, _, _ in examples if label != "?" for c in above(tree, label)}
        tree = {c: parents for c, parents in tree.items() if c in told}
    leaves = [c for c in tree if not any(c in parents for parents in tree.values())]
    answers = leaves if options["answers"] == "leaves" else list(tree)
    seen = set()
    for label, row, _ in examples:
        if label != "?":
            seen |= {(str(i), z) for i in row for z in above(tree, label)} | {("bias", z) for z in above(tree, label)}
    result = []
    for label, row, weight in examples:
        structures = []
        values = {str(i): v for i, v in row.items()} | ({"bias": options["bias"]} if options["bias"] else {})
        for c in answers:
            features = {f"{i} -> {z}": v for z in above(tree, c) for i, v in values.items()
                        if options["features"] != "observed" or (i, z) in seen}
            below = [a for a in answers if label == "?" or label in above(tree, a)]
            admitted = c == label if label in answers else c in below
            if admitted:
                loss = 0
            elif options["cost_matrix"]:
                loss = costs[label, c] if label in answers else min(costs[a, c] for a in below)
            else:
                loss = 1 if options["loss"] == "errors" else distance(tree, label, c) / 2
            output = "below the label" if label not in answers and admitted else c
            structures.append(Structure(features, loss, output, admitted, (c,)))
        result.append((weight, structures))
    return result


def renamed(data_):
    move = {i: 1000 - 7 * i for i in range(1, 10)}
    facts = data_.facts
    new = {c: ".".join(chr(ord("z") - ord(part[0]) + ord("a")) + part[1:] for part in c.split(".")) for c in facts["tree"]} | {"?": "?"}
    examples = [(new[label], {move[i]: v for i, v in row.items()}, w) for label, row, w in data_.examples]
    return Data(examples, facts | {"tree": {new[c]: [new[p] for p in parents] for c, parents in facts["tree"].items()},
                                   "leaves": [new[c] for c in facts["leaves"]],
                                   "costs": {(new[a], new[b]): v for (a, b), v in facts["costs"].items()}}), new


def answers(output):
    return [line.split()[0] for line in output.splitlines()]


def places(data_):
    return len(data_.examples)
