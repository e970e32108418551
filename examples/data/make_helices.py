"""Writes helices.train, helices.test and helices.ct, made-up RNA with its folds, and helices.par, made-up energies, for the task fold:
`python3 make_helices.py [FOLDER]`.

A fold is a helix, one with a bulge or an inner loop, or a multiloop of two or three. Paired letters are mostly C and G; loops like A. Of a
few training sequences only some of the pairs are known (? for the rest). The energies are round numbers: three hydrogen bonds are worth more than two.
"""
import pathlib
import random
import sys

PAIRS = ["GC", "CG", "GC", "CG", "AU", "UA", "GU", "UG"]


def letters(generator, count):
    return "".join(generator.choice("AAAAGUC") for _ in range(count))


def helix(generator, depth):
    """Letters and structure."""
    text = letters(generator, generator.randint(3, 6))
    fold = "." * len(text)
    if depth > 0 and generator.random() < 0.5:
        text = fold = ""
        for _ in range(generator.randint(2, 3)):
            gap = letters(generator, generator.randint(0, 2))
            arm = helix(generator, 0)
            text, fold = text + gap + arm[0], fold + "." * len(gap) + arm[1]
    for k in range(generator.randint(4, 7)):
        pair = generator.choice(PAIRS)
        left, right = "", ""
        if k and generator.random() < 0.1:
            left, right = letters(generator, generator.randint(0, 2)), letters(generator, generator.randint(0, 2))
        text, fold = pair[0] + left + text + right + pair[1], "(" + "." * len(left) + fold + "." * len(right) + ")"
    return text, fold


def hidden(generator, fold):
    """With letters, and those they are paired with, that are not known."""
    open_, partner = [], {}
    for i, c in enumerate(fold):
        if c == "(":
            open_.append(i)
        elif c == ")":
            partner[i] = open_.pop()
    symbols = list(fold)
    for i, j in [*partner.items(), *((i, i) for i, c in enumerate(fold) if c == ".")]:
        if generator.random() < 0.5:
            symbols[i] = symbols[j] = "?"
    return "".join(symbols)


def records(generator, count, hide):
    for k in range(count):
        text, fold = helix(generator, 1)
        before, behind = letters(generator, generator.randint(0, 3)), letters(generator, generator.randint(0, 3))
        text, fold = before + text + behind, "." * len(before) + fold + "." * len(behind)
        yield f">r{k + 1}\n{text}\n{hidden(generator, fold) if hide and k % 10 == 9 else fold}\n"


def energies():
    """A parameter file with what there must be, in 0.01 kcal/mol."""
    worth = {"CG": 120, "GC": 120, "GU": 30, "UG": 30, "AU": 60, "UA": 60, "other": 30}  # half a stack

    def rows(numbers):
        return "".join("  " + " ".join(f"{n:>5}" for n in numbers[k : k + 10]) + "\n" for k in range(0, len(numbers), 10))

    def lengths(shortest, first, step):
        return rows(["INF"] * shortest + [min(first + step * (k - shortest), first + 12 * step) for k in range(shortest, 31)])
    yield "## RNAfold parameter file v2.0\n/* made up: no measured number is among them */\n"
    yield "\n# stack\n/*  " + "    ".join(worth) + "  */\n"
    yield from ("  " + " ".join(f"{-a - b:>5}" for b in worth.values()) + "\n" for a in worth.values())
    yield "\n# hairpin\n" + lengths(3, 500, 20)
    yield "\n# bulge\n" + lengths(1, 300, 30)
    yield "\n# interior\n" + lengths(2, 100, 20)
    yield "\n# ML_params\n/* a letter, a multiloop and a branch, each with its enthalpy */\n  0 0 400 0 0 0\n"
    yield "\n# NINIO\n/* each letter that one side has more, its enthalpy, at most */\n  50 0 300\n"
    yield "\n# Misc\n/* not used here, its enthalpy, a helix that ends weakly, its enthalpy */\n  0 0 50 0\n"
    yield "\n# Tetraloops\n/* the whole hairpin, its enthalpy */\n  CGAAAG 300 0\n"
    yield "\n# END\n"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(4)
    (folder / "helices.train").write_text("".join(records(generator, 60, True)))
    (folder / "helices.test").write_text("".join(records(generator, 40, False)))
    text, fold = helix(generator, 0)
    partner, open_ = [0] * len(fold), []
    for i, c in enumerate(fold):
        if c == "(":
            open_.append(i)
        elif c == ")":
            j = open_.pop()
            partner[i], partner[j] = j + 1, i + 1
    lines = [f"{i + 1} {c} {i} {(i + 2) % (len(text) + 1)} {partner[i]} {i + 1}\n" for i, c in enumerate(text)]
    (folder / "helices.par").write_text("".join(energies()))
    (folder / "helices.ct").write_text(f"{len(text)} helix\n" + "".join(lines))


main()
