"""Queries with graded documents."""
import itertools
import math

from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from flags import number
from tasks import Data

NAME = "rank"
ALWAYS = ["loss"]
PREDICT = []  # the other format is another output


@st.composite
def data(draw, hidden=True):
    grades = ["0", "1", "2"] + ["?"] * (hidden and draw(st.integers(0, 3)) == 0)
    row = st.dictionaries(st.integers(1, 4), st.sampled_from([1, 2, 0.5, -1, 0.25]), max_size=3)
    documents = st.lists(st.tuples(st.sampled_from(grades), row), min_size=1, max_size=5)
    queries = draw(st.lists(st.tuples(documents, st.sampled_from([1, 1, 2])), min_size=1, max_size=5))
    queries.append(([("0", {1: 1}), ("1", draw(row)), ("0", draw(row))], 1))
    return Data(queries)


def flags(_):
    return {
        "loss": st.sampled_from(["pairs", "listwise", "relevance", "precision", "ndcg", "map"]),
        "at": number(1, 2, 3, 10),
        "relevant": number(1, 2, 0.5),
        "bias": number(0, 1, 0.5),
    }


def text(_, examples):
    lines = []
    for k, (documents, weight) in enumerate(examples):
        cost = "" if weight == 1 else f" cost:{weight}"
        lines += [f"{grade} qid:{k + 1}{cost}" + "".join(f" {i}:{v}" for i, v in sorted(row.items())) for grade, row in documents]
    return {"train": "\n".join(lines) + "\n"}


def arguments(_):
    return []


def summed(rows, amounts):
    features = {}
    for row, amount in zip(rows, amounts):
        for i, v in row.items():
            features[str(i)] = features.get(str(i), 0) + amount * v
    return features


def problem(_, examples, options):
    result = []
    for documents, weight in examples:
        judged = [(float(grade), row) for grade, row in documents if grade != "?"]
        grades, rows = [g for g, _ in judged], [row for _, row in judged]
        structures, terms = STRUCTURES[options["loss"]](grades, rows, options)
        if structures is None or len(structures) > MOST_STRUCTURES:
            return None
        result.append((weight / max(terms, 1), structures))
    return result


def pairs(grades, rows, _):
    """Each pair of different grades by itself: right, or wrong at the cost 1."""
    better = [(i, j) for i in range(len(grades)) for j in range(len(grades)) if grades[i] > grades[j]]
    structures = []
    if len(better) > 11:
        return None, 0
    for right in itertools.product((0, 1), repeat=len(better)):
        amounts = [0] * len(grades)
        for r, (i, j) in zip(right, better):
            amounts[i] += r
            amounts[j] -= r
        structures.append(Structure(summed(rows, amounts), right.count(0), right, all(right)))
    return structures, len(better)


def listwise(grades, rows, _):
    """Who comes first; the label is a mixture of answers, p ∝ exp(grade)."""
    if not grades:
        return [Structure({}, 0, None, True)], 1
    p = [math.exp(g) / sum(map(math.exp, grades)) for g in grades]
    structures = [Structure(summed([row], [1]), 1 - p[i], i, False) for i, row in enumerate(rows)]
    return structures + [Structure(summed(rows, p), 0, None, True, answer=False)], 1


def relevance(grades, rows, options):
    truth = tuple(float(g >= options["relevant"]) for g in grades)
    structures = []
    for chosen in itertools.product((0.0, 1.0), repeat=len(grades)):
        features = summed(rows, chosen) | {"bias": sum(chosen)}
        structures.append(Structure(features, sum(a != b for a, b in zip(chosen, truth)), chosen, chosen == truth))
    return structures, len(grades)


def places_of(grades, rows, options, values, count_of, gains, tiers):
    """Orders of the documents by what each place counts: one structure for each way to use them."""
    best = sum(v * g for v, g in zip(values, sorted(gains, reverse=True)))
    structures = {}
    for order in itertools.permutations(range(len(grades)), min(len(values), len(grades))):
        amounts = [0.0] * len(grades)
        for value, i in zip(values, order):
            amounts[i] = value
        if tuple(amounts) in structures:
            continue
        admitted = all(amounts[a] >= amounts[b] for a in range(len(grades)) for b in range(len(grades)) if tiers[a] > tiers[b])
        loss = count_of(best, sum(a * g for a, g in zip(amounts, gains)))
        structures[tuple(amounts)] = Structure(summed(rows, amounts), loss, tuple(amounts), admitted)
    return list(structures.values()) or [Structure({}, 0, (), True)], 1


def precision(grades, rows, options):
    k = options["at"]
    flags_ = [int(g >= options["relevant"]) for g in grades]
    return places_of(grades, rows, options, [1 / k] * min(k, len(grades)), lambda best, own: best - own, flags_, flags_)


def ndcg(grades, rows, options):
    discounts = [1 if j <= 2 else 1 / math.log2(j) for j in range(1, options["at"] + 1)]
    values = [d / sum(discounts) for d in discounts][: max(len(grades), 0)]
    return places_of(grades, rows, options, values, lambda best, own: 1 - own / best if best > 0 else 0.0,
                     [2**g - 1 for g in grades], grades)


def average_precision(grades, rows, options):
    """Rankings by how relevant and other documents interleave: amounts 1/(R N) Σ ± (e_i − e_j)."""
    good = [i for i, g in enumerate(grades) if g >= options["relevant"]]
    bad = [i for i in range(len(grades)) if i not in good]
    structures = {}
    for order in itertools.permutations(range(len(grades))):
        place = {i: p for p, i in enumerate(order)}
        signs = tuple(1 if place[i] < place[j] else -1 for i in good for j in bad)
        if signs in structures:
            continue
        amounts = [0.0] * len(grades)
        for sign, (i, j) in zip(signs, itertools.product(good, bad)):
            amounts[i] += sign / (len(good) * len(bad))
            amounts[j] -= sign / (len(good) * len(bad))
        found, mean = 0, 0.0
        for p, i in enumerate(order):
            if i in good:
                found += 1
                mean += found / (p + 1) / len(good)
        right = all(s == 1 for s in signs)
        structures[signs] = Structure(summed(rows, amounts), 0 if right else 1 - mean, signs, right)
    return list(structures.values()), 1


STRUCTURES = {"pairs": pairs, "listwise": listwise, "relevance": relevance, "precision": precision, "ndcg": ndcg,
              "map": average_precision}


def renamed(data_):
    move = {i: 50 - 3 * i for i in range(1, 10)}
    return Data([([(g, {move[i]: v for i, v in row.items()}) for g, row in documents], w) for documents, w in data_.examples]), {}


def answers(output):
    return output.split()


def places(data_):
    return sum(len(documents) for documents, _ in data_.examples)
