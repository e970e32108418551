"""Synthetic sequences in the attribute format: a Markov chain of labels that emits noisy attributes.

    python3 bench/synthetic.py SEQUENCES LENGTH LABELS ATTRIBUTES_PER_LABEL SEED > file

From each label the chain prefers 3 others (probability 0.8 together). A position shows 8 attributes: each is one of its
label's own with probability 0.4, else one drawn from all. Chain and attributes depend on LABELS alone, the draws
also on SEED, so files of different seeds are train and test of one problem.
"""

import random
import sys


def sequences(count, length, labels, attributes, seed):
    world, draw = random.Random(labels), random.Random(f"{seed}/{count}/{length}/{labels}")
    favourites = [[world.randrange(labels) for _ in range(3)] for _ in range(labels)]
    for _ in range(count):
        label = draw.randrange(labels)
        for _ in range(length):
            yield f"y{label}", sorted({attribute(draw, label, labels, attributes) for _ in range(8)})
            label = draw.choice(favourites[label]) if draw.random() < 0.8 else draw.randrange(labels)
        yield None


def attribute(draw, label, labels, attributes):
    owner = label if draw.random() < 0.4 else draw.randrange(labels)
    return f"a{owner * attributes + draw.randrange(attributes)}"


if __name__ == "__main__":
    for token in sequences(*map(int, sys.argv[1:])):
        print("" if token is None else "\t".join([token[0], *token[1]]))
