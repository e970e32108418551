"""A motif's logo: what sequences with it share, and others lack. Nobody said where it stands.
"""
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

import hinge


def read(name):
    return ["".join(record.split("\n")[1:]) for record in pathlib.Path(f"examples/data/{name}").read_text().split(">")[1:]]


with_motif, without = read("bound.fa"), read("free.fa")
X, y = with_motif + without, [1] * len(with_motif) + [0] * len(without)
finder = hinge.MotifFinder(length=8, random_state=1).fit(X, y)
print(f"accuracy {finder.score(X, y):.3f}")
profile = finder.profile(with_motif)
share = (profile["counts"] + 0.5) / (profile["counts"] + 0.5).sum(1, keepdims=True)
bits = share * (share * np.log2(share / profile["background"])).sum(1, keepdims=True)

figure, ax = plt.subplots(figsize=(6, 2.8))
colours = dict(zip("ACGT", ("tab:green", "tab:blue", "tab:orange", "tab:red")))
for position, row in enumerate(bits):
    below = 0.0
    for k in np.argsort(row):
        glyph = TextPath((0, 0), profile["letters"][k], size=1, prop=FontProperties(weight="bold"))
        box = glyph.get_extents()
        place = Affine2D().translate(-box.x0, -box.y0).scale(0.9 / box.width, row[k] / box.height).translate(position + 0.55, below)
        ax.add_patch(PathPatch(glyph.transformed(place), facecolor=colours[profile["letters"][k]], linewidth=0))
        below += row[k]
ax.set_xlim(0.4, len(bits) + 0.6)
ax.set_ylim(0, 2)
ax.set_xlabel("position")
ax.set_ylabel("bits")
figure.tight_layout()
figure.savefig(sys.argv[1])
