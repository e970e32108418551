"""Gestures: one class for a sequence of frames, by hidden states that nobody labelled.

A hidden CRF finds the phases of a movement by itself. The picture shows the mean of each class over time.
"""
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np

import hinge

data = {"train": ([], []), "test": ([], [])}
lines = [line.split() for line in pathlib.Path("examples/data/gestures.txt").read_text().splitlines() if line and line[0] != "#"]
while lines:
    *split, label, frames = lines.pop(0)
    X, y = data[split[0] if split else "train"]
    X.append(np.array([[float(v) for v in lines.pop(0)] for _ in range(int(frames))]))
    y.append(label)
(X, y), (X_test, y_test) = data["train"], data["test"] if data["test"][0] else data["train"]
model = hinge.SequenceClassifier(method="hcrf", states=3, random_state=1).fit(X, y)
print(f"accuracy {model.score(X_test, y_test):.3f}, {len(model.classes_)} classes")

figure, axes = plt.subplots(1, len(model.classes_), figsize=(2.4 * len(model.classes_), 2.6), sharey=True)
for ax, name in zip(axes, model.classes_):
    own = [x for x, label in zip(X, y) if label == name]
    shortest = min(map(len, own))
    for channel in range(own[0].shape[1]):
        ax.plot(np.mean([x[:shortest, channel] for x in own], axis=0), label=("right", "up")[channel])
    ax.set_title(name)
    ax.set_xlabel("frame")
axes[0].set_ylabel("mean")
axes[-1].legend()
figure.tight_layout()
figure.savefig(sys.argv[1])
