"""Writes gestures.txt, made-up gestures for the task sequence-class: `python3 make_gestures.py [FOLDER]`.

A gesture is a path of a hand in two channels (right, up) with noise, in random tempo. lift goes up and comes down,
dip goes down and comes up, circle goes round. All end where they began, so that sums of frames say little and the
order says all.
"""
import math
import pathlib
import random
import sys

PATHS = {
    "lift": lambda s: (0.0, math.sin(math.pi * s)),
    "dip": lambda s: (0.0, -math.sin(math.pi * s)),
    "circle": lambda s: (math.sin(2 * math.pi * s), math.cos(2 * math.pi * s) - 1),
}


def frames(name, generator):
    length = generator.randint(7, 11)
    place = PATHS[name]
    # Velocities: how far the hand moves between frames.
    for t in range(length):
        before, after = place(t / length), place((t + 1) / length)
        yield [length * (b - a) + 1.2 * (2 * generator.random() - 1) for a, b in zip(before, after)]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(3)
    lines = ["# made by make_gestures.py: split class frames, then a line a frame: right up"]
    for split, repeats in (("train", 10), ("test", 6)):
        for _ in range(repeats):
            for name in PATHS:
                rows = list(frames(name, generator))
                lines.append(f"{split} {name} {len(rows)}")
                lines.extend(" ".join(f"{value:.2f}" for value in row) for row in rows)
    (folder / "gestures.txt").write_text("\n".join(lines) + "\n")


main()
