"""Short sequences of DNA, with a motif or without."""
from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "motif"
PREDICT = [["--marginals"]]
MEANINGS = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "N": "ACGT"}
OPPOSITE = {"A": "T", "C": "G", "G": "C", "T": "A"}


@st.composite
def data(draw, hidden=True):
    letters = "ACGT" if draw(st.integers(0, 2)) else "ACGTRN"
    sequence = st.text(alphabet=letters, min_size=3, max_size=7)
    told = st.sampled_from(["1", "-1", "?"] if hidden and draw(st.integers(0, 3)) == 0 else ["1", "-1"])
    records = draw(st.lists(st.tuples(told, sequence, st.sampled_from(["1", "1", "0"])), max_size=6))
    return Data(records + [("1", draw(sequence), "1"), ("-1", draw(sequence), "1")], {"length": draw(st.sampled_from([1, 2, 3]))})


def flags(_):
    return {
        "positive": None, "negative": None, "length": None,
        "background-order": number(0, 1, 2, 3),
        "strands": st.sampled_from(["forward", "both"]),
        "alphabet": st.sampled_from(["dna", "protein"]),
        "negative-weight": number(1, 0.5, 2),
        "background-weight": number(1, 0.25),
    }


def text(_, examples):
    return {"train": "".join(f"s{k}:{label}:{full}:{letters}\n" for k, (label, letters, full) in enumerate(examples))}


def arguments(data_):
    return ["--length", data_.facts["length"]]


def window_features(letters, at, length, order, reverse):
    """The matrix less the background on one window."""
    features = {}

    def add(name, value):
        features[name] = features.get(name, 0) + value

    for j in range(length):
        meant = MEANINGS[letters[at + j]]
        for letter in meant:
            row, read = (length - j, OPPOSITE[letter]) if reverse else (j + 1, letter)
            add(f"{read} at {row}", 1 / len(meant))
    for i in range(at, at + length):
        if len(MEANINGS[letters[i]]) > 1:
            continue
        begin = i
        while begin > 0 and i - begin < order and len(MEANINGS[letters[begin - 1]]) == 1:
            begin -= 1
        add(f"background {letters[begin : i + 1]}", -1)
    return features


def problem(_, examples, options):
    if options["alphabet"] != "dna":
        return None
    (length,), order = options["length"], options["background_order"]
    length = int(length)
    result = []
    for label, letters, full in examples:
        known = label != "?"

        def structure(features, answer):
            return Structure(features, float(known and answer != label), answer if known else None, not known or answer == label, (answer,))

        structures = [structure({}, "-1")]
        for reverse in (False, True) if options["strands"] == "both" else (False,):
            structures += [structure(window_features(letters, at, length, order, reverse), "1")
                           for at in range(len(letters) - length + 1)]
        weight = (options["negative_weight"] if label == "-1" else 1) * (options["background_weight"] if full == "0" else 1)
        result.append((weight, structures))
    return result


def renamed(data_):
    """Letters cannot be renamed; names of sequences mean nothing."""
    return data_, {}


def answers(output):
    return [Site(line.split("\t")) for line in output.splitlines() if not line.startswith("#")]


class Site(tuple):
    """The columns of a line, equal to a class where that is theirs."""

    def __new__(cls, fields):
        return super().__new__(cls, fields[:6])

    def __eq__(self, other):
        return self[1] == other if isinstance(other, str) else tuple(self) == tuple(other)


def places(data_):
    return len(data_.examples)


def truths(data_):
    return [None if label == "?" else label for label, _, _ in data_.examples]
