"""scikit-learn's LinearSVC, one class of an svmlight file against the rest, by a list of ever smaller tolerances.

    linear_svc.py TRAIN CLASS C OPTIMUM GAP

It minimises 1/2 |w|^2 + C sum_i max(0, 1 - y_i <w, x_i>) with a bias as one more feature of value 1, which is regularised too: that of `hinge train binary
--measure error`. Reports the loosest tolerance whose objective is within GAP of OPTIMUM, and the processor seconds of that fit() alone.
"""

import sys

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

from measure import report, timed


def main(train, positive, C, optimum, gap):
    x, y = load_svmlight_file(train)
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)  # liblinear's
    y = np.where(y == float(positive), 1, -1)
    for tolerance in (1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4):
        model = LinearSVC(loss="hinge", dual=True, C=float(C), tol=tolerance, max_iter=1000000)
        _, seconds = timed(lambda: model.fit(x, y))
        margins = y * (x @ model.coef_[0] + model.intercept_[0])
        primal = 0.5 * float((model.coef_**2).sum() + model.intercept_[0] ** 2) + float(C) * float(np.maximum(0, 1 - margins).sum())
        if primal <= (1 + float(gap)) * float(optimum):
            break
    report(peer="scikit-learn", tolerance=tolerance, primal=primal, cpu_seconds=seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
