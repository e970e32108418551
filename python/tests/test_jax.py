"""Layers for JAX: gradients by differences, values as those of the engines and of torch's formulas."""

import itertools

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed: python/test_jax installs it and runs this")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

from test_engine_lists import WITH_LABELS, labelled_trees, losses_of_labelled_trees, losses_of_trees  # noqa: E402

import hinge.jax as layers  # noqa: E402
from hinge import engines  # noqa: E402


@pytest.fixture
def parts(rng):
    y = np.array([[0, 1, 2, 0], [2, 2, 1, 0], [1, 0, 0, 2]])
    return jnp.asarray(rng.normal(size=(3, 4, 3))), jnp.asarray(rng.normal(size=(3, 3))), y


def smooth(values, t):
    values = np.asarray(values)
    return values.max() if t == 0 else values.max() + t * np.log(np.exp((values - values.max()) / t).sum())


@pytest.mark.parametrize("temperature", [1.0, 0.3, (0.5, 1.0)])
@pytest.mark.parametrize("lengths", [None, [4, 2, 3]])
def test_gradients_of_chains(parts, rng, temperature, lengths):
    u, p, _ = parts
    hidden = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]], dtype=bool)
    body = lambda a, b: layers.chain(a, b, lengths, hidden, temperature)
    check_grads(body, (u, p), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    expected, counts = engines.chain(np.asarray(u), np.asarray(p), lengths, hidden, temperature)
    assert np.allclose(jax.jit(body)(u, p), expected)
    assert np.allclose(jax.grad(lambda a: body(a, p).sum())(u), counts.unary)
    steps = jnp.asarray(rng.normal(size=(3, 3, 3)))
    check_grads(lambda a, b: layers.chain(a, b), (u, steps), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin", "mssvm"])
def test_losses_are_enumeration(parts, method):
    u, p, y = parts
    y = y.copy()
    y[0, 1] = -1
    found = jax.jit(lambda a, b, c: layers.structured_loss(a, b, c, method=method))(u, p, y)
    rho, output, latent = layers.METHODS[method]
    a, b = np.asarray(u), np.asarray(p)
    for i in range(3):
        groups, admitted = {}, []
        for s in itertools.product(range(3), repeat=4):
            score = sum(a[i, t, k] for t, k in enumerate(s)) + sum(b[x, z] for x, z in zip(s, s[1:]))
            errors = sum(k != t for k, t in zip(s, y[i]) if t >= 0)
            groups.setdefault(tuple(k for k, t in zip(s, y[i]) if t >= 0), []).append(score + rho * errors)
            if all(k == t for k, t in zip(s, y[i]) if t >= 0):
                admitted.append(score)
        expected = smooth([smooth(each, latent) for each in groups.values()], output) - smooth(admitted, latent)
        assert np.isclose(found[i], expected, atol=1e-9)


def test_graphs(parts, rng):
    u, p, y = parts
    chain, ring = np.array([[0, 1], [1, 2], [2, 3]]), np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    for method in ("crf", "ssvm", "mssvm"):
        one, other = layers.structured_loss(u[:1], p, y[:1], method=method)[0], layers.graph_loss(u[0], chain, p, y[0], method)
        assert np.isclose(one, other)
    tables = jnp.asarray(rng.normal(size=(4, 3, 3)))
    check_grads(lambda a, b: layers.graph_loss(a, ring, b, y[0]), (u[0], tables), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)


def test_batches_of_graphs(parts, rng):
    """Each has the loss that it has alone, and its part of the gradient; edges and tables are of all or of each."""
    u, p, y = parts
    chain, ring = np.array([[0, 1], [1, 2], [2, 3]]), np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    alone = jnp.stack([layers.graph_loss(u[i], chain, p, y[i]) for i in range(3)])
    assert np.allclose(layers.graph_loss(u, chain, p, y), alone)
    assert np.allclose(layers.graph_loss(u, np.stack([chain] * 3), jnp.stack([jnp.stack([p] * 3)] * 3), y), alone)
    mixed = layers.graph_loss([u[0], u[1][:3]], [ring, chain[:2]], [p, 2 * p], [y[0], y[1][:3]], "ssvm")
    assert np.allclose(mixed, [layers.graph_loss(u[0], ring, p, y[0], "ssvm"), layers.graph_loss(u[1][:3], chain[:2], 2 * p, y[1][:3], "ssvm")])
    check_grads(lambda a, b: layers.graph_loss(a, ring, b, y), (u, p), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    with pytest.raises(ValueError, match="graph 1: node 2 has the label 3"):
        layers.graph_loss(u, chain, p, np.where(np.arange(12).reshape(3, 4) == 6, 3, y))
    for odd in ((u, chain, p, y[:2]), (u, chain, [p, p], y)):
        with pytest.raises(ValueError, match="3 graphs, but .* of 2: give them for each"):
            layers.graph_loss(*odd)


def test_labels_are_whole_numbers(parts):
    u, p, y = parts
    with pytest.raises(ValueError, match="labels are of the type float"):
        layers.structured_loss(u, p, y + 0.5)


def test_trees(rng):
    spans = jnp.asarray(rng.normal(size=(2, 4, 4)))
    body = lambda s: layers.trees(s, [4, 3], 0.5)
    check_grads(body, (spans,), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    expected, counts = engines.trees(np.asarray(spans), [4, 3], 0.5)
    assert np.allclose(jax.jit(body)(spans), expected) and np.allclose(jax.grad(lambda s: body(s).sum())(spans), counts)
    assert layers.trees(spans.astype(jnp.float32)).dtype == jnp.float32


@pytest.mark.parametrize("local", [False, True])
def test_alignments(local, rng):
    match, n = jnp.asarray(rng.normal(size=(2, 3, 4))), [[3, 4], [2, 3]]
    body = lambda m, a, b: layers.alignment(m, a, b, n, local, 0.5)
    check_grads(body, (match, -0.7, -0.2), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    expected, counts = engines.alignment(np.asarray(match), -0.7, -0.2, n, local, 0.5)
    assert np.allclose(jax.jit(body)(match, -0.7, -0.2), expected)
    assert np.allclose(jax.grad(lambda m: body(m, -0.7, -0.2).sum())(match), counts.match)
    assert layers.alignment(match.astype(jnp.float32)).dtype == jnp.float32
    mapped = jax.vmap(lambda m: layers.alignment(m[None], -0.7, -0.2)[0])(match)
    assert np.allclose(mapped, layers.alignment(match, -0.7, -0.2))


@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin"])
@pytest.mark.parametrize("known", ["all", "some"])
def test_losses_of_trees_are_enumeration(method, known, rng):
    rho, t, _ = layers.METHODS[method]
    scores, spans, expected = losses_of_trees(rho, t, known, rng)
    assert np.allclose(layers.trees_loss(jnp.asarray(scores), jnp.asarray(spans), method=method), expected)
    if t:
        check_grads(lambda s: layers.trees_loss(s, spans, method), (jnp.asarray(scores),), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    margin = lambda method: layers.trees_loss(jnp.asarray(scores), jnp.asarray(spans), method=method)
    if known == "all":  # nothing is left to sum over
        assert np.allclose(margin("mssvm"), margin("ssvm"))
    else:
        with pytest.raises(ValueError, match="example 0: nobody knows whether the span .* have losses of one temperature"):
            margin("mssvm")
    with pytest.raises(ValueError, match="spans has the shape"):
        layers.trees_loss(jnp.asarray(scores), jnp.asarray(spans[:, :3]))


@pytest.mark.parametrize("method, temperature", WITH_LABELS)
def test_losses_of_trees_with_labels_are_enumeration(method, temperature, rng):
    """Where the labels of some spans are hidden: at one temperature and at two."""
    scores, spans, label, lengths = problem = labelled_trees(rng)
    body = lambda s, labels=label: layers.trees_loss(s, spans, method, lengths, temperature, labels=labels)
    rho, output, latent = layers.method_of(method, temperature)
    assert np.allclose(jax.jit(body)(scores), losses_of_labelled_trees(problem, rho, output, latent))
    assert np.isfinite(jax.grad(lambda s: body(s).sum())(scores)).all()  # beside what is none of its numbers
    check_grads(body, (np.nan_to_num(scores),), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
    everything = np.full_like(label, -1)
    assert np.allclose(body(scores, None), losses_of_labelled_trees((scores, spans, everything, lengths), rho, output, latent))
    assert body(scores.astype(np.float32)).dtype == jnp.float32


def test_labels_of_spans(rng):
    scores, spans, label, lengths = labelled_trees(rng)
    value, counts = engines.trees(scores, lengths, (0.0, 1.0), hidden=label < 0)
    body = lambda s: layers.trees(s, lengths, (0.0, 1.0), hidden=label < 0)
    assert np.allclose(body(scores), value) and np.allclose(jax.grad(lambda s: body(s).sum())(scores), counts)
    for wrong, sentence in ((dict(labels=label + 5), "example 0: the span"), (dict(scores=scores[..., 0]), "labels are of spans with labels")):
        with pytest.raises(ValueError, match=sentence):
            layers.trees_loss(**{**dict(scores=scores, spans=spans, labels=label, lengths=lengths), **wrong})


def test_steps(parts, rng):
    u, _, _ = parts
    for shape in ((3, 3, 3), (3, 3, 3, 3)):
        steps = jnp.asarray(rng.normal(size=shape))
        check_grads(lambda a, b: layers.chain(a, b, [4, 2, 3]), (u, steps), order=1, modes=["rev"], atol=1e-4, rtol=1e-4)
        assert np.array_equal(layers.argmax(u, steps), engines.chain_argmax(np.asarray(u), np.asarray(steps))[0])


def test_predictions_float32_and_bad_input(parts):
    u, p, y = parts
    assert np.allclose(layers.marginals(u, p).sum(-1), 1)
    assert np.array_equal(jax.jit(layers.argmax)(u, p), engines.chain_argmax(np.asarray(u), np.asarray(p))[0])
    small = layers.structured_loss(u.astype(jnp.float32), p.astype(jnp.float32), y)
    assert small.dtype == jnp.float32 and np.allclose(small, layers.structured_loss(u, p, y), atol=1e-4)
    two = jax.vmap(lambda a: layers.chain(a[None], p)[0])(u)
    assert np.allclose(two, layers.chain(u, p))
    with pytest.raises(ValueError, match="method"):
        layers.structured_loss(u, p, y, method="svm")
    with pytest.raises(ValueError, match="example 0 has the label 3: labels are from 0 to 2"):
        layers.structured_loss(u, p, y + 3)
    with pytest.raises(ValueError, match="shape"):
        layers.structured_loss(u, p, y[:, :2])


def test_it_learns():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (20, 6))
    y = x % 3
    for method in ("crf", "ssvm", "softmax-margin", "mssvm"):
        loss = jax.jit(jax.grad(lambda w: layers.structured_loss(w[0][x], w[1], y, method=method).mean()))
        w = (jnp.zeros((5, 3)), jnp.zeros((3, 3)))
        for _ in range(40):
            w = jax.tree.map(lambda a, g: a - 0.3 * g, w, loss(w))
        assert np.mean(layers.argmax(w[0][x], w[1]) == y) > 0.95, method


def test_an_empty_batch_has_no_losses():
    labels = np.zeros((0, 4), dtype=int)
    assert layers.structured_loss(jnp.zeros((0, 4, 3)), jnp.zeros((3, 3)), labels).shape == (0,)


def test_whole_numbers_as_scores():
    """Values are not cut off to whole numbers."""
    u, p = np.ones((1, 3, 2), dtype=int), np.zeros((2, 2), dtype=int)
    for value in (layers.chain, lambda a, b: layers.structured_loss(a, b, [[0, 1, 0]]), lambda a, b: layers.graph(a[0], [[0, 1], [1, 2]], b),
                  lambda a, b: layers.alignment(a), lambda a, b: layers.trees(a[:, :2])):
        assert np.allclose(value(u, p), value(u.astype(float), p.astype(float)))
