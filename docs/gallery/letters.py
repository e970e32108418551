"""Letters in words: a chain reads what one picture alone leaves open.

Digits of 8 x 8 pixels come in runs that count up, as letters of a word follow each other. A classifier looks at one picture; the
tagger also knows what follows what.
"""
import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import hinge

rng = np.random.default_rng(0)
pictures, digits = load_digits(return_X_y=True)
pictures = np.clip(pictures + 7 * rng.normal(size=pictures.shape), 0, 16) / 16


def words(count):
    X, y = [], []
    for _ in range(count):
        labels = (int(rng.integers(10)) + np.arange(6)) % 10
        X.append(np.array([pictures[rng.choice(np.flatnonzero(digits == label))] for label in labels]))
        y.append(labels.tolist())
    return X, y


X, y = words(80)
X_test, y_test = words(60)
alone = hinge.MulticlassClassifier().fit(np.vstack(X), np.concatenate(y))
chain = hinge.SequenceTagger().fit(X, y)
one = np.mean(alone.predict(np.vstack(X_test)) == np.concatenate(y_test))
print(f"one picture at a time {one:.3f}, chain {chain.score(X_test, y_test):.3f}")

figure, axes = plt.subplots(3, 6, figsize=(7, 4.2))
for row in range(3):
    single, joint = alone.predict(X_test[row]), chain.predict(X_test[row : row + 1])[0]
    for t, ax in enumerate(axes[row]):
        ax.imshow(X_test[row][t].reshape(8, 8), cmap="gray_r")
        ax.set_title(f"{single[t]} | {joint[t]}", color="tab:red" if single[t] != y_test[row][t] else "black")
        ax.axis("off")
figure.suptitle("alone | in the chain; red: wrong alone")
figure.tight_layout()
figure.savefig(sys.argv[1])
