"""Strings with a class each: multiclass under a kernel of strings, whose products are counted here by listing.

    spectrum      common substrings of `length` letters
    subsequence   common subsequences of so many letters, decay to the power of what each spans in both
"""
import itertools
import math
from collections import Counter

import numpy
from hypothesis import strategies as st

from tasks import Data, multiclass, renamed_label

NAME = "multiclass"
ALWAYS = ["kernel", "kernel-length"]
MAPS = True  # `problem` makes rows itself
PREDICT = multiclass.PREDICT
LETTERS, OTHERS = "abc", "xyz"


@st.composite
def data(draw, hidden=True):
    rows = draw(multiclass.data(hidden))
    strings = st.text(LETTERS, min_size=1, max_size=6)
    return Data([(label, draw(strings), 1) for label, _, _ in rows.examples], rows.facts)


def flags(data_):
    return {
        "kernel": st.sampled_from(["spectrum", "subsequence"]),
        "kernel-length": st.sampled_from(["1", "2"]),
        "kernel-decay": st.sampled_from(["0.3", "1"]),  # refused of spectra
        "kernel-map": st.sampled_from(["greedy", "none"]),  # none: of complete labels and margins, else refused
        **multiclass.flags(data_),
    }


def text(data_, examples):
    files = multiclass.text(data_, [(label, {}, 1) for label, _, _ in examples])
    return files | {"train": "".join(f"{label}\t{string}\n" for label, string, _ in examples)}


arguments, answers, places, truths = multiclass.arguments, multiclass.answers, multiclass.places, multiclass.truths


def found_in(string, options):
    """How much of everything there is in a string."""
    found, length = Counter(), options["kernel_length"]
    if options["kernel"] == "spectrum":
        found.update(string[i : i + length] for i in range(len(string) - length + 1))
        return found
    for places_ in itertools.combinations(range(len(string)), length):
        found["".join(string[i] for i in places_)] += options["kernel_decay"] ** (places_[-1] - places_[0] + 1)
    return found


def problem(data_, examples, options):
    if options["kernel_size"] < len(examples):
        return None
    found = [found_in(string, options) for _, string, _ in examples]
    names = sorted({name for one in found for name in one})
    rows = numpy.array([[one[name] for name in names] for one in found], dtype=float)
    norms = [math.hypot(*row) or 1 for row in rows]
    rows = [{k + 1: v / norm for k, v in enumerate(row)} for row, norm in zip(rows.tolist(), norms)]
    return multiclass.problem(data_, [(label, row, weight) for (label, _, weight), row in zip(examples, rows)], options)


def renamed(data_):
    """Classes in another order of names, other letters."""
    rows = Data([(label, {}, weight) for label, _, weight in data_.examples], data_.facts)
    other, new = multiclass.renamed(rows)
    letters = str.maketrans(LETTERS, OTHERS)
    return Data([(renamed_label(label, new), string.translate(letters), weight) for label, string, weight in data_.examples], other.facts), new
