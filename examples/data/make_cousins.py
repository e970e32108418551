"""Writes cousins.train, cousins.test and cousins.fa, made-up proteins with their alignments, for the task align: `python3 make_cousins.py [FOLDER]`.

A family has one ancestor, a row of letters in helices, strands and loops. Two descendants differ from it: letters are replaced, mostly by
similar ones, and loops lose and gain letters. Columns of loops are not known (0), those of helices and strands are (1).
"""
import pathlib
import random
import sys

SIMILAR = ["LVIMC", "AG", "ST", "P", "FYW", "EDNQ", "KR", "H"]
LIKED = {"H": "AELKMQRAELK", "E": "VIYFWTVIYF", ".": "GPNDSTKEAGPNDS"}


def ancestor(generator):
    row = []
    for kind in generator.choice(["H.E.H", "E.E.H", "H.H.E", ".H.E.H."]):
        row += [(generator.choice(LIKED[kind]), kind) for _ in range(generator.randint(3, 6) if kind == "." else generator.randint(6, 9))]
    return row


def replaced(generator, letter, kind):
    chance = generator.random()
    if chance < 0.35:
        return generator.choice(next(group for group in SIMILAR if letter in group))
    return generator.choice(LIKED[kind]) if chance < 0.6 else letter


def descendants(generator, row):
    """Columns of (letter, kind) or None for both, and whether each is known."""
    columns = []
    for letter, kind in row:
        both = [None if kind == "." and generator.random() < 0.25 else (replaced(generator, letter, kind), kind) for _ in range(2)]
        if both != [None, None]:
            columns.append((*both, "0" if kind == "." else "1"))
        if kind == "." and generator.random() < 0.15:
            new = (generator.choice(LIKED["."]), ".")
            columns.append((new, None, "0") if generator.random() < 0.5 else (None, new, "0"))
    return columns


def text(columns, side, what):
    return "".join("-" if column[side] is None else column[side][what] for column in columns)


def lines(generator, families, pairs, first):
    for family in range(families):
        row = ancestor(generator)
        for pair in range(pairs):
            columns = descendants(generator, row)
            name = f"f{first + family}_{pair}"
            yield columns, "\t".join(["made", f"family{first + family}", name + "a", name + "b", text(columns, 0, 0), text(columns, 1, 0),
                                      "".join(column[2] for column in columns), text(columns, 0, 1), text(columns, 1, 1)]) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(8)
    (folder / "cousins.train").write_text("".join(line for _, line in lines(generator, 12, 3, 1)))
    (folder / "cousins.test").write_text("".join(line for _, line in lines(generator, 8, 2, 13)))
    pairs = [columns for columns, _ in lines(generator, 3, 1, 21)]
    (folder / "cousins.fa").write_text("".join(f">p{k}{'ab'[side]}\n{text(columns, side, 0)}\n" for k, columns in enumerate(pairs) for side in (0, 1)))


main()
