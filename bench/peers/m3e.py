"""Max-margin min-entropy models (M3E, Miller et al. 2012) on chains y h y h ..., as `hinge simulate chain` writes them.

    m3e.py TRAIN TEST ORDER ...        an order of the entropy each; prints a line of JSON each

With scores t(y, h) = <w, φ(x, y, h)>, M3E asks that the Rényi entropy of order α over h of the label y be lower than that of every
other y' by its loss. Up to log Z, which is the same for all y, the negative entropy is

    g(y) = (log Σ_h exp(α t(y, h)) − log Σ_h exp(t(y, h))) / (α − 1),          its limit for α = 1: Σ_h p(h | y) t(y, h)

and it learns by min 1/2 |w|² + C Σ_i max over y' of [Δ(y_i, y') + g(y')] − g(y_i), and predicts argmax g. Each h stands between two
outputs, so that g is a sum over pairs of neighbouring outputs, and both maxima are exact (Viterbi). Learned by
sub-gradient descent from small random weights, as Algorithm 1 of Ping et al. 2014; the best weights seen are kept. Orders: a number, "inf"
(the latent structural SVM), or "mssvm" (g = log Σ_h exp t: the marginal structured SVM, to compare with Hinge's).
"""

import json
import math
import sys

import numpy

STATES, STEP, STEPS, C = 4, 0.02, 200, 1.0


def read(path):
    """inputs [graph, node], labels [graph, output]"""
    graphs = [json.loads(line) for line in open(path)]
    inputs = numpy.array([[int(f[0].split("=")[1]) for f in g["features"]] for g in graphs])
    labels = numpy.array([g["labels"][::2] for g in graphs])
    return inputs, labels


def soften(t, order):
    """g of the last axis, and dg/dt."""
    def log_sum(a):
        top = a.max(-1, keepdims=True)
        e = numpy.exp(a - top)
        total = e.sum(-1, keepdims=True)
        return (top + numpy.log(total))[..., 0], e / total
    if order == "inf":
        best = t.argmax(-1)
        return t.max(-1), (numpy.arange(t.shape[-1]) == best[..., None]).astype(float)
    one, p = log_sum(t)
    if order == "mssvm":
        return one, p
    order = float(order)
    if order == 1:
        mean = (p * t).sum(-1)
        return mean, p * (1 + t - mean[..., None])
    high, q = log_sum(order * t)
    return (high - one) / (order - 1), (order * q - p) / (order - 1)


class Model:
    def __init__(self, nodes, seed=1):
        chance = numpy.random.default_rng(seed)
        self.own = 0.1 * chance.standard_normal((nodes, STATES + 1, STATES))  # [node, input or bias, state]
        self.pair = 0.1 * chance.standard_normal((nodes - 1, STATES, STATES))  # [edge, left state, right state]

    def scores(self, inputs):
        """own scores [graph, node, state] of all nodes"""
        nodes = numpy.arange(inputs.shape[1])
        return self.own[nodes, inputs] + self.own[:, STATES][None]

    def runs(self, own, order):
        """Of hidden node 2k+1 between outputs k and k+1 (the last has no right neighbour): g [graph, left, right] and dg/dt [graph, left, right, h]."""
        result = []
        for k in range(own.shape[1] // 2):
            h = 2 * k + 1
            t = self.pair[h - 1][None, :, None, :] + own[:, h][:, None, None, :]
            if h < own.shape[1] - 1:
                t = t + self.pair[h].T[None, None, :, :]
            result.append(soften(t, order))
        return result


def best_outputs(own, runs, added):
    """argmax over y of Σ own + added + Σ g, by Viterbi: [graph, output]"""
    outputs = own.shape[1] // 2
    unary = own[:, ::2] + added
    unary[:, -1] += runs[-1][0][:, :, 0]
    value, back = unary[:, 0], []
    for k in range(outputs - 1):
        table = value[:, :, None] + runs[k][0]
        back.append(table.argmax(1))
        value = table.max(1) + unary[:, k + 1]
    y = [value.argmax(1)]
    for step in reversed(back):
        y.append(step[numpy.arange(len(step)), y[-1]])
    return numpy.stack(y[::-1], 1)


def value_of(own, runs, y):
    graphs, outputs = numpy.arange(len(y)), y.shape[1]
    total = sum(own[graphs, 2 * k, y[:, k]] for k in range(outputs))
    for k in range(outputs):
        right = y[:, k + 1] if k + 1 < outputs else 0
        total = total + runs[k][0][graphs, y[:, k], right]
    return total


def add_gradient(own, pair, inputs, runs, y, sign):
    graphs, outputs = numpy.arange(len(y)), y.shape[1]
    for k in range(outputs):
        numpy.add.at(own, (2 * k, inputs[:, 2 * k], y[:, k]), sign)
        numpy.add.at(own, (2 * k, STATES, y[:, k]), sign)
        last = k + 1 == outputs
        slope = sign * runs[k][1][graphs, y[:, k], 0 if last else y[:, k + 1]]  # [graph, h]
        h = 2 * k + 1
        numpy.add.at(own[h], inputs[:, h], slope)
        own[h, STATES] += slope.sum(0)
        numpy.add.at(pair[h - 1], y[:, k], slope)
        if not last:
            numpy.add.at(pair[h].T, y[:, k + 1], slope)


def learn(inputs, labels, order):
    model = Model(inputs.shape[1])
    loss = 1.0 - (labels[:, :, None] == numpy.arange(STATES)) * 1.0
    best, kept = math.inf, None
    for step in range(STEPS + 1):
        own = model.scores(inputs)
        runs = model.runs(own, order)
        found = best_outputs(own, runs, loss)
        excess = value_of(own, runs, found) + (found != labels).sum(1) - value_of(own, runs, labels)
        objective = 0.5 * ((model.own ** 2).sum() + (model.pair ** 2).sum()) + C * excess.sum()
        if objective < best:
            best, kept = objective, (model.own.copy(), model.pair.copy())
        own_slope, pair_slope = model.own.copy(), model.pair.copy()
        add_gradient(own_slope, pair_slope, inputs, runs, found, C)
        add_gradient(own_slope, pair_slope, inputs, runs, labels, -C)
        model.own -= STEP * own_slope
        model.pair -= STEP * pair_slope
    model.own, model.pair = kept
    return model, best


def main():
    (inputs, labels), (test_inputs, test_labels) = read(sys.argv[1]), read(sys.argv[2])
    for order in sys.argv[3:]:
        model, objective = learn(inputs, labels, order)
        own = model.scores(test_inputs)
        predicted = best_outputs(own, model.runs(own, order), 0)
        print(json.dumps({"order": order, "objective": objective, "accuracy": 100 * float((predicted == test_labels).mean())}))


main()
