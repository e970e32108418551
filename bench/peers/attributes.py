"""Sequences as lines `label TAB attribute TAB attribute ...`, a blank line between sequences: the file that
CRFsuite, dlib_sequence and `hinge --format crfsuite` all read, and the chunking attributes of CRFsuite's example.

    python3 attributes.py conll.txt > attributes.txt
"""

import sys

# Columns: 0 word, 1 part of speech. An attribute whose places are not all inside the sentence is left out.
TEMPLATE = (
    [[(0, k)] for k in (-2, -1, 0, 1, 2)]
    + [[(0, -1), (0, 0)], [(0, 0), (0, 1)]]
    + [[(1, k)] for k in (-2, -1, 0, 1, 2)]
    + [[(1, k), (1, k + 1)] for k in (-2, -1, 0, 1)]
    + [[(1, k), (1, k + 1), (1, k + 2)] for k in (-2, -1, 0)]
)
COLUMN_NAMES = ("w", "pos")


def blocks(path):
    """The non-blank lines between blank ones, as lists."""
    block = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line:
                block.append(line)
            elif block:
                yield block
                block = []
    if block:
        yield block


def expand(sentence):
    """[(label, attributes)] of one sentence, given as a list of columns per token."""
    tokens = []
    for t, columns in enumerate(sentence):
        attributes = []
        for places in TEMPLATE:
            if all(0 <= t + k < len(sentence) for _, k in places):
                name = "|".join(f"{COLUMN_NAMES[c]}[{k}]" for c, k in places)
                attributes.append(name + "=" + "|".join(sentence[t + k][c] for c, k in places))
        if t == 0:
            attributes.append("__BOS__")
        if t == len(sentence) - 1:
            attributes.append("__EOS__")
        tokens.append((columns[-1], attributes))
    return tokens


def read(path):
    """(labels, [attributes of each token]) of each sequence of an attribute file."""
    for block in blocks(path):
        rows = [line.split("\t") for line in block]
        yield [row[0] for row in rows], [row[1:] for row in rows]


def escape(attribute):
    """In the file a colon would begin a value."""
    return attribute.replace("\\", "\\\\").replace(":", "\\:")


if __name__ == "__main__":
    for block in blocks(sys.argv[1]):
        for label, attributes in expand([line.split() for line in block]):
            print(label, *map(escape, attributes), sep="\t")
        print()
