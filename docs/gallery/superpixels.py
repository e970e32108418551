"""Labelled superpixels: regions of a picture as a graph, whose neighbours agree more often than not.

Pictures are drawn: patches of noisy colours, cut into 10 x 10 cells that stand in for superpixels. A classifier sees a cell, the graph
its neighbours too.
"""
import sys

import matplotlib.pyplot as plt
import numpy as np

import hinge

rng = np.random.default_rng(3)
SIZE, COLOURS = 10, np.array([[0.2, 0.5, 0.9], [0.2, 0.7, 0.3], [0.8, 0.7, 0.4]])
cells = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
edges = np.concatenate([np.stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()], 1), np.stack([cells[:-1].ravel(), cells[1:].ravel()], 1)])


def picture():
    corners, owners = rng.random((5, 2)) * SIZE, rng.integers(3, size=5)
    places = np.stack(np.meshgrid(np.arange(SIZE), np.arange(SIZE), indexing="ij"), -1).reshape(-1, 2)
    labels = owners[np.argmin(((places[:, None] - corners) ** 2).sum(-1), axis=1)]
    return np.c_[COLOURS[labels] + 0.45 * rng.normal(size=(SIZE * SIZE, 3)), np.ones(SIZE * SIZE)], labels


X, y = zip(*(picture() for _ in range(12)))
graph = hinge.GraphLabeller(method="crf", C=1.0).fit([(x, edges) for x in X], y)
single = hinge.MulticlassClassifier(method="crf").fit(np.vstack(X), np.concatenate(y))
x, truth = picture()
answers = {"colours": np.clip(x[:, :3], 0, 1), "cell by cell": COLOURS[single.predict(x)], "as a graph": COLOURS[graph.predict([(x, edges)])[0]],
           "truth": COLOURS[truth]}
print(f"cell by cell {np.mean(single.predict(x) == truth):.2f}, graph {np.mean(np.array(graph.predict([(x, edges)])[0]) == truth):.2f}")
figure, axes = plt.subplots(1, 4, figsize=(8, 2.3))
for ax, (name, colours) in zip(axes, answers.items()):
    ax.imshow(colours.reshape(SIZE, SIZE, 3))
    ax.set_title(name)
    ax.axis("off")
figure.tight_layout()
figure.savefig(sys.argv[1])
