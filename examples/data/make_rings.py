"""Writes rings.train and rings.test, points on three rings around one another, for kernels: `python3 make_rings.py [FOLDER]`."""
import math
import pathlib
import random
import sys

RINGS = ("inner", "middle", "outer")


def point(generator):
    ring = generator.randrange(3)
    radius, angle = ring + 1 + generator.gauss(0, 0.2), generator.uniform(0, 2 * math.pi)
    return f"{RINGS[ring]} 1:{radius * math.cos(angle):.3f} 2:{radius * math.sin(angle):.3f}"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(3)
    for name in ("rings.train", "rings.test"):
        (folder / name).write_text("".join(point(generator) + "\n" for _ in range(180)))


main()
