"""Rows of numbers with a class each."""
from hypothesis import strategies as st

from evaluate import Structure
from tasks import Data, labels_of, renamed_label

NAME = "multiclass"
PREDICT = [["--scores"], ["--marginals"]]
VALUES = [1, 2, 0.5, -1, -0.25, 0.75, 3, 0, 1024]


@st.composite
def data(draw, hidden=True):
    classes = draw(st.sampled_from([["a", "b"], ["a", "b", "c"], ["1", "2", "10", "-1"]]))
    rows = st.dictionaries(st.integers(1, 5), st.sampled_from(VALUES), max_size=4)
    open_ = ["?", "?" + "|".join(classes[:2]), "?" + "|".join(reversed(classes[-2:]))]
    labels = st.sampled_from(classes + open_[: draw(st.sampled_from([0, 0, 1, 3]))] if hidden else classes)
    weights = st.sampled_from([1, 1, 1, 2, 0.5])
    examples = draw(st.lists(st.tuples(labels, rows, weights), min_size=2, max_size=10))
    # every class is there, as it must be in a cost matrix
    examples += [(c, draw(rows), 1) for c in classes if c not in {e[0] for e in examples}]
    costs = {(a, b): 0 if a == b else draw(st.sampled_from([1, 2, 0.5, 0])) for a in classes for b in classes}
    return Data(examples, {"classes": classes, "costs": costs, "names": None})


def flags(data_):
    classes = data_.facts["classes"]
    weights = [[f"{c}:{w}" for c in classes[:k]] for k in (1, 2) for w in (2, 0.5)]
    return {
        "bias": st.sampled_from(["0", "1", "0.5", "2"]),
        "cost-matrix": st.just("costs"),
        "class-weights": st.sampled_from([["balanced"], *weights]),
        "feature-names": st.just("names"),
    }


def text(data_, examples):
    rows = []
    for label, row, weight in examples:
        cost = "" if weight == 1 else f" cost:{weight}"
        rows.append(f"{label}{cost}" + "".join(f" {i}:{v}" for i, v in sorted(row.items())))
    classes, costs = data_.facts["classes"], data_.facts["costs"]
    matrix = [" ".join(classes)] + [" ".join([a, *(str(costs[a, b]) for b in classes)]) for a in classes]
    names = data_.facts["names"] or [f"feature{i}" for i in range(1, 10)]
    return {"train": "\n".join(rows) + "\n", "costs": "\n".join(matrix) + "\n", "names": "\n".join(names) + "\n"}


def arguments(_):
    return []


def problem(data_, examples, options):
    facts = data_.facts
    seen = sorted({label for said, _, _ in examples for label in labels_of(said)})
    classes = facts["classes"] if options["cost_matrix"] else seen
    factor = class_factors(examples, seen, options["class_weights"])
    names = text(data_, examples)["names"].split("\n") if options["feature_names"] else None
    result = []
    for label, row, weight in examples:
        structures = []
        for c in classes:
            features = {f"{names[i - 1] if names else i} -> {c}": v for i, v in row.items()}
            if options["bias"]:
                features[f"bias -> {c}"] = options["bias"]
            if label == "?":
                structures.append(Structure(features, 0, None, True, (c,)))
            else:
                truths_ = labels_of(label)
                loss = min(facts["costs"][truth, c] if options["cost_matrix"] else float(truth != c) for truth in truths_)
                structures.append(Structure(features, loss, c, c in truths_, (c,)))
        result.append((weight * factor.get(label, 1), structures))
    return result


def class_factors(examples, classes, given):
    if given == ["balanced"]:
        total = {c: sum(w for label, _, w in examples if label == c) for c in classes}
        return {c: sum(total.values()) / (len(classes) * total[c]) for c in classes if total[c]}
    return {item.rsplit(":", 1)[0]: float(item.rsplit(":", 1)[1]) for item in given}


def renamed(data_):
    """Classes in another order of names, features with other numbers."""
    new = {c: f"z{9 - k}" for k, c in enumerate(data_.facts["classes"])} | {"?": "?"}
    move = {i: 1000 - 7 * i for i in range(1, 10)}
    examples = [(renamed_label(label, new), {move[i]: v for i, v in row.items()}, w) for label, row, w in data_.examples]
    facts = {"classes": [new[c] for c in data_.facts["classes"]],
             "costs": {(new[a], new[b]): v for (a, b), v in data_.facts["costs"].items()},
             "names": [f"n{i}" for i in range(1, 1001)]}
    return Data(examples, facts), new


def answers(output):
    return [line.split()[0] for line in output.splitlines()]


def places(data_):
    return len(data_.examples)


def truths(data_):
    return [label if len(labels_of(label)) == 1 else None for label, _, _ in data_.examples]
