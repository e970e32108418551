"""Samples of rows in two classes, and measures of the whole."""
import itertools

from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from flags import number
from tasks import Data

NAME = "binary"
ALWAYS = ["measure"]
PREDICT = [["--scores"]]
VALUES = [1, 2, 0.5, -1, 0.25]
PAIRS = 10  # at most, of a sample, where each is right or wrong


@st.composite
def data(draw, hidden=True):
    names = draw(st.sampled_from([["-1", "1"], ["no", "yes"], ["0", "2", "7"]]))
    said = names + ["?"] * (hidden and draw(st.integers(0, 3)) == 0)
    row = st.dictionaries(st.integers(1, 4), st.sampled_from(VALUES), max_size=3)
    rows = st.lists(st.tuples(st.sampled_from(said), row), min_size=1, max_size=6)
    samples = draw(st.lists(st.tuples(rows, st.sampled_from([1, 1, 2])), max_size=3))
    every = [(name, draw(row)) for name in names] + [(names[0], {1: 1})]
    positive = names[1] if len(names) > 2 else draw(st.sampled_from([None, *names]))
    return Data(samples + [(every, 1)], {"names": names, "positive": positive})


def flags(_):
    return {
        "measure": st.sampled_from(["error", "f1", "fbeta", "prbep", "precision@k", "recall@k", "roc-area", "average-precision"]),
        "beta": number(0.5, 1, 2),
        "at": number(1, 2, 3, 10),
        "positive": None,
        "bias": number(0, 1, 0.5),
    }


def text(_, examples):
    lines = []
    for k, (rows, weight) in enumerate(examples):
        sample = f" qid:{k + 1}" if len(examples) > 1 else ""
        cost = "" if weight == 1 else f" cost:{weight}"
        lines += [f"{label}{sample}{cost}" + "".join(f" {i}:{v}" for i, v in sorted(row.items())) for label, row in rows]
    return {"train": "\n".join(lines) + "\n"}


def arguments(data_):
    positive = data_.facts["positive"]
    return [] if positive is None else [f"--positive={positive}"]


def summed(rows, amounts):
    features = {}
    for row, amount in zip(rows, amounts):
        for name, v in row.items():
            features[name] = features.get(name, 0) + amount * v
    return features


def labellings(levels, rows, measure, options):
    """By labels of the rows; the true labelling is always among them, at no cost."""
    n, P = len(levels), sum(levels)
    k = {"prbep": P, "precision@k": options["at"], "recall@k": options["at"]}.get(measure)
    beta = options["beta"] if measure == "fbeta" else 1
    if 2**n > MOST_STRUCTURES:
        return None
    structures = []
    for chosen in itertools.product((0, 1), repeat=n):
        truth = chosen == levels
        if k is not None and sum(chosen) != k and not truth:
            continue
        a = sum(c and y for c, y in zip(chosen, levels))
        b = sum(chosen) - a
        if measure == "recall@k" and P == 0 and not truth:  # of nothing there is no recall
            continue
        if truth:
            value = 1
        elif measure == "error":
            value = 1 - sum(c != y for c, y in zip(chosen, levels)) / n
        elif measure in ("f1", "fbeta"):
            value = (1 + beta**2) * a / (a + b + beta**2 * P)
        else:
            value = a / P if measure == "recall@k" else a / k
        structures.append(Structure(summed(rows, chosen), n * (1 - value), chosen, truth))
    return structures


def pairs(levels, rows):
    n, P = len(levels), sum(levels)
    every = [(i, j) for i in range(n) for j in range(n) if levels[i] > levels[j]]
    if len(every) > PAIRS:
        return None, 1
    structures = []
    for right in itertools.product((0, 1), repeat=len(every)):
        amounts = [0] * n
        for r, (i, j) in zip(right, every):
            amounts[i] += r
            amounts[j] -= r
        structures.append(Structure(summed(rows, amounts), right.count(0), right, all(right)))
    return structures, n / (P * (n - P)) if every else 1


def rankings(levels, rows):
    n, P = len(levels), sum(levels)
    every = [(i, j) for i in range(n) for j in range(n) if levels[i] > levels[j]]
    structures = {}
    for order in itertools.permutations(range(n)):
        place = {i: p for p, i in enumerate(order)}
        right = tuple(place[i] < place[j] for i, j in every)
        if right in structures:
            continue
        amounts = [0] * n
        for r, (i, j) in zip(right, every):
            amounts[i] += n / (P * (n - P)) * r
            amounts[j] -= n / (P * (n - P)) * r
        found, mean = 0, 0.0
        for p, i in enumerate(order):
            if levels[i]:
                found += 1
                mean += found / (p + 1) / P
        structures[right] = Structure(summed(rows, amounts), 0 if all(right) else n * (1 - mean), right, all(right))
    return list(structures.values())


def problem(data_, examples, options):
    positive = data_.facts["positive"] or data_.facts["names"][1]
    result = []
    for rows, weight in examples:
        labelled = [(int(label == positive), {str(i): v for i, v in row.items()} | ({"bias": options["bias"]} if options["bias"] else {}))
                    for label, row in rows if label != "?"]
        levels, features = tuple(y for y, _ in labelled), [row for _, row in labelled]
        measure = options["measure"]
        if measure == "roc-area":
            structures, factor = pairs(levels, features)
        else:
            factor = 1
            structures = rankings(levels, features) if measure == "average-precision" else labellings(levels, features, measure, options)
        if structures is None:
            return None
        result.append((weight * factor, structures))
    return result


def renamed(data_):
    move = {i: 50 - 3 * i for i in range(1, 10)}
    new = {name: f"z{k}" for k, name in enumerate(data_.facts["names"])} | {"?": "?"}
    samples = [([(new[label], {move[i]: v for i, v in row.items()}) for label, row in rows], w) for rows, w in data_.examples]
    return Data(samples, {"names": [new[name] for name in data_.facts["names"]], "positive": new.get(data_.facts["positive"])}), new


def answers(output):
    return [line.split()[0] for line in output.splitlines()]


def places(data_):
    return sum(len(rows) for rows, _ in data_.examples)


def truths(data_):
    if len(data_.facts["names"]) > 2:
        names = {data_.facts["names"][1]: data_.facts["names"][1], "?": None}
        return [names.get(label, "rest") for rows, _ in data_.examples for label, _ in rows]
    return [None if label == "?" else label for rows, _ in data_.examples for label, _ in rows]
