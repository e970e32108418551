"""Writes wares.train, wares.test and wares.parents, made-up goods of a shop, for the task taxonomy: `python3 make_wares.py [FOLDER]`.

A class is a path such as food/fruit/apple. A description has words of each part of the path, and others; some classes are rare. A few
of the training goods are labelled by a part of the path only.
"""
import pathlib
import random
import sys

SHELVES = {"food": {"fruit": ["apple", "pear", "plum"], "bread": ["rye", "wheat"]},
           "tools": {"garden": ["rake", "spade"], "wood": ["saw", "plane", "file"]}}
WORDS = 12  # of each name, one feature each


def names():
    """Every name with the number of its first word."""
    parts = [part for shelf, boards in SHELVES.items() for part in [shelf, *boards, *(ware for wares in boards.values() for ware in wares)]]
    return {part: 1 + WORDS * k for k, part in enumerate(parts)}


def ware(generator, first, cut):
    shelf = generator.choice(list(SHELVES))
    board = generator.choice(list(SHELVES[shelf]))
    kinds = SHELVES[shelf][board]
    kind = generator.choices(kinds, [4.0 ** -k for k in range(len(kinds))])[0]
    words = set()
    for part in (shelf, board, kind):
        words |= {first[part] + generator.randrange(WORDS) for _ in range(2)}
    words |= {generator.randrange(1, 1 + WORDS * len(first)) for _ in range(6)}
    path = [shelf, board] if cut and generator.random() < 0.1 else [shelf, board, kind]
    return "/".join(path) + "".join(f" {word}:1" for word in sorted(words))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator, first = random.Random(3), names()
    (folder / "wares.train").write_text("".join(ware(generator, first, True) + "\n" for _ in range(200)))
    (folder / "wares.test").write_text("".join(ware(generator, first, False) + "\n" for _ in range(300)))
    lines = ["# a class, and the classes it belongs to"]
    for shelf, boards in SHELVES.items():
        for board, kinds in boards.items():
            lines += [f"{shelf}/{board} {shelf}", *(f"{shelf}/{board}/{kind} {shelf}/{board}" for kind in kinds)]
    (folder / "wares.parents").write_text("\n".join(lines + ["food/fruit/plum garden-goods", "tools/garden garden-goods"]) + "\n")


main()
