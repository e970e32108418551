"""Letters in words: a chain reads what one picture alone leaves open.

With HINGE_DATA set, handwritten words of 16 x 8 pixels (ocr/letter.data there); without, digits of 8 x 8 pixels in runs that count up,
as letters of a word follow each other. A classifier looks at one picture; the tagger also knows what follows what.
"""
import os
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import hinge

rng = np.random.default_rng(0)


def digits(count):
    """Noisy pictures of digits that count up."""
    X, y = [], []
    for _ in range(count):
        labels = (int(rng.integers(10)) + np.arange(6)) % 10
        X.append(np.array([pictures[rng.choice(np.flatnonzero(numbers == label))] for label in labels]))
        y.append(labels.tolist())
    return X, y


def letters(path):
    """Handwritten words, of fold 0 and of the others."""
    words = {True: ([], []), False: ([], [])}
    begins = True
    for line in path.read_text().splitlines():
        _, letter, following, _, _, fold, *pixels = line.split()
        X, y = words[fold == "0"]
        if begins:
            X.append([])
            y.append([])
        X[-1].append(np.array(pixels, dtype=float))
        y[-1].append(letter)
        begins = following == "-1"
    return words


real = pathlib.Path(os.environ.get("HINGE_DATA", "none")) / "ocr" / "letter.data"
if real.exists():
    print("handwritten words")
    shape, words = (16, 8), letters(real)
    X, y = [np.array(word) for word in words[True][0]], words[True][1]
    chosen = [i for i in rng.permutation(len(words[False][0])) if len(words[False][0][i]) >= 6][:400]
    X_test, y_test = [np.array(words[False][0][i]) for i in chosen], [words[False][1][i] for i in chosen]
else:
    print("digits (set HINGE_DATA for handwritten words)")
    shape, (pictures, numbers) = (8, 8), load_digits(return_X_y=True)
    pictures = np.clip(pictures + 7 * rng.normal(size=pictures.shape), 0, 16) / 16
    (X, y), (X_test, y_test) = digits(80), digits(60)
alone = hinge.MulticlassClassifier().fit(np.vstack(X), np.concatenate(y))
chain = hinge.SequenceTagger().fit(X, y)
one = np.mean(alone.predict(np.vstack(X_test)) == np.concatenate(y_test))
print(f"one picture at a time {one:.3f}, chain {chain.score(X_test, y_test):.3f}")

figure, axes = plt.subplots(3, 6, figsize=(7, 4.2))
for row in range(3):
    single, joint = alone.predict(X_test[row]), chain.predict(X_test[row : row + 1])[0]
    for t, ax in enumerate(axes[row]):
        ax.imshow(X_test[row][t].reshape(shape), cmap="gray_r")
        ax.set_title(f"{single[t]} | {joint[t]}", color="tab:red" if single[t] != y_test[row][t] else "black")
        ax.axis("off")
figure.suptitle("alone | in the chain; red: wrong alone")
figure.tight_layout()
figure.savefig(sys.argv[1])
