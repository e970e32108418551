"""Engines against enumeration in NumPy: values, and counts as their gradients."""

import itertools

import numpy as np
import pytest

from hinge import engines


def smooth(values, t):
    values = np.asarray(values, dtype=float)
    top = values.max()
    return top if t == 0 or top == -np.inf else top + t * np.log(np.exp((values - top) / t).sum())


def chain_score(u, p, path):
    steps = p if p.ndim == 3 else np.broadcast_to(p, (len(u) - 1, *p.shape))
    return sum(u[t, k] for t, k in enumerate(path)) + sum(steps[t][a, b] for t, (a, b) in enumerate(zip(path, path[1:])))


def enumerated(score, shape, hidden, output, latent):
    """T over outputs of T over hidden parts."""
    groups = {}
    for s in itertools.product(*(range(k) for k in shape)):
        groups.setdefault(tuple(k for k, h in zip(s, hidden) if not h), []).append(score(s))
    return smooth([smooth(each, latent) for each in groups.values()], output)


def gradient(f, x, step=1e-6):
    found = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        found[index] = (f(up) - f(down)) / (2 * step)
    return found


@pytest.mark.parametrize("temperature", [0, 1, 0.3, (0, 1), (1, 0.5)])
@pytest.mark.parametrize("stepwise", [False, True])
def test_chain_is_enumeration(rng, temperature, stepwise):
    u = rng.normal(size=(2, 4, 3))
    p = rng.normal(size=(3, 3, 3) if stepwise else (3, 3))
    hidden = np.array([[0, 1, 0, 1], [1, 0, 0, 0]], dtype=bool)
    lengths = [4, 3]
    output, latent = temperature if isinstance(temperature, tuple) else (temperature, temperature)

    def value(b, u, p):
        n = lengths[b]
        return enumerated(lambda s: chain_score(u[:n], p[: n - 1] if stepwise else p, s), [3] * n, hidden[b, :n], output,
                          latent)

    found, counts = engines.chain(u, p, lengths=lengths, hidden=hidden, temperature=temperature)
    for b in range(2):
        assert np.isclose(found[b], value(b, u[b], p), atol=1e-10)
        assert np.allclose(counts.unary[b], gradient(lambda x: value(b, x, p), u[b]), atol=1e-5)
        assert np.allclose(counts.pairwise[b], gradient(lambda x: value(b, u[b], x), p), atol=1e-5)


def test_chain_in_floats_and_threads_and_forbidden_labels(rng):
    u, p = rng.normal(size=(5, 6, 4)), rng.normal(size=(4, 4))
    u[:, 2, 1] = -np.inf
    value, counts = engines.chain(u, p)
    assert np.all(counts.unary[:, 2, 1] == 0) and np.allclose(counts.unary.sum(axis=2), 1)
    again, same = engines.chain(u, p, n_jobs=3)
    assert np.array_equal(value, again) and np.array_equal(counts.pairwise, same.pairwise)
    single, soft = engines.chain(u.astype(np.float32), p.astype(np.float32))
    assert single.dtype == soft.unary.dtype == np.float32 and np.allclose(single, value, rtol=1e-5)
    view = np.asfortranarray(u)
    view.flags.writeable = False
    assert np.array_equal(engines.chain(view, p)[0], value)


@pytest.mark.parametrize("temperature", [0, 1, (0, 1), (1, 0.5)])
@pytest.mark.parametrize("rho", [0.0, 1.5])
def test_losses_of_chains_are_two_values(rng, temperature, rho):
    u, p = rng.normal(size=(4, 5, 3)), rng.normal(size=(3, 3))
    y, lengths = rng.integers(0, 3, (4, 5)), [5, 3, 1, 4]
    y[1, 1] = y[3, 0] = y[3, 3] = -1
    wrong = (y >= 0)[..., None] & (np.arange(3) != y[..., None])
    latent = temperature[1] if isinstance(temperature, tuple) else temperature
    free, more = engines.chain(u + rho * wrong, p, lengths, y < 0, temperature)
    clamped, less = engines.chain(np.where(wrong, -np.inf, u), p, lengths, None, latent)
    value, gradient = engines.chain_loss(u, p, y, rho, temperature, lengths)
    assert np.allclose(value, free - clamped, atol=1e-12)
    for found, a, b in zip(gradient, more, less):
        assert np.allclose(found, a - b, atol=1e-12)
    assert np.array_equal(value, engines.chain_loss(u, p, y, rho, temperature, lengths, n_jobs=3)[0])
    small = engines.chain_loss(u.astype(np.float32), p.astype(np.float32), y, rho, temperature, lengths)[0]
    assert small.dtype == np.float32 and np.allclose(small, value, atol=1e-4)
    for odd, sentence in ((y + 3, "labels are from 0 to 2"), (y[:, :2], "shape")):
        with pytest.raises(ValueError, match=sentence):
            engines.chain_loss(u, p, odd)


def test_graph_samples_are_as_frequent_as_they_are_probable(rng):
    u, edges, p = rng.normal(size=(4, 3)), [[0, 1], [1, 2], [2, 3], [3, 0]], rng.normal(size=(4, 3, 3))
    u[1, 2] = -np.inf
    for temperature in (1.0, 0.5):
        drawn = engines.graph_samples(u, edges, p, 4000, temperature)
        assert drawn.shape == (4000, 4) and not np.any(drawn[:, 1] == 2)
        expected = engines.graph(u, edges, p, temperature=temperature)[1].unary
        found = np.stack([(drawn == k).mean(axis=0) for k in range(3)], axis=1)
        assert np.all(np.abs(found - expected) < 5 * np.sqrt(expected * (1 - expected) / 4000) + 1e-12)
    assert np.array_equal(engines.graph_samples(u, edges, p, 9, random_state=4), engines.graph_samples(u, edges, p, 9, random_state=4))
    with pytest.raises(ValueError, match="temperature"):
        engines.graph_samples(u, edges, p, 3, 0.0)
    with pytest.raises(ValueError, match="goes from 0 to 9"):
        engines.graph_samples(u, [[0, 9]], p[:1], 3)


def test_chain_argmax_nbest_and_samples(rng):
    u, p = rng.normal(size=(3, 4, 3)), rng.normal(size=(3, 3))
    label, score = engines.chain_argmax(u, p, lengths=[4, 2, 3])
    assert label[1, 2] == -1 and np.array_equal(label, engines.chain_argmax(u, p, lengths=[4, 2, 3], n_jobs=2)[0])
    listed = sorted(((chain_score(u[0], p, s), s) for s in itertools.product(range(3), repeat=4)), reverse=True)
    assert tuple(label[0]) == listed[0][1] and np.isclose(score[0], listed[0][0])
    best, scores = engines.chain_nbest(u[0], p, 10)
    assert [tuple(s) for s in best] == [s for _, s in listed[:10]] and np.allclose(scores, [v for v, _ in listed[:10]])
    drawn = engines.chain_samples(u[0], p, 20000, temperature=0.7, random_state=4)
    exact = engines.chain(u[:1], p, temperature=0.7)[1].unary[0]
    share = np.stack([(drawn == k).mean(axis=0) for k in range(3)], axis=1)
    assert np.abs(share - exact).max() < 5 * 0.5 / np.sqrt(20000)


@pytest.mark.parametrize("temperature", [0, 1, 0.3])
def test_context_chain_is_enumeration(rng, temperature):
    u, p = rng.normal(size=(1, 5, 3)), rng.normal(size=(3, 3))
    ngrams, g = [(0, 1, 2), (2, 1, 0), (1, 1, 1), (0, 1, 2, 0)], rng.normal(size=4)

    def score(u, p, g, s):
        seen = sum(g[i] * sum(s[t : t + len(n)] == n for t in range(len(s))) for i, n in enumerate(ngrams))
        return chain_score(u, p, s) + seen

    def value(u, p, g):
        return smooth([score(u, p, g, s) for s in itertools.product(range(3), repeat=5)], temperature)

    found, counts = engines.context_chain(u, p, ngrams, g, temperature=temperature)
    assert np.isclose(found[0], value(u[0], p, g), atol=1e-10)
    assert np.allclose(counts.unary[0], gradient(lambda x: value(x, p, g), u[0]), atol=1e-5)
    assert np.allclose(counts.pairwise[0], gradient(lambda x: value(u[0], x, g), p), atol=1e-5)
    assert np.allclose(counts.ngrams[0], gradient(lambda x: value(u[0], p, x), g), atol=1e-5)


@pytest.mark.parametrize("temperature", [0, 1, (0, 1)])
def test_graph_is_enumeration(rng, temperature):
    edges = np.array([[0, 1], [1, 2], [2, 0], [2, 3]])
    u, p, hidden = rng.normal(size=(4, 2)), rng.normal(size=(4, 2, 2)), np.array([0, 0, 1, 0], dtype=bool)
    output, latent = temperature if isinstance(temperature, tuple) else (temperature, temperature)

    def value(u, p):
        def score(s):
            return sum(u[i, k] for i, k in enumerate(s)) + sum(p[e][s[a], s[b]] for e, (a, b) in enumerate(edges))
        return enumerated(score, [2] * 4, hidden, output, latent)

    found, answer = engines.graph(u, edges, p, hidden=hidden, temperature=temperature)
    assert answer.exact and answer.way == "elimination" and np.isclose(found, value(u, p), atol=1e-10)
    assert np.allclose(answer.unary, gradient(lambda x: value(x, p), u), atol=1e-5)
    assert np.allclose(answer.pairwise, gradient(lambda x: value(u, x), p), atol=1e-5)


def test_graph_says_when_it_is_not_exact(rng):
    side = 6
    place = np.arange(side * side).reshape(side, side)
    edges = np.r_[np.c_[place[:, :-1].ravel(), place[:, 1:].ravel()], np.c_[place[:-1].ravel(), place[1:].ravel()]]
    _, answer = engines.graph(rng.normal(size=(36, 3)), edges, rng.normal(size=(3, 3)), max_cells=0)
    assert not answer.exact and answer.way != "elimination"


def test_choice_and_top_k(rng):
    x = rng.normal(size=(3, 5))
    value, share = engines.choice(x, temperature=0.5)
    assert np.allclose(value, [smooth(row, 0.5) for row in x]) and np.allclose(share.sum(axis=1), 1)
    assert np.array_equal(engines.choice(x, temperature=0)[1].argmax(axis=1), x.argmax(axis=1))
    value, used = engines.top_k(x, 2)
    assert np.allclose(value, np.sort(x, axis=1)[:, -2:].sum(axis=1)) and np.all(used.sum(axis=1) == 2)
    value, used = engines.top_k(x, 2, temperature=1.0)
    sums = [smooth([row[a] + row[b] for a, b in itertools.combinations(range(5), 2)], 1) for row in x]
    assert np.allclose(value, sums) and np.allclose(used.sum(axis=1), 2)
    value, _ = engines.top_k(x, [1.0, 0.5])
    assert np.allclose(value, np.sort(x, axis=1)[:, -1] + 0.5 * np.sort(x, axis=1)[:, -2])


def partitions(n):
    def grow(y):
        if len(y) == n:
            yield tuple(y)
        else:
            for k in range(max(y, default=-1) + 2):
                yield from grow([*y, k])
    return grow([])


def test_clusters_and_forests_are_enumeration(rng):
    table = rng.normal(size=(5, 5))
    value, answer = engines.clusters(table)
    score = lambda y: sum(table[i, j] for j in range(5) for i in range(j) if y[i] == y[j])
    best = max(partitions(5), key=score)
    assert answer.exact and np.isclose(value, score(best)) and tuple(answer.labels) == best
    value, answer = engines.spanning_forest(table)
    pairs = [(i, j) for j in range(5) for i in range(j)]
    most = 0.0
    for links in itertools.product((0, 1), repeat=10):
        root = list(range(5))
        fine = True
        for used, (i, j) in zip(links, pairs):
            if used:
                a, b = root[i], root[j]
                fine = fine and a != b
                root = [a if r == b else r for r in root]
        if fine:
            most = max(most, sum(table[i, j] for used, (i, j) in zip(links, pairs) if used))
    assert np.isclose(value, most)


@pytest.mark.parametrize("call, sentence", [
    (lambda: engines.chain(np.zeros((2, 3)), np.zeros((3, 3))), "3 dimensions"),
    (lambda: engines.chain(np.zeros((1, 2, 3)), np.zeros((2, 2))), "pairwise"),
    (lambda: engines.chain(np.full((1, 2, 2), np.nan), np.zeros((2, 2))), "nan"),
    (lambda: engines.chain(np.zeros((1, 2, 2)), np.full((2, 2), np.inf)), "inf"),
    (lambda: engines.chain(np.zeros((1, 2, 2)), np.zeros((2, 2)), lengths=[3]), "length of example 0"),
    (lambda: engines.chain(np.zeros((1, 2, 2)), np.zeros((2, 2)), lengths=[1, 1]), "2 lengths"),
    (lambda: engines.chain(np.zeros((1, 2, 2)), np.zeros((2, 2)), temperature=-1), "temperature"),
    (lambda: engines.chain(np.zeros((1, 0, 2)), np.zeros((2, 2))), "empty"),
    (lambda: engines.chain(np.zeros((1, 2, 2)), np.zeros((2, 2)), hidden=np.zeros((1, 3))), "hidden"),
    (lambda: engines.graph(np.zeros((2, 2)), [[0, 5]], np.zeros((2, 2))), "edge 0"),
    (lambda: engines.graph(np.zeros((2, 2)), [[0, 1], [1, 0]], np.zeros((2, 2))), "same nodes"),
    (lambda: engines.graph(np.zeros((2, 2)), [[0, 1]], np.zeros((2, 2)), odd=1), "odd"),
    (lambda: engines.context_chain(np.zeros((1, 2, 2)), np.zeros((2, 2)), [(0, 1)], [1.0]), "n-gram"),
    (lambda: engines.top_k(np.zeros((1, 2)), 3), "3 places"),
    (lambda: engines.clusters(np.zeros((2, 3))), "square"),
    (lambda: engines.clusters(np.zeros(4)), "pairs"),
])
def test_bad_arrays_are_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("temperature", [0.0, 1.0, (0.0, 1.0), (1.0, 0.0)])
def test_where_everything_is_forbidden_nothing_is_counted(temperature):
    """The last position, or pair, admits nothing; the first would have labels."""
    u, p = np.zeros((1, 3, 2)), np.zeros((2, 2))
    u[0, 2] = -np.inf
    hidden, steps = np.array([[False, True, False]]), np.stack([p, p])
    one = temperature if np.ndim(temperature) == 0 else temperature[0]
    answers = [engines.chain(u, p, None, hidden, temperature), engines.chain(u, steps, None, hidden, temperature),
               engines.graph(u[0], [[0, 1], [1, 2]], p, hidden[0], temperature)[0:2],
               engines.context_chain(u, p, [(0, 0, 0)], [1.0], None, None, one), engines.trees(np.full((1, 3, 3), -np.inf), None, one)]
    answers += [engines.top_k(np.array([[0.0, -np.inf]]), 2, one), engines.choice(np.full((1, 2), -np.inf), one)]
    for value, counts in answers:
        assert np.all(np.asarray(value) == -np.inf)
        for table in ([counts] if isinstance(counts, np.ndarray) else counts[: 2 if hasattr(counts, "labels") else None]):
            assert not np.any(table) and not np.any(np.isnan(table))
    assert engines.chain_argmax(u, p)[0].tolist() == engines.chain_argmax(u, steps)[0].tolist() == [[-1, -1, -1]]
    assert engines.graph(u[0], [[0, 1], [1, 2]], p, None, temperature)[1].labels.tolist() == [-1, -1, -1]
    with pytest.raises(ValueError, match="every structure is forbidden"):
        engines.graph_samples(u[0], [[0, 1], [1, 2]], p, 3)
    value, counts = engines.chain_loss(u, p, [[0, 0, 0]], 1.0, temperature)
    assert not np.isfinite(value[0]) and np.all(counts.unary >= -1)


def test_labels_behind_the_end_are_of_no_account():
    u, p = np.zeros((2, 3, 2)), np.zeros((2, 2))
    value, _ = engines.chain_loss(u, p, [[0, 1, 99], [0, 1, 1]], lengths=[2, 3])
    assert np.allclose(value, [np.log(4), np.log(8)])
    with pytest.raises(ValueError, match="example 1 has the label 2: labels are from 0 to 1"):
        engines.chain_loss(u, p, [[0, 1, 0], [0, 2, 1]])


def test_limits_of_graphs_may_be_infinite():
    u, edges, p = np.zeros((3, 2)), [[0, 1], [1, 2], [2, 0]], np.zeros((2, 2))
    value, answer = engines.graph(u, edges, p, max_cells=np.inf, max_sweeps=np.inf)
    assert answer.exact and np.isclose(value, 3 * np.log(2))
    assert np.isfinite(engines.graph(u, edges, p, max_cells=1, max_sweeps=np.inf)[0])
