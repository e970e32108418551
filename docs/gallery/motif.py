"""A motif's logo: what sequences with it share, and others lack. Nobody said where it stands.
"""
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np

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
        letter = profile["letters"][k]
        ax.bar(position + 1, row[k], bottom=below, color=colours.get(letter, "grey"), width=0.9)
        if row[k] > 0.15:
            ax.text(position + 1, below + row[k] / 2, letter, ha="center", va="center", color="white", weight="bold")
        below += row[k]
ax.set_xlabel("position")
ax.set_ylabel("bits")
figure.tight_layout()
figure.savefig(sys.argv[1])
