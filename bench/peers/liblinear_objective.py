"""The objective of a LIBLINEAR multiclass model (-s 4, Crammer and Singer) on its training file.

    liblinear_objective.py TRAIN MODEL C

Its C multiplies the plain sum of the slacks, 1/2 |w|^2 + C sum_i xi_i, so Hinge's C is n times as large.
"""

import sys

import numpy as np
from sklearn.datasets import load_svmlight_file

from measure import report


def read_model(path):
    """The label of each column of the weights, and the weights: a row for each feature."""
    with open(path) as file:
        for line in file:
            key, *values = line.split()
            if key == "label":
                labels = np.array(values, dtype=int)
            if key == "w":
                break
        return labels, np.loadtxt(file)


def main(train, model, C):
    labels, w = read_model(model)
    x, y = load_svmlight_file(train, n_features=w.shape[0])
    scores = x @ w
    truth = np.argmax(y.astype(int)[:, None] == labels[None, :], axis=1)
    rows = np.arange(len(y))
    reference = scores[rows, truth].copy()
    augmented = scores + 1
    augmented[rows, truth] -= 1
    slack = (augmented.max(axis=1) - reference).sum()
    report(peer="liblinear", n=len(y), C=float(C) * len(y), primal=0.5 * float((w * w).sum()) + float(C) * float(slack))


if __name__ == "__main__":
    main(*sys.argv[1:])
