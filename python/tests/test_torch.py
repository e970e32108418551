"""Layers for torch: gradients by differences, losses by enumeration."""

import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: python/test_torch installs it and runs this")

from test_engine_lists import WITH_LABELS, labelled_trees, losses_of_labelled_trees, losses_of_trees  # noqa: E402

import hinge.torch as layers  # noqa: E402
from hinge import engines  # noqa: E402


@pytest.fixture
def parts():
    generator = torch.Generator().manual_seed(3)
    u = torch.randn(3, 4, 3, dtype=torch.float64, generator=generator, requires_grad=True)
    p = torch.randn(3, 3, dtype=torch.float64, generator=generator, requires_grad=True)
    return u, p, torch.tensor([[0, 1, 2, 0], [2, 2, 1, 0], [1, 0, 0, 2]])


def smooth(values, t):
    values = np.asarray(values)
    return values.max() if t == 0 else values.max() + t * np.log(np.exp((values - values.max()) / t).sum())


@pytest.mark.parametrize("temperature", [1.0, 0.3, (0.5, 1.0)])
@pytest.mark.parametrize("lengths", [None, [4, 2, 3]])
def test_gradients_of_chains(parts, temperature, lengths):
    u, p, _ = parts
    hidden = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]], dtype=bool)
    assert torch.autograd.gradcheck(lambda a, b: layers.chain(a, b, lengths, hidden, temperature), (u, p), atol=1e-5)


def test_gradients_of_steps(parts):
    u, _, _ = parts
    for shape in ((3, 3, 3), (3, 3, 3, 3)):
        steps = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(lambda a, b: layers.chain(a, b, [4, 2, 3]), (u, steps), atol=1e-5)


@pytest.mark.parametrize("shape", [(3, 3), (3, 3, 3), (3, 3, 3, 3)])
def test_predictions_of_steps(parts, shape):
    u, _, y = parts
    p, n = torch.randn(shape, dtype=torch.float64), torch.tensor([4, 2, 3])
    best, (score, path) = layers.argmax(u, p, n), layers.nbest(u, p, 4, n)
    assert torch.equal(best, path[:, 0]) and torch.all(score[:, :-1] >= score[:, 1:])
    drawn = layers.samples(u, p, 3, n)
    assert drawn.shape == (3, 3, 4) and torch.all((drawn >= 0) == (torch.arange(4) < n[:, None])[:, None])
    assert torch.allclose(layers.marginals(u, p, n).sum(-1), (torch.arange(4) < n[:, None]).double())
    for method in ("crf", "ssvm", "mssvm"):
        assert torch.all(layers.structured_loss(u, p, y, method=method, lengths=n) >= -1e-12)


@pytest.mark.parametrize("local", [False, True])
def test_gradients_of_alignments(local):
    match = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    gaps = [torch.tensor(gap, dtype=torch.float64, requires_grad=True) for gap in (-0.7, -0.2)]
    body = lambda m, a, b: layers.alignment(m, a, b, [[3, 4], [2, 3]], local, 0.5)
    assert torch.autograd.gradcheck(body, (match, *gaps), atol=1e-5)
    assert layers.alignment(match.float()).dtype == torch.float32


def test_gradients_of_trees():
    spans = torch.randn(2, 4, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: layers.trees(s, [4, 3], 0.5), (spans,), atol=1e-5)


@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin"])
@pytest.mark.parametrize("known", ["all", "some"])
def test_losses_of_trees_are_enumeration(method, known, rng):
    rho, t, _ = layers.METHODS[method]
    scores, spans, expected = losses_of_trees(rho, t, known, rng)
    assert np.allclose(layers.trees_loss(torch.as_tensor(scores), torch.as_tensor(spans), method=method), expected)
    if t:
        x = torch.tensor(scores, requires_grad=True)
        assert torch.autograd.gradcheck(lambda s: layers.trees_loss(s, spans, method), (x,), atol=1e-5)
    shorter = np.full((2, 5, 5), 7)
    shorter[:, :3, :3] = 0
    shorter[:, 1, 2] = 1
    assert torch.allclose(layers.trees_loss(torch.as_tensor(scores), torch.as_tensor(shorter), method, [3, 3]),
                          layers.trees_loss(torch.as_tensor(scores[:, :3, :3]), torch.as_tensor(shorter[:, :3, :3]), method))
    margin = lambda method: layers.trees_loss(torch.as_tensor(scores), torch.as_tensor(spans), method=method)
    if known == "all":  # nothing is left to sum over
        assert torch.allclose(margin("mssvm"), margin("ssvm"))
    else:
        with pytest.raises(ValueError, match="example 0: nobody knows whether the span .* have losses of one temperature"):
            margin("mssvm")
    with pytest.raises(ValueError, match="spans has the shape"):
        layers.trees_loss(torch.as_tensor(scores), torch.as_tensor(spans[:, :3]))


@pytest.mark.parametrize("method, temperature", WITH_LABELS)
def test_losses_of_trees_with_labels_are_enumeration(method, temperature, rng):
    """Where the labels of some spans are hidden: at one temperature and at two."""
    scores, spans, label, lengths = problem = labelled_trees(rng)
    body = lambda s, labels=torch.as_tensor(label): layers.trees_loss(s, torch.as_tensor(spans), method, torch.tensor(lengths), temperature, labels=labels)
    rho, output, latent = layers.method_of(method, temperature)
    x = torch.tensor(scores, requires_grad=True)
    found = body(x)
    assert np.allclose(found.detach(), losses_of_labelled_trees(problem, rho, output, latent))
    assert torch.isfinite(torch.autograd.grad(found.sum(), x)[0]).all()  # beside what is none of its numbers
    x = torch.tensor(np.nan_to_num(scores), requires_grad=True)
    assert torch.autograd.gradcheck(body, (x,), atol=1e-5)
    assert torch.allclose(body(x.float(), label).double(), body(x), atol=1e-4)
    everything = np.full_like(label, -1)
    assert torch.allclose(body(x, None), body(x, everything))
    assert np.allclose(body(x, None).detach(), losses_of_labelled_trees((scores, spans, everything, lengths), rho, output, latent))
    if output == latent:
        spans[:2, 0, 1] = spans[:2, 1, 2] = spans[:2, 2, 3] = -1
        spans[:2, 0, 2] = spans[:2, 1, 3] = -1
        assert np.allclose(body(x).detach(), losses_of_labelled_trees(problem, rho, output, latent))


def test_labels_of_spans(rng):
    scores, _, label, lengths = labelled_trees(rng)
    x = torch.tensor(np.nan_to_num(scores), requires_grad=True)
    value, counts = engines.trees(scores, lengths, (0.0, 1.0), hidden=label < 0)
    found = layers.trees(x, lengths, (0.0, 1.0), hidden=torch.as_tensor(label < 0))
    assert np.allclose(found.detach(), value) and np.allclose(torch.autograd.grad(found.sum(), x)[0], counts)
    forbidden = x.detach().clone()
    forbidden[:, 0, 1] = -torch.inf
    for temperature in (0.0, 1.0):
        used = torch.autograd.grad(layers.trees(forbidden.requires_grad_(), lengths, temperature).sum(), forbidden)[0]
        assert torch.isfinite(used).all() and not used[:, 0, 1].any()


@pytest.mark.parametrize("change, sentence", [
    (dict(labels=lambda y: y.float()), "labels are of the type"), (dict(labels=lambda y: y[:1]), "labels has the shape"),
    (dict(labels=lambda y: y + 5), r"example 0: the span \(0, 0\) has the label"), (dict(scores=lambda s: s[..., 0]), "labels are of spans with labels"),
    (dict(scores=lambda s: s[..., :0]), "no labels"), (dict(scores=lambda s: s[:, :3]), "scores has the shape"),
    (dict(spans=lambda y: -torch.ones_like(y)), "example 0: nobody knows whether the span"), (dict(spans=torch.zeros_like), "example 0: no binary tree"),
])
def test_what_losses_of_trees_with_labels_refuse(change, sentence, rng):
    scores, spans, label, lengths = labelled_trees(rng)
    given = dict(scores=torch.as_tensor(scores), spans=torch.as_tensor(spans), labels=torch.as_tensor(label), method="mssvm", lengths=lengths)
    with pytest.raises(ValueError, match=sentence):
        layers.trees_loss(**{**given, **{name: change(given[name]) for name, change in change.items()}})


@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin", "mssvm"])
def test_losses_are_enumeration(parts, method):
    u, p, y = parts
    y = y.clone()
    if method == "mssvm":
        y[0, 1] = -1
    found = layers.structured_loss(u, p, y, method=method)
    rho, output, latent = layers.METHODS[method]
    a, b = u.detach().numpy(), p.detach().numpy()
    for i in range(3):
        truth = y[i].numpy()
        groups, admitted = {}, []
        for s in itertools.product(range(3), repeat=4):
            score = sum(a[i, t, k] for t, k in enumerate(s)) + sum(b[x, z] for x, z in zip(s, s[1:]))
            errors = sum(k != t for k, t in zip(s, truth) if t >= 0)
            groups.setdefault(tuple(k for k, t in zip(s, truth) if t >= 0), []).append(score + rho * errors)
            if all(k == t for k, t in zip(s, truth) if t >= 0):
                admitted.append(score)
        expected = smooth([smooth(each, latent) for each in groups.values()], output) - smooth(admitted, latent)
        assert np.isclose(found[i].item(), expected, atol=1e-9)


def test_losses_and_paths_are_those_of_pytorch_crf(parts):
    """docs/python/from-others.md says how; weights of first and last labels are added to the emissions."""
    torchcrf = pytest.importorskip("torchcrf", reason="pytorch-crf is not installed")
    u, _, y = parts
    torch.manual_seed(4)
    theirs = torchcrf.CRF(3, batch_first=True).double()
    lengths = torch.tensor([4, 2, 3])
    mask = torch.arange(4) < lengths[:, None]
    ends = u.clone()
    ends[:, 0] += theirs.start_transitions
    ends[torch.arange(3), lengths - 1] += theirs.end_transitions
    found = layers.structured_loss(ends, theirs.transitions, y, method="crf", lengths=lengths).sum()
    expected = -theirs(u, y, mask=mask)
    assert torch.allclose(found, expected)
    parameters = [u, *theirs.parameters()]
    for one, other in zip(torch.autograd.grad(found, parameters, retain_graph=True), torch.autograd.grad(expected, parameters)):
        assert torch.allclose(one, other, atol=1e-9)
    paths = layers.argmax(ends, theirs.transitions, lengths)
    assert [row[: len(path)].tolist() for row, path in zip(paths, theirs.decode(u, mask=mask))] == theirs.decode(u, mask=mask)


def test_it_learns(parts):
    """A table of emissions is learned from its labels by every loss."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(0, 5, (20, 6), generator=generator)
    y = x % 3
    for method in ("crf", "ssvm", "softmax-margin", "mssvm"):
        table, p = torch.zeros(5, 3, requires_grad=True), torch.zeros(3, 3, requires_grad=True)
        optimiser = torch.optim.Adam([table, p], lr=0.1)
        for _ in range(60):
            optimiser.zero_grad()
            layers.structured_loss(table[x], p, y, method=method).mean().backward()
            optimiser.step()
        assert (layers.argmax(table[x], p) == y).float().mean() > 0.95, method


def test_float32_marginals_and_bad_input(parts):
    u, p, y = parts
    small = layers.structured_loss(u.float(), p.float(), y)
    assert small.dtype == torch.float32 and torch.allclose(small.double(), layers.structured_loss(u, p, y), atol=1e-4)
    assert torch.allclose(layers.marginals(u, p).sum(-1), torch.ones(3, 4, dtype=torch.float64))
    with pytest.raises(ValueError, match="method"):
        layers.structured_loss(u, p, y, method="svm")
    for tables in (p, p.expand(3, 3, 3)):
        with pytest.raises(ValueError, match="example 0 has the label 3: labels are from 0 to 2"):
            layers.structured_loss(u, tables, y + 3)
        padded = y.clone()
        padded[:, 2:] = 99
        assert torch.allclose(layers.structured_loss(u, tables, padded, lengths=[2, 2, 2]), layers.structured_loss(u, tables, y, lengths=[2, 2, 2]))
    with pytest.raises(ValueError, match="shape"):
        layers.structured_loss(u, p, y[:, :2])
    with pytest.raises(RuntimeError):
        value = layers.chain(u, p).sum()
        first = torch.autograd.grad(value, u, create_graph=True)[0].sum()
        first.backward()


@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin", "mssvm"])
def test_losses_of_graphs(parts, method):
    """A graph that is a chain has the chain's loss and gradients; one with a ring those by differences."""
    u, p, y = parts
    y = y.clone()
    y[0, 1] = -1
    edges = torch.tensor([[0, 1], [1, 2], [2, 3]])
    a = layers.structured_loss(u[:1], p, y[:1], method=method).sum()
    b = layers.graph_loss(u[0], edges, p, y[0], method=method)
    assert torch.allclose(a, b)
    for one, other in zip(torch.autograd.grad(a, (u, p)), torch.autograd.grad(b, (u, p))):
        assert torch.allclose(one, other, atol=1e-9)
    ring = torch.tensor([[0, 1], [1, 2], [2, 3], [3, 0]])
    tables = torch.randn(4, 3, 3, dtype=torch.float64, requires_grad=True)
    if method in ("crf", "softmax-margin"):
        assert torch.autograd.gradcheck(lambda x, z: layers.graph_loss(x, ring, z, y[0], method=method),
                                        (u.detach()[0].requires_grad_(), tables), atol=1e-5)


@pytest.mark.parametrize("name", ["crf", "ssvm", "mssvm", "trees", "grid", "graph"])
def test_compiling_around_a_layer_changes_nothing(name):
    torch.manual_seed(0)
    y, w, n = torch.randint(0, 3, (4, 6)), torch.randn(3, 3), torch.tensor([6, 3, 1, 5])
    loss, shape = {
        "trees": (lambda x: layers.trees(x).mean(), (2, 5, 5)),
        "grid": (lambda x: layers.grid(x, w, w).mean(), (2, 3, 3, 3)),
        "graph": (lambda x: layers.graph_loss(x, torch.tensor([[0, 1], [1, 2]]), w.expand(2, 3, 3), y[0, :3]), (3, 3)),
    }.get(name, (lambda x: layers.structured_loss(x, w, y, method=name, lengths=n).mean(), (4, 6, 3)))
    seen = torch.randn(shape, requires_grad=True)
    expected = seen.detach().clone().requires_grad_()
    torch.compiler.reset()
    torch.compile(lambda x: loss(2 * x + 1), backend="aot_eager")(seen).backward()
    loss(2 * expected + 1).backward()
    assert torch.equal(seen.grad, expected.grad)


needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU: bench/gpu/chain checks the kernels where there is one")


@needs_gpu
@pytest.mark.parametrize("method", ["crf", "ssvm", "softmax-margin", "mssvm"])
@pytest.mark.parametrize("hide", [False, True])
def test_the_gpu_gives_what_the_cpu_gives(method, hide):
    generator = torch.Generator().manual_seed(5)
    u, p = torch.randn(4, 7, 5, generator=generator), torch.randn(5, 5, generator=generator)
    y, n = torch.randint(0, 5, (4, 7), generator=generator), torch.tensor([7, 3, 1, 5])
    if hide:
        y[0, 2:5] = -1
    found = {}
    for device in ("cpu", "cuda"):
        a, b = (x.to(device).requires_grad_() for x in (u, p))
        loss = layers.structured_loss(a, b, y.to(device), method=method, lengths=n.to(device))
        loss.sum().backward()
        found[device] = [x.cpu() for x in (loss.detach(), a.grad, b.grad, layers.argmax(a, b, n), layers.marginals(a, b, n))]
    for cpu, cuda in zip(found["cpu"], found["cuda"]):
        assert torch.allclose(cpu, cuda, atol=1e-4)


def test_batches_of_graphs(parts):
    """Each has the loss that it has alone, and its part of the gradient; edges and tables are of all or of each."""
    u, p, y = parts
    chain, ring = torch.tensor([[0, 1], [1, 2], [2, 3]]), torch.tensor([[0, 1], [1, 2], [2, 3], [3, 0]])
    alone = torch.stack([layers.graph_loss(u[i], chain, p, y[i]) for i in range(3)])
    assert torch.allclose(layers.graph_loss(u, chain, p, y), alone)
    assert torch.allclose(layers.graph_loss(u, torch.stack([chain] * 3), torch.stack([torch.stack([p] * 3)] * 3), y), alone)
    mixed = layers.graph_loss([u[0], u[1][:3]], [ring, chain[:2]], [p, 2 * p], [y[0], y[1][:3]], "ssvm")
    assert torch.allclose(mixed[1], layers.graph_loss(u[1][:3], chain[:2], 2 * p, y[1][:3], "ssvm"))
    assert torch.autograd.gradcheck(lambda a, b: layers.graph_loss(a, ring, b, y), (u, p), atol=1e-5)
    with pytest.raises(ValueError, match="graph 1: node 2 has the label 3"):
        layers.graph_loss(u, chain, p, torch.where(torch.arange(12).view(3, 4) == 6, 3, y))
    with pytest.raises(ValueError, match="graph 2: a score of example 0 is nan"):
        layers.graph_loss(torch.where(torch.arange(3)[:, None, None] == 2, torch.nan, u), chain, p, y)
    with pytest.raises(ValueError, match="3 graphs, but labels of 2"):
        layers.graph_loss(u, chain, p, y[:2])


def test_labels_are_whole_numbers(parts):
    u, p, y = parts
    with pytest.raises(ValueError, match="labels are of the type torch.float"):
        layers.structured_loss(u, p, y + 0.5)


@pytest.mark.parametrize("shape", [(3, 3), (3, 3, 3)])
def test_an_empty_batch_has_no_losses(shape):
    for method in ("crf", "ssvm", "mssvm"):
        labels = torch.zeros((0, 4), dtype=torch.long)
        assert layers.structured_loss(torch.zeros((0, 4, 3)), torch.zeros(shape), labels, method=method).shape == (0,)


def test_whole_numbers_as_scores_and_lists_as_labels():
    """Values are not cut off to whole numbers."""
    u, p, edges = torch.ones(1, 3, 2), torch.zeros(2, 2), [[0, 1], [1, 2]]
    y, values = [[0, 1, 0]], [layers.chain, lambda a, b: layers.structured_loss(a, b, y), lambda a, b: layers.graph(a[0], edges, b)[None],
                              lambda a, b: layers.graph_loss(a[0], edges, b, y[0])[None], lambda a, b: layers.grid(a[:, None], b, b),
                              lambda a, b: layers.grid_loss(a[:, None], b, b, [y]), lambda a, b: layers.alignment(a),
                              lambda a, b: layers.trees(a[..., None].expand(1, 3, 2, 2)[:, :2]), lambda a, b: layers.trees(a[:, :2])]
    for value in values:
        expected = value(u, p)
        assert torch.allclose(value(u.int(), p.int()), expected)


@pytest.mark.parametrize("call, error, sentence", [
    (lambda u, p, y: layers.structured_loss(u, p, y, lengths=y >= 0), ValueError, r"lengths has the shape \(3, 4\): give how many .* mask.sum"),
    (lambda u, p, y: layers.structured_loss(u.detach().numpy(), p, y), TypeError, "scores are a ndarray, where a tensor"),
    (lambda u, p, y: layers.grid_loss(u[:, None], p, p, y[:, None] + 7), ValueError, "example 0 has the label 7"),
    (lambda u, p, y: layers.trees(u[..., :1, None].expand(3, 4, 4, 2), hidden=y), ValueError, "hidden has the shape"),
    (lambda u, p, y: layers.alignment(u, lengths=[4, 4, 4]), ValueError, "lengths has the shape .* both lengths"),
])
def test_mistakes_are_named(parts, call, error, sentence):
    with pytest.raises(error, match=sentence):
        call(*parts)
