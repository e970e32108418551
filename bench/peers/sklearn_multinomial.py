"""scikit-learn's multinomial LogisticRegression without intercept on an svmlight file.

    sklearn_multinomial.py TRAIN TEST C TOLERANCE SOLVER

It minimises 1/2 |w|^2 + C sum_i −log p(y_i | x_i): Hinge's C is n times as large. The objective is strongly convex
with modulus 1, so that primal − |gradient|^2 / 2 bounds the minimum from below: "dual". Seconds are those of fit() alone, and the
peak of memory is that after it, with the data and scikit-learn itself in it.
"""

import sys

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import LogisticRegression

from measure import peak_mb, report, timed


def main(train, test, C, tolerance, solver):
    x, y, x_test, y_test = load_svmlight_files([train, test])
    y = y.astype(int)
    model = LogisticRegression(C=float(C), fit_intercept=False, tol=float(tolerance), solver=solver, max_iter=100000)
    _, seconds = timed(lambda: model.fit(x, y))
    peak = peak_mb()
    w = model.coef_
    scores = x @ w.T
    truth = np.searchsorted(model.classes_, y)
    loss = (logsumexp(scores, axis=1) - scores[np.arange(len(y)), truth]).sum()
    primal = 0.5 * float((w * w).sum()) + float(C) * float(loss)
    excess = softmax(scores, axis=1)
    excess[np.arange(len(y)), truth] -= 1
    gradient = w + float(C) * (excess.T @ x)
    report(peer="scikit-learn", n=len(y), C=float(C) * len(y), tolerance=float(tolerance), primal=primal, dual=primal - float((gradient**2).sum()) / 2, iterations=int(model.n_iter_[0]),
           cpu_seconds=seconds, peak_mb=peak, accuracy=float(model.score(x_test, y_test.astype(int))))


if __name__ == "__main__":
    main(*sys.argv[1:])
