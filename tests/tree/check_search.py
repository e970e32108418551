"""bench/support/settings.py finds the loosest setting that reaches a gap, against distances that are known in closed form."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "bench"))
from support.settings import NEAR, SAME, search

DISTANCES = {
    "a line": lambda s: 0.1 * s,
    "a power": lambda s: 3 * s ** 1.5,
    "steps": lambda s: 0.002 * math.floor(s / 0.01 + 1) - 0.0015,
    "a cliff": lambda s: 1e-7 if s < 0.003 else 0.5,
    "below zero": lambda s: s - 0.01,
}
faults = []
for name, distance in DISTANCES.items():
    for gap in (4e-3, 1e-3, 1e-6):
        for first in (1e-4, 0.05, 10.0):
            if min(distance(10.0 ** -k) for k in range(12)) > gap:
                continue
            found = search(gap, first, distance)
            reached = distance(found["setting"])
            loosest = reached >= NEAR * gap or found["looser"] / found["setting"] <= SAME and distance(found["looser"]) > gap
            if reached > gap or reached != found["reached"] or not loosest:
                faults.append(f"{name}, gap {gap:g}, from {first:g}: {found}")
print(*faults, sep="\n")
sys.exit(1 if faults else 0)
