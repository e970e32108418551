"""Sequences with a label at each position, in every format that --help lists."""
import itertools

from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from flags import SWITCH, number
from kernels import mapped
from tasks import Data, labels_of, renamed_label

NAME = "sequence"
PREDICT = [["--scores"], ["--marginals"], ["--nbest=2"], ["--nbest=3", "--marginals"], ["--scores", "--marginals"]]
TEMPLATES = {
    "word": "U0:%x[0,0]\nU1:%x[-1,0]/%x[0,0]\nB\n",
    "flat": "U0:%x[0,0]\n",
    "default": None,
}
KNOWN = ["crfsuite", "svmhmm", "conll", "letter", "conllu"]
formats = KNOWN[:4]
PIXELS = 128


def prepare(help_):
    """Draws the formats that --help lists."""
    listed = help_.of_task["format"].split("|")
    assert set(listed) <= {*KNOWN, "auto"}, f"tests/metamorphic does not know all of the formats {listed}"
    formats[:] = [form for form in KNOWN if form in listed]


@st.composite
def data(draw, hidden=True):
    labels = draw(st.sampled_from([["A", "B"], ["A", "B", "C"], ["10", "9"]]))
    form = draw(st.sampled_from(formats))
    if form in ("conll", "conllu"):
        seen = st.sampled_from(["x", "y", "Z1"])
    else:
        names = {"svmhmm": ["1", "2", "7"], "letter": ["p0", "p1", "p127"]}.get(form, ["x", "y", "z:1"])
        values = [1] if form == "letter" else [1, 1, 2, 0.5, -1]
        seen = st.dictionaries(st.sampled_from(names), st.sampled_from(values), max_size=2)
    open_ = ["?", "?" + "|".join(labels[:2]), "?" + "|".join(reversed(labels[1:])) if len(labels) > 2 else "?"]
    told = st.sampled_from(labels + open_[: draw(st.sampled_from([0, 0, 1, 3]))] if hidden and form != "conllu" else labels)
    weights = st.sampled_from([1, 1, 1, 2, 0.5]) if form == "crfsuite" else st.just(1)
    positions = st.lists(st.tuples(told, seen), min_size=1, max_size=4)
    examples = draw(st.lists(st.tuples(positions, weights), min_size=1, max_size=6))
    used = {label for positions, _ in examples for label, _ in positions}
    examples += [([(label, draw(seen))], 1) for label in labels if label not in used]
    template = draw(st.sampled_from(sorted(TEMPLATES))) if form == "conll" else "default"
    return Data(examples, {"labels": labels, "format": form, "template": template})


def flags(data_):
    labels = data_.facts["labels"]
    every = [f"{a}>{b}" for a in labels for b in labels]
    seen = {f"{a}>{b}" for positions, _ in data_.examples for (s, _), (t, _) in zip(positions, positions[1:])
            for a in labels_of(s) or labels for b in labels_of(t) or labels}
    free = [pair for pair in every if pair not in seen] or every
    return {
        "forbidden": st.lists(st.sampled_from(free), min_size=1, max_size=2, unique=True),
        "required": st.sampled_from([[pair for pair in every if pair in seen], every[1:], every]).filter(bool),
        "format": None, "template": None, "folds": None, "label": None, "label-column": None,
        "order": number(1, 2, 3),
        "beam": number(0, 1, 2, 5),
        "states": number(1, 2),
        "features": st.sampled_from(["all", "observed"]),
        "boundaries": SWITCH,
        "bias": number(0, 1, 0.5),
        "loss": st.sampled_from(["count", "normalised"]),
        "label-costs": st.sampled_from([[f"{c}:{w}" for c in labels[:k]] for k in (1, 2) for w in (2, 0.5, 0)]),
    }


def text(data_, examples):
    form, lines = data_.facts["format"], []
    number = 0
    for k, (positions, weight) in enumerate(examples):
        if weight != 1:
            lines.append(f"@weight:{weight}")
        if form == "conllu":
            lines += [f"# sent_id = {k}", "# text = a b c d e f g h i j"]
        for position, (label, seen) in enumerate(positions):
            if form == "conll":
                lines.append(f"{seen} {label}")
            elif form == "letter":
                number += 1
                last = position == len(positions) - 1
                pixels = ["1" if f"p{i}" in seen else "0" for i in range(PIXELS)]
                lines.append("\t".join([str(number), label, "-1" if last else str(number + 1), str(k), str(position), "0", *pixels]))
            elif form == "conllu":
                if position == 1:
                    lines += ["1.1\tempty" + "\t_" * 8, f"2-3\t{seen}" + "\t_" * 8]
                lines.append(f"{position + 1}\t{seen}\t_\t{label}" + "\t_" * 6)
            elif form == "svmhmm":
                lines.append(f"{label} qid:{k + 1}" + "".join(f" {a}:{v}" for a, v in sorted(seen.items())))
            else:
                escaped = [(a.replace(":", "\\:"), v) for a, v in seen.items()]
                lines.append("\t".join([label, *(a if v == 1 else f"{a}:{v}" for a, v in escaped)]))
        if form not in ("svmhmm", "letter"):
            lines.append("")
    files = {"train": "\n".join(lines) + "\n"}
    if TEMPLATES[data_.facts["template"]]:
        files["template"] = TEMPLATES[data_.facts["template"]]
    return files


def arguments(data_):
    named = ["--template", "template"] if TEMPLATES[data_.facts["template"]] else []
    return ["--format", data_.facts["format"], *named]


def attributes(data_, positions):
    """What each position has: {attribute: value}."""
    if data_.facts["format"] == "letter":
        return [seen | {"bias": 1} for _, seen in positions]
    if data_.facts["format"] != "conll":
        return [seen for _, seen in positions]
    words = ["_B-1", *(word for _, word in positions)]
    rows = []
    for t in range(1, len(words)):
        row = {f"U0:{words[t]}": 1}
        if data_.facts["template"] == "word":
            row[f"U1:{words[t - 1]}/{words[t]}"] = 1
        rows.append(row)
    return rows


def problem(data_, examples, options):
    conll = data_.facts["format"] in ("conll", "conllu")
    if conll and data_.facts["template"] == "default":
        return None
    told = sorted({label for positions, _ in examples for said, _ in positions for label in labels_of(said)})
    count, order = options["states"], options["order"]
    if any((len(told) * count) ** len(positions) > MOST_STRUCTURES for positions, _ in examples):
        return None
    states = [(label, s) for label in told for s in range(count)]
    costs = {item.rpartition(":")[0]: float(item.rpartition(":")[2]) for item in options["label_costs"]}
    rows = [attributes(data_, positions) for positions, _ in examples]
    if options["kernel"] != "none":
        flat = mapped([row for each in rows for row in each], options)
        if flat is None:
            return None
        flat = iter(flat)
        rows = [[{f"kernel {k}": v for k, v in next(flat).items()} for _ in each] for each in rows]
    if options["bias"]:
        rows = [[row | {"__bias__": float(options["bias"])} for row in each] for each in rows]
    allowed = weighted(examples, rows, options, transitions=not (conll and data_.facts["template"] == "flat"))

    pairs = [pair.split(">") for pair in options["required"]]
    excluded = {tuple(pair.split(">")) for pair in options["forbidden"]}
    excluded |= {(a, b) for a in told for b in told if a in [p[0] for p in pairs] and [a, b] not in pairs}

    def name(state):
        return state[0] if count == 1 else f"{state[0]}/{state[1] + 1}"

    result = []
    for (positions, weight), seen in zip(examples, rows):
        labels = [label for label, _ in positions]
        known = [t for t, label in enumerate(labels) if label != "?"]
        sure = [t for t in known if len(labels_of(labels[t])) == 1]  # what is one of several is hidden, and yet may be wrong
        cost = {t: min(costs.get(label, 1) for label in labels_of(labels[t])) for t in known}
        unit = 1 / len(known) if options["loss"] == "normalised" and known else 1
        structures = []
        for path in itertools.product(states, repeat=len(labels)):
            if any((a, b) in excluded for (a, _), (b, _) in zip(path, path[1:])):
                continue
            features = {}

            def add(feature, value):
                features[feature] = features.get(feature, 0) + value

            for state, row in zip(path, seen):
                for attribute, value in row.items():
                    if allowed(("emission", attribute, state[0])):
                        add(f"{attribute} -> {name(state)}", value)
            for length in range(2, order + 2):
                for t in range(length - 1, len(path)):
                    part = path[t - length + 1 : t + 1]
                    if allowed(tuple(state[0] for state in part)):
                        add(" , ".join(map(name, part)), 1)
            if options["boundaries"]:
                add(f"start -> {name(path[0])}", 1)
                add(f"{name(path[-1])} -> stop", 1)
            wrong = [t for t in known if path[t][0] not in labels_of(labels[t])]
            loss = unit * sum(cost[t] for t in wrong)
            structures.append(Structure(features, loss, tuple(path[t][0] for t in sure), not wrong,
                                        tuple(state[0] for state in path)))
        result.append((weight, structures))
    return result


def weighted(examples, rows, options, transitions):
    """Whether a feature has a weight: all of them, or those that the data shows."""
    seen = set()
    for (positions, _), row in zip(examples, rows):
        labels = [label for label, _ in positions]
        seen |= {("emission", a, label) for said, each in zip(labels, row) for a in each for label in labels_of(said)}
        for length in range(2, 5):
            for t in range(len(labels) - length + 1):
                if all(len(labels_of(said)) == 1 for said in labels[t : t + length]):
                    seen.add(tuple(labels[t : t + length]))
    observed, order = options["features"] == "observed", options["order"]

    def allowed(feature):
        if feature[0] == "emission":
            return not observed or feature in seen
        if len(feature) == 2:  # at higher orders all pairs have weights
            return transitions and (not observed or order > 1 or feature in seen)
        return feature in seen

    return allowed


def renamed(data_):
    labels = {label: f"z{9 - k}" for k, label in enumerate(data_.facts["labels"])} | {"?": "?"}
    numbers = {"1": "17", "2": "5", "7": "3", "p0": "p100", "p1": "p1", "p127": "p2"}
    words = {"x": "q", "y": "b", "z:1": "a\\", "Z1": "Y7"}  # the same shapes, for templates

    def other(seen):
        if isinstance(seen, str):
            return words[seen]
        return {(numbers | words)[a]: v for a, v in seen.items()}

    if data_.facts["format"] == "crfsuite":
        words["z:1"] = "w:2"
    examples = [([(renamed_label(label, labels), other(seen)) for label, seen in positions], w) for positions, w in data_.examples]
    return Data(examples, data_.facts | {"labels": [labels[c] for c in data_.facts["labels"]]}), labels


def answers(output):
    """The labels of each sequence's first labelling. Behind a word stand its label in the data and the one that is predicted."""
    found, wanted = [], True
    for line in output.splitlines():
        fields = line.split()
        if line.count("\t") == 9 and "_" in fields:  # conllu
            if fields[0].isdigit() and wanted:
                found.append(fields[3])
            continue
        if not fields:
            wanted = True
        elif fields[0] == "#":
            wanted = not fields[1].isdigit() or fields[1] == "0"
        elif wanted:
            behind = 2 if fields[0] in ("x", "y", "Z1") else 1 if fields[0].isdigit() and len(fields) > 1 and ":" not in fields[1] else 0
            found.append(fields[behind])
    return found


def places(data_):
    return sum(len(positions) for positions, _ in data_.examples)


def truths(data_):
    return [label if len(labels_of(label)) == 1 else None for positions, _ in data_.examples for label, _ in positions]
