"""Writes bound.fa, free.fa and sites.txt, made-up promoters for the task motif: `python3 make_motif.py [FOLDER]`.

A bound promoter holds the word TGACTCAT (each letter is another one in 8 % of the cases), on either strand; a free one does
not. sites.txt has more of both, with labels.
"""
import pathlib
import random
import sys

WORD, LENGTH, NOISE = "TGACTCAT", 50, 0.08
OPPOSITE = str.maketrans("ACGT", "TGCA")


def promoter(bound, generator):
    letters = [generator.choice("ACGT") for _ in range(LENGTH)]
    if bound:
        site = [generator.choice("ACGT".replace(c, "")) if generator.random() < NOISE else c for c in WORD]
        if generator.random() < 0.5:
            site = [c.translate(OPPOSITE) for c in reversed(site)]
        at = generator.randint(0, LENGTH - len(WORD))
        letters[at:at + len(WORD)] = site
    return "".join(letters)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(5)
    for name, bound in (("bound", True), ("free", False)):
        lines = []
        for k in range(60):
            lines += [f">{name}{k + 1} made by make_motif.py", promoter(bound, generator)]
        (folder / f"{name}.fa").write_text("\n".join(lines) + "\n")
    lines = [f"test{k + 1}:{1 if k % 2 == 0 else -1}:1:{promoter(k % 2 == 0, generator)}" for k in range(60)]
    (folder / "sites.txt").write_text("\n".join([str(len(lines))] + lines) + "\n")


main()
