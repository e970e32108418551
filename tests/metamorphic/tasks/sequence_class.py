"""Sequences of frames with one class each."""
import itertools

import numpy
from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from flags import SWITCH, number
from kernels import mapped_rows
from tasks import Data

NAME = "sequence-class"
PREDICT = [["--scores"], ["--marginals"]]


@st.composite
def data(draw, hidden=True):
    classes = draw(st.sampled_from([["up", "down"], ["1", "2", "10"]]))
    channels = draw(st.integers(1, 2))
    told = st.sampled_from(classes + ["?"] if hidden and draw(st.integers(0, 3)) == 0 else classes)
    frame = st.lists(st.sampled_from([0, 1, 2, -1, 0.5, 4]), min_size=channels, max_size=channels)
    frames = st.lists(frame, min_size=1, max_size=4)
    examples = draw(st.lists(st.tuples(told, frames), min_size=1, max_size=6))
    examples += [(c, draw(frames)) for c in classes if c not in {e[0] for e in examples}]
    return Data(examples, {"classes": classes})


def flags(_):
    return {
        "split": None,
        "states": number(1, 2, 3),
        "state-features": st.sampled_from(["shared", "class"]),
        "window": number(0, 1),
        "standardise": SWITCH,
    }


def text(_, examples):
    lines = []
    for label, frames in examples:
        lines += [f"{label} {len(frames)}"] + [" ".join(map(str, frame)) for frame in frames]
    return {"train": "\n".join(lines) + "\n"}


def arguments(_):
    return []


def prepared(examples, options):
    """Frames of numbers as the states see them, by name: standardised, with their neighbours."""
    every = numpy.array([frame for _, frames in examples for frame in frames], dtype=float)
    mean, scale = numpy.zeros(every.shape[1]), numpy.ones(every.shape[1])
    if options["standardise"]:
        mean = every.mean(axis=0)
        deviation = every.std(axis=0)
        scale = numpy.array([1 / d if d > 1e-6 * abs(m) else 1 for d, m in zip(deviation, mean)])
    window = options["window"]
    result = []
    for _, frames in examples:
        values = [numpy.float32((numpy.array(frame) - mean) * scale).astype(float) for frame in frames]
        rows = []
        for t in range(len(values)):
            row = {}
            for offset in range(-window, window + 1):
                if 0 <= t + offset < len(values):
                    place = f"[{offset:+d}]" if window else ""
                    row |= {f"channel {d + 1}{place}": v for d, v in enumerate(values[t + offset])}
            rows.append(row)
        result.append(rows)
    return mapped_rows(result, options)


def problem(_, examples, options):
    classes = sorted({label for label, _ in examples} - {"?"})
    count, own = options["states"], options["state_features"] == "class"
    if any(len(classes) * count ** len(frames) > MOST_STRUCTURES for _, frames in examples):
        return None
    every = prepared(examples, options)
    if every is None:
        return None
    result = []
    for (label, frames), rows in zip(examples, every):
        structures = []
        for c, path in itertools.product(classes, itertools.product(range(1, count + 1), repeat=len(frames))):
            features = {}

            def add(feature, value):
                features[feature] = features.get(feature, 0) + value

            for t, state in enumerate(path):
                for channel, value in rows[t].items():
                    add(f"{channel} -> " + (f"{c}/{state}" if own else f"state {state}"), value)
                add(f"{c}/{state}", 1)
                if t > 0:
                    add(f"{c}/{path[t - 1]} , {c}/{state}", 1)
            known = label != "?"
            structures.append(Structure(features, float(known and c != label), c if known else None, not known or c == label, (c,)))
        result.append((1, structures))
    return result


def renamed(data_):
    classes = {c: f"z{9 - k}" for k, c in enumerate(data_.facts["classes"])} | {"?": "?"}
    return Data([(classes[label], frames) for label, frames in data_.examples], {"classes": [classes[c] for c in data_.facts["classes"]]}), classes


def answers(output):
    return [line.split()[0] for line in output.splitlines()]


def places(data_):
    return len(data_.examples)


def truths(data_):
    return [None if label == "?" else label for label, _ in data_.examples]
