"""Makes the vectors of own/: small graphs with outputs and hidden nodes, and what plain enumeration finds for them.

make_vectors.py            writes own/
make_vectors.py --check    compares own/ with what it would write

The reference of the vector tests in a clone that stands alone. Nothing here is shared with the library: every configuration is listed,
and each expectation is a sum or a maximum over that list. Keys and formulas, with score(y, h) = w . phi(y, h) and Delta the loss:

    log_partition      log sum_{y,h} exp score;      ..._given_labels: the same over h at the labels
    node_marginals     of p ~ exp score, ..._given_labels at the labels; edge_marginals of p
    joint_map          max_{y,h} score,  ..._loss_augmented: score + Delta,  map_given_labels: max_h at the labels
    marginal_map       max_y log sum_h exp score,  ..._loss_augmented: + Delta;  -1 stands for a hidden node
    n_argmax           how many assignments are within 1e-9 of the best
    unified            upper = eps_y log sum_y exp((Delta + eps_h log sum_h exp(score / eps_h)) / eps_y), lower = the inner part at the labels,
                       eps 0 is the maximum; objective = |w|^2 / 2 + C (upper - lower), with gradients; hcrf: eps 1, 1 and no Delta
"""
import itertools
import json
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).parent / "own"
TEMPERATURES = ((0, 0), (0, 1), (1, 1), (0.5, 0.5), (0.3, 1))
TIE = 1e-9


def edges_of(kind, n):
    if kind == "chain":
        return [[i, i + 1] for i in range(n - 1)]
    if kind == "cycle":
        return [[i, (i + 1) % n] for i in range(n)]
    if kind == "star":
        return [[0, i] if i % 2 else [i, 0] for i in range(1, n)]
    if kind == "tree":
        return [[(i - 1) // 2, i] for i in range(1, n)]
    columns = 3  # grid, row by row
    across = [[i, i + 1] for i in range(n) if i % columns < columns - 1]
    return across + [[i, i + columns] for i in range(n - columns)]


def draw(kind, n, states, C, zero, source):
    """A problem without answers. Nodes of one type share their weights; so do all edges with as many states."""
    card = [source.choice(states) for _ in range(n)]
    outputs = [0, 1] + [source.randrange(2) for _ in range(n - 2)]
    source.shuffle(outputs)
    blocks, size = {}, 0

    def block(key, length):
        nonlocal size
        if key not in blocks:
            blocks[key] = size
            size += length
        return blocks[key]

    def value():
        return round(source.gauss(0, 1), 4)

    unary = [[[1, block(("bias", card[i], outputs[i]), card[i])], [value(), block(("x", card[i]), card[i])]] for i in range(n)]
    edges = edges_of(kind, n)
    pairwise = [[[value() if e % 2 else 1, block((card[a], card[b]), card[a] * card[b])]] for e, (a, b) in enumerate(edges)]
    labels = [source.randrange(card[i]) if outputs[i] else -1 for i in range(n)]
    table = [[0 if not outputs[i] or s == labels[i] else round(source.uniform(0.2, 2), 4) for s in range(card[i])] for i in range(n)]
    weights = [0 if zero else round(source.gauss(0, 1.5), 4) for _ in range(size)]
    return {"kind": kind, "n": n, "card": card, "type": outputs, "edges": edges, "n_weights": size, "unary": unary, "pairwise": pairwise,
            "weights": weights, "labels": labels, "loss": {"kind": "table", "table": table}, "C": C}


def soft(values, temperature):
    """The maximum with a temperature, and the weights of its gradient."""
    top = max(values)
    if temperature == 0:
        ties = [1.0 if v > top - TIE else 0.0 for v in values]
        return top, [t / sum(ties) for t in ties]
    powers = [math.exp((v - top) / temperature) for v in values]
    return top + temperature * math.log(sum(powers)), [p / sum(powers) for p in powers]


class Enumeration:
    def __init__(self, problem):
        self.p = problem
        self.hidden = [i for i in range(problem["n"]) if not problem["type"][i]]
        self.all = list(itertools.product(*(range(k) for k in problem["card"])))
        self.phi = [self.features(s) for s in self.all]
        self.score = [sum(f * problem["weights"][j] for j, f in phi.items()) for phi in self.phi]
        self.loss = [sum(problem["loss"]["table"][i][k] for i, k in enumerate(s)) for s in self.all]
        self.groups = {}  # of the same outputs, -1 where hidden
        for c, s in enumerate(self.all):
            self.groups.setdefault(tuple(-1 if i in self.hidden else k for i, k in enumerate(s)), []).append(c)
        self.given = self.groups[tuple(problem["labels"])]

    def features(self, s):
        phi = {}
        for i, terms in enumerate(self.p["unary"]):
            for value, first in terms:
                phi[first + s[i]] = phi.get(first + s[i], 0) + value
        for (a, b), terms in zip(self.p["edges"], self.p["pairwise"]):
            for value, first in terms:
                at = first + s[a] * self.p["card"][b] + s[b]
                phi[at] = phi.get(at, 0) + value
        return phi

    def marginals(self, chosen, probability):
        nodes = [[0.0] * k for k in self.p["card"]]
        edges = [[[0.0] * self.p["card"][b] for _ in range(self.p["card"][a])] for a, b in self.p["edges"]]
        for c, q in zip(chosen, probability):
            for i, k in enumerate(self.all[c]):
                nodes[i][k] += q
            for e, (a, b) in enumerate(self.p["edges"]):
                edges[e][self.all[c][a]][self.all[c][b]] += q
        return nodes, edges

    def expectation(self, chosen, probability):
        mean = [0.0] * self.p["n_weights"]
        for c, q in zip(chosen, probability):
            for j, f in self.phi[c].items():
                mean[j] += q * f
        return mean

    @staticmethod
    def winner(values, assignments):
        top = max(values)
        ties = [a for v, a in zip(values, assignments) if v > top - TIE]
        return {"value": top, "n_argmax": len(ties), "assignment": list(ties[0])}

    def joint(self, chosen, loss_weight):
        return self.winner([self.score[c] + loss_weight * self.loss[c] for c in chosen], [self.all[c] for c in chosen])

    def marginal_map(self, loss_weight):
        values = [soft([self.score[c] for c in group], 1)[0] + loss_weight * self.loss[group[0]] for group in self.groups.values()]
        return self.winner(values, list(self.groups))

    def term(self, eps_y, eps_h, loss_weight):
        inner = {y: soft([self.score[c] for c in group], eps_h) for y, group in self.groups.items()}
        outer, p_y = soft([inner[y][0] + loss_weight * self.loss[group[0]] for y, group in self.groups.items()], eps_y)
        chosen, probability = [], []
        for (y, group), q in zip(self.groups.items(), p_y):
            chosen += group
            probability += [q * r for r in inner[y][1]]
        lower, p_h = inner[tuple(self.p["labels"])]
        gradient = [a - b for a, b in zip(self.expectation(chosen, probability), self.expectation(self.given, p_h))]
        w, C = self.p["weights"], self.p["C"]
        nodes, _ = self.marginals(chosen, probability)
        return {"eps_y": eps_y, "eps_h": eps_h, "upper": outer, "lower": lower,
                "objective": sum(x * x for x in w) / 2 + C * (outer - lower), "grad_term": gradient,
                "grad_objective": [x + C * g for x, g in zip(w, gradient)], "differentiable": self.unique(eps_y, eps_h, loss_weight),
                "y_posterior": [None if i in self.hidden else nodes[i] for i in range(self.p["n"])]}

    def unique(self, eps_y, eps_h, loss_weight):
        """Whether every maximum that the term takes is attained once."""
        if eps_y > 0:
            return eps_h > 0
        best = self.joint(range(len(self.all)), loss_weight) if eps_h == 0 else self.marginal_map(loss_weight)
        return best["n_argmax"] == 1 and (eps_h > 0 or self.joint(self.given, 0)["n_argmax"] == 1)

    def expected(self):
        every = range(len(self.all))
        log_z, p = soft(self.score, 1)
        log_z_given, p_given = soft([self.score[c] for c in self.given], 1)
        nodes, edges = self.marginals(every, p)
        return {"log_partition": log_z, "log_partition_given_labels": log_z_given, "node_marginals": nodes, "edge_marginals": edges,
                "node_marginals_given_labels": self.marginals(self.given, p_given)[0],
                "max_posterior_marginal": [row.index(max(row)) for row in nodes], "joint_map": self.joint(every, 0),
                "joint_map_loss_augmented": self.joint(every, 1), "map_given_labels": self.joint(self.given, 0),
                "marginal_map": self.marginal_map(0), "marginal_map_loss_augmented": self.marginal_map(1),
                "hcrf": self.term(1, 1, 0), "unified": [self.term(y, h, 1) for y, h in TEMPERATURES]}


def problems():
    source = random.Random(10)
    for kind, n, states, C, zero in (("chain", 5, (2, 3), 1, False), ("chain", 6, (2,), 10, False), ("tree", 6, (2, 3), 0.1, False),
                                     ("star", 5, (2, 3), 1, False), ("cycle", 4, (2, 3), 10, False), ("cycle", 6, (2,), 1, False),
                                     ("grid", 6, (2,), 0.1, False), ("grid", 6, (2,), 1, True)):
        problem = draw(kind, n, states, C, zero, source)
        problem["expected"] = Enumeration(problem).expected()
        yield problem


def shortened(value):
    """Digits beyond the fifteenth differ between machines."""
    if isinstance(value, float):
        return float(f"{value:.15g}")
    if isinstance(value, dict):
        return {k: shortened(v) for k, v in value.items()}
    return [shortened(v) for v in value] if isinstance(value, list) else value


def same(a, b):
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and not isinstance(a, bool) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-12 * max(1, abs(a))
    return a == b


def main():
    check = sys.argv[1:] == ["--check"]
    names, wrong = [], []
    FOLDER.mkdir(exist_ok=True)
    for k, problem in enumerate(problems()):
        names.append(f"{problem['kind']}_{k}")
        path = FOLDER / f"{names[-1]}.json"
        if not check:
            path.write_text(json.dumps(shortened(problem), separators=(",", ":")) + "\n")
        elif not same(problem, json.loads(path.read_text())):
            wrong.append(path.name)
    if not check:
        (FOLDER / "INDEX").write_text(json.dumps(names) + "\n")
    elif json.loads((FOLDER / "INDEX").read_text()) != names:
        wrong.append("INDEX")
    if wrong:
        sys.exit(f"not what make_vectors.py makes: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
