"""A ranking curve: NDCG at each depth, for a ranker that learns NDCG and one that learns pairs.
"""
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np

import hinge


def read(name):
    X, y, qid = [], [], []
    for line in pathlib.Path(f"examples/data/search.{name}").read_text().splitlines():
        fields = line.split("#")[0].split()
        pairs = dict(field.split(":") for field in fields[1:])
        y.append(np.nan if fields[0] == "?" else float(fields[0]))
        qid.append(int(pairs.pop("qid")))
        X.append({int(k): float(v) for k, v in pairs.items()})
    width = max(max(row) for row in X)
    return np.array([[row.get(j + 1, 0.0) for j in range(width)] for row in X]), np.array(y), np.array(qid)


def ndcg(scores, grades, qid, depth):
    found = []
    for q in np.unique(qid):
        g, s = np.nan_to_num(grades[qid == q]), scores[qid == q]
        gain = lambda order: np.sum((2.0 ** g[order][:depth] - 1) / np.log2(2 + np.arange(len(g[order][:depth]))))
        best = gain(np.argsort(-g))
        found.append(gain(np.argsort(-s, kind="stable")) / best if best else 1.0)
    return np.mean(found)


X, y, qid = read("train")
X_test, y_test, qid_test = read("test")
width = min(X.shape[1], X_test.shape[1])
figure, ax = plt.subplots(figsize=(6, 3.6))
depths = range(1, 11)
for loss, line in (("ndcg", "o-"), ("pairs", "s--")):
    model = hinge.Ranker(loss=loss).fit(X[:, :width], y, qid=qid)
    scores = model.predict(X_test[:, :width])
    curve = [ndcg(scores, y_test, qid_test, depth) for depth in depths]
    print(f"{loss}: NDCG at 10 {curve[-1]:.3f}")
    ax.plot(depths, curve, line, markerfacecolor="none", label=f"learned {loss}")
rng = np.random.default_rng(0)
ax.plot(depths, [ndcg(rng.random(len(y_test)), y_test, qid_test, depth) for depth in depths], "k:", label="any order")
ax.set_xlabel("depth")
ax.set_ylabel("NDCG on test queries")
ax.legend()
figure.tight_layout()
figure.savefig(sys.argv[1])
