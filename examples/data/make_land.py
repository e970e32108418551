"""Writes land.train and land.test (maps as graphs, JSON Lines) and land.ppm with land.labels.pgm (a map as a picture).

A map is water, grass and forest in patches; each place is seen through two noisy measurements. Run: make_land.py [FOLDER]
"""
import json
import math
import pathlib
import random
import sys

LABELS = ["water", "grass", "forest"]
MEAN = {"water": (0.2, 0.7), "grass": (0.5, 0.4), "forest": (0.7, 0.6)}  # what the two instruments show
NOISE = 0.22
COLOUR = {"water": (70, 110, 190), "grass": (130, 180, 90), "forest": (60, 120, 60)}


def patches(width, height, rng):
    """A label for each place: that of the nearest of a few centres."""
    centres = [(rng.uniform(0, width), rng.uniform(0, height), label) for label in LABELS + rng.sample(LABELS, 2)]
    return [[min(centres, key=lambda c: math.hypot(x + 0.5 - c[0], y + 0.5 - c[1]))[2] for x in range(width)]
            for y in range(height)]


def graph(width, height, rng):
    rows = patches(width, height, rng)
    labels = [label for row in rows for label in row]
    features = [[round(rng.gauss(m, NOISE), 2) for m in MEAN[label]] for label in labels]
    right = [[y * width + x, y * width + x + 1] for y in range(height) for x in range(width - 1)]
    down = [[y * width + x, (y + 1) * width + x] for y in range(height - 1) for x in range(width)]
    return {"features": features, "labels": labels, "edges": right + down}


def write_graphs(path, count, rng):
    with open(path, "w") as out:
        for _ in range(count):
            out.write(json.dumps(graph(6, 5, rng), separators=(",", ":")) + "\n")


def write_picture(folder, rng, width=24, height=6):
    rows = patches(width, height, rng)
    clip = lambda v: max(0, min(255, round(v)))
    with open(folder / "land.ppm", "w") as out:
        out.write(f"P3\n{width} {height}\n255\n")
        for row in rows:
            out.write("  ".join(" ".join(str(clip(rng.gauss(c, 40))) for c in COLOUR[label]) for label in row) + "\n")
    with open(folder / "land.labels.pgm", "w") as out:
        out.write(f"P2\n# 0 unknown, 1 water, 2 grass, 3 forest\n{width} {height}\n255\n")
        for row in rows:
            out.write(" ".join("0" if rng.random() < 0.1 else str(1 + LABELS.index(label)) for label in row) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    write_graphs(folder / "land.train", 20, random.Random(11))
    write_graphs(folder / "land.test", 20, random.Random(12))
    write_picture(folder, random.Random(13))


main()
