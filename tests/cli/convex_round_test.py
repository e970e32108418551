"""Where transduction ends, against a generic QP solver.

    convex_round_test.py HINGE

Tiny sequences are enumerated and a convex round is written out as a quadratic programme over (w, v, slacks), with nothing of Hinge in it:
Yu 2012, eq. 13, its last maximum replaced by the labelling that wins it at the start. CVXOPT solves it. Where `hinge train` ended, the round
that starts there finds nothing better; where supervised learning ends, it does. Rules once weigh so much that v stays where they want it, and
once so little that it does not.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
from cvxopt import matrix, solvers

LABELS = ("A", "B")
LABELLED = [("ab", "AB"), ("bca", "BAA")]
UNLABELLED = ["ba", "cb", "aca"]
RULES = {"word a in A": lambda x, y: [y[t] == "A" for t in range(len(x)) if x[t] == "a"],
         "transition only at word c": lambda x, y: [y[t] == y[t + 1] or x[t] == "c" for t in range(len(x) - 1)],
         "last token in B": lambda x, y: [y[-1] == "B"],
         "word c in B": lambda x, y: [y[t] == "B" for t in range(len(x)) if x[t] == "c"]}
C1, C2, MU = 1.0, 3.0, 5.0
NAMES = [f"U00:{word} -> {label}" for word in "abc" for label in LABELS] + [f"{a} , {b}" for a in LABELS for b in LABELS]


def features(x, y):
    counts = numpy.zeros(len(NAMES))
    for word, label in zip(x, y):
        counts[NAMES.index(f"U00:{word} -> {label}")] += 1
    for a, b in zip(y, y[1:]):
        counts[NAMES.index(f"{a} , {b}")] += 1
    return counts


def rule_features(x, y):
    return numpy.array([held for rule in RULES.values() for held in rule(x, y)], float)


def labellings(x):
    return itertools.product(LABELS, repeat=len(x))


class Round:
    """The convex bound that touches the objective at (w, v), with every v_j and every slack a variable."""

    def __init__(self, start, start_v, weight):
        n, m, self.d, self.weight = len(LABELLED), len(UNLABELLED), len(NAMES), weight
        sizes = [len(rule_features(x, "A" * len(x))) for x in UNLABELLED]
        self.v = numpy.cumsum([self.d] + sizes)
        self.slack = int(self.v[-1])                # of the labelled, of the unlabelled, then |v − 1| of each coordinate
        self.size = self.slack + n + m + sum(sizes)
        self.linear = numpy.zeros(self.size)
        self.linear[self.slack : self.slack + n] = C1 / n
        self.linear[self.slack + n : self.slack + n + m] = C2 / m
        self.linear[self.slack + n + m :] = C2 * weight
        self.curvature = numpy.zeros(self.size)
        self.curvature[: self.d] = 1
        self.curvature[self.d : self.slack] = C2 * MU / m
        self.constant, self.rows, self.low = 0.0, [], []
        for i, (x, truth) in enumerate(LABELLED):
            for y in labellings(x):
                self.at_least(self.slack + i, {0: features(x, y) - features(x, truth)}, sum(a != b for a, b in zip(y, truth)))
        for j, x in enumerate(UNLABELLED):
            for y in labellings(x):
                phi = rule_features(x, y)
                self.at_least(self.slack + n + j, {0: features(x, y), self.v[j]: -MU / 2 * phi}, MU / 4 * phi.sum())
            own = start_v[self.v[j] - self.d : self.v[j + 1] - self.d]
            guided = max(labellings(x), key=lambda y: start @ features(x, y) + MU / 2 * (own - 0.5) @ rule_features(x, y))
            phi = rule_features(x, guided)
            self.linear[: self.d] -= C2 / m * features(x, guided)
            self.linear[self.v[j] : self.v[j + 1]] -= C2 / m * MU / 2 * phi
            self.constant += C2 / m * MU / 4 * phi.sum()
        for k in range(sum(sizes)):
            for sign in (1, -1):
                self.at_least(self.slack + n + m + k, {self.d + k: numpy.array([sign])}, -sign)

    def at_least(self, slack, slopes, offset):
        """slack ≥ <slopes, variables> + offset."""
        row = numpy.zeros(self.size)
        for first, slope in slopes.items():
            row[first : first + len(slope)] = -slope
        row[slack] += 1
        self.rows.append(row)
        self.low.append(offset)

    def value(self, w=None):
        """The optimum, of (v, slacks) alone where w is given, and v there."""
        rows, low = numpy.array(self.rows), numpy.array(self.low)
        fixed = numpy.zeros(self.size)
        free = numpy.arange(self.size)
        if w is not None:
            fixed[: self.d], free = w, free[self.d :]
        rows, low = rows[:, free], low - rows @ fixed
        solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11)
        found = solvers.qp(matrix(numpy.diag(self.curvature[free])), matrix(self.linear[free]), matrix(-rows), matrix(-low))
        # Where 1e-11 is beyond its rounding it ends as "unknown", with a certificate that is good enough.
        certificate = [found["gap"], found["primal infeasibility"], found["dual infeasibility"]]
        assert max(certificate) < 1e-7, (found["status"], certificate)
        v = numpy.array(found["x"])[self.d if w is None else 0 :].ravel()[: self.slack - self.d]
        return found["primal objective"] + self.constant + 0.5 * fixed @ (self.curvature * fixed) + self.linear @ fixed, v


def best_v(w, weight):
    """The objective at w, and v there, by rounds over v alone from 1 on."""
    v = numpy.ones(sum(len(rule_features(x, "A" * len(x))) for x in UNLABELLED))
    before = numpy.inf
    while True:
        value, v = Round(w, v, weight).value(w)
        if value > before - 1e-9:
            return value, v
        before = value


def run(hinge, folder, *flags):
    subprocess.run([hinge, "train", "sequence", "labelled", "--template", "template", "--unlabelled", "unlabelled", "--rules", "rules", "--method",
                    "transductive", "--C1", str(C1), "--mu", str(MU), "--gap", "1e-9", "--max-passes", "1e5", "--decrease", "1e-9", "--model", "model", "--quiet", *flags],
                   cwd=folder, check=True)
    shown = json.loads(subprocess.run([hinge, "inspect", "model", "--json", "--top", "100"], cwd=folder, check=True, capture_output=True).stdout)
    weights = {entry["feature"]: entry["weight"] for entry in shown["positive"] + shown["negative"]}
    assert set(weights) <= set(NAMES), set(weights) - set(NAMES)
    return numpy.array([weights.get(name, 0.0) for name in NAMES])


def main(hinge):
    hinge = str(pathlib.Path(hinge).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "template").write_text("U00:%x[0,0]\nB\n")
        (folder / "labelled").write_text("".join("".join(f"{a} {b}\n" for a, b in zip(*pair)) + "\n" for pair in LABELLED))
        (folder / "unlabelled").write_text("".join("".join(f"{word}\n" for word in x) + "\n" for x in UNLABELLED))
        for weight, settles in ((2, True), (0.2, False)):
            (folder / "rules").write_text("".join(f"{rule} weight {weight}\n" for rule in RULES))
            start = run(hinge, folder, "--C2", "0")
            found = run(hinge, folder, "--C2", str(C2))
            assert settles == (weight * len(UNLABELLED) >= MU)
            for w, solved in ((start, False), (found, True)):
                here, v = best_v(w, weight)
                best, _ = Round(w, v, weight).value()
                print(f"rules of weight {weight}: {here:.8f}, and a round finds {best:.8f}; v from {v.min():.3f} to {v.max():.3f}")
                assert (here - best <= 1e-5 * abs(best)) == solved, "not solved" if solved else "the round has nothing to do"
                assert (v.min() > 1 - 1e-6) == settles, v


if __name__ == "__main__":
    main(*sys.argv[1:])
