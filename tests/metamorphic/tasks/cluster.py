"""Documents of items with features of pairs, in JSON Lines."""
import itertools
import json

from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "cluster"
ALWAYS = ["structure"]
PREDICT = [["--output-format=jsonl"]]


@st.composite
def data(draw, hidden=True):
    documents = []
    names = st.dictionaries(st.sampled_from(["near", "far"]), st.sampled_from([1, 1, 2, -1, 0.5]), max_size=2)
    for _ in range(draw(st.integers(1, 5))):
        items = draw(st.integers(1, 4))
        pairs = [(i, j) for j in range(items) for i in range(j)]
        listed = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
        of = draw(st.lists(st.integers(0, items - 1), min_size=items, max_size=items))
        documents.append((items, {pair: draw(names) for pair in listed}, of, draw(st.sampled_from([1, 1, 2]))))
    # something to learn from
    documents.append((2, {(0, 1): {"near": 1}}, [0, 0], 1))
    return Data(documents)


def flags(_):
    return {
        "structure": st.sampled_from(["forest", "antecedents", "correlation", "pairwise", "antecedents"]),
        "link-penalty": number(1, 0, 0.5, 2),
        "comparators": st.sampled_from([["distance:order"], ["mentions"]]),
    }


def groups(of):
    return [[i for i in range(len(of)) if of[i] == c] for c in sorted(set(of), key=of.index)]


def text(_, examples):
    lines = []
    for items, pairs, of, weight in examples:
        document = {"items": items, "pairs": [list(pair) for pair in pairs], "pair_features": list(pairs.values()),
                    "clusters": groups(of)}
        if weight != 1:
            document["weight"] = weight
        lines.append(json.dumps(document))
    return {"train": "\n".join(lines) + "\n"}


def arguments(_):
    return []


def problem(_, examples, options):
    if options["comparators"] not in ([], ["mentions"]):
        return None
    penalty, kind = options["link_penalty"], options["structure"]
    result = []
    for items, pairs, of, weight in examples:
        every = [(i, j) for j in range(items) for i in range(j)]
        right = [of[i] == of[j] for i, j in every]
        trees = kind in ("forest", "antecedents")
        wanted = items - len(set(of)) if trees else sum(right)
        structures = []
        for links in LINKS[kind](items, every):
            features = {}
            for pair in links:
                for name, value in ({"link": 1} | {k: v for k, v in pairs.get(pair, {}).items()}).items():
                    features[name] = features.get(name, 0) + value
            good = sum(of[i] == of[j] for i, j in links)
            loss = wanted - good + penalty * (len(links) - good)
            # the output of antecedents is the label's cluster to which each item links
            output = tuple(sorted((j, of[i]) for i, j in links)) if kind == "antecedents" else tuple(sorted(links))
            structures.append(Structure(features, loss, output, good == wanted == len(links)))
        result.append((weight * (1 if trees or items < 2 else 2 / (items - 1)), structures))
    return result


def forests(items, every):
    for count in range(items):
        for links in itertools.combinations(every, count):
            root = list(range(items))

            def find(i):
                while root[i] != i:
                    i = root[i]
                return i

            acyclic = True
            for i, j in links:
                a, b = find(i), find(j)
                acyclic &= a != b
                root[a] = b
            if acyclic:
                yield links


def antecedents(items, _):
    for choice in itertools.product(*(range(-1, j) for j in range(items))):
        yield [(i, j) for j, i in enumerate(choice) if i >= 0]


def partitions(items, every):
    seen = set()
    for of in itertools.product(range(items), repeat=items):
        links = tuple((i, j) for i, j in every if of[i] == of[j])
        if links not in seen:
            seen.add(links)
            yield links


def subsets(_, every):
    for chosen in itertools.product((0, 1), repeat=len(every)):
        yield [pair for c, pair in zip(chosen, every) if c]


LINKS = {"forest": forests, "antecedents": antecedents, "correlation": partitions, "pairwise": subsets}


def renamed(data_):
    names = {"near": "zz", "far": "a"}
    return Data([(items, {pair: {names[k]: v for k, v in row.items()} for pair, row in pairs.items()}, of, w)
                 for items, pairs, of, w in data_.examples]), {}


def answers(output):
    return [json.loads(line)["clusters"] for line in output.splitlines()]


def places(data_):
    return len(data_.examples)
