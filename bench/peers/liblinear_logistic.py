"""LIBLINEAR's logistic regression (in scikit-learn), one class of an svmlight file against the rest, by a list of ever smaller tolerances.

    liblinear_logistic.py TRAIN CLASS C OPTIMUM GAP

It minimises 1/2 |w|^2 + C sum_i log(1 + exp(-y_i <w, x_i>)) with a bias as one more feature of value 1, which is regularised too: that of `hinge train
binary --method crf --bias 1`. After 1,000 iterations it counts as it stands. Reports, of its two solvers (by coordinates of the dual, and a trust region in the primal), the faster one with the loosest
tolerance whose objective is within GAP of OPTIMUM, and the processor seconds of that fit() alone.
"""

import sys
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

from measure import report, timed


def main(train, positive, C, optimum, gap):
    warnings.simplefilter("ignore")
    x, y = load_svmlight_file(train)
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)  # liblinear's
    y = np.where(y == float(positive), 1, -1)
    found = []
    for dual in (True, False):
        for tolerance in (10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4):
            model = LogisticRegression(solver="liblinear", dual=dual, C=float(C), tol=tolerance, max_iter=1000)
            _, seconds = timed(lambda: model.fit(x, y))
            margins = y * (x @ model.coef_[0] + model.intercept_[0])
            primal = 0.5 * float((model.coef_**2).sum() + model.intercept_[0] ** 2) + float(C) * float(np.logaddexp(0, -margins).sum())
            if primal <= (1 + float(gap)) * float(optimum):
                found.append((seconds, "dual" if dual else "primal", tolerance, primal))
                break
    seconds, solver, tolerance, primal = min(found)
    report(peer=f"LIBLINEAR, {solver}", tolerance=tolerance, primal=primal, cpu_seconds=seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
