"""Losses of chains, graphs and trees, alignments and predictions as differentiable functions of JAX, computed by the engines on the host::

    loss = structured_loss(emissions, transitions, labels, method="ssvm", lengths=lengths).mean()

The losses are those of ``hinge.torch``. Functions work under ``jit`` and ``vmap`` and differentiate once; float64 needs
``jax_enable_x64``. Arrays of a GPU are copied to the host and back.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import engines
from ._losses import (METHODS, each_graph, graph_batch, method_of, refuse_high_labels, refuse_labels, refuse_labels_of_spans, refuse_open_trees,
                      refuse_other_shape, refuse_scores_of_spans, tree_spans)
from ._optional import optional

jax = optional("jax", "hinge.jax")
jnp = optional("jax.numpy", "hinge.jax")

__all__ = ["METHODS", "alignment", "argmax", "chain", "graph", "graph_loss", "marginals", "structured_loss", "trees", "trees_loss"]


def _called(body: Any, shapes: Any, *arrays: Any) -> Any:
    return jax.pure_callback(body, shapes, *arrays, vmap_method="sequential")


def _numpy(*arrays: Any) -> list[np.ndarray]:
    return [np.asarray(each) for each in arrays]


def _floating(scores: Any) -> Any:
    """Real numbers: values of whole ones would be cut off."""
    scores = jnp.asarray(scores)
    return scores if jnp.issubdtype(scores.dtype, jnp.floating) else scores.astype(jnp.result_type(float))


def _solve_chain(settings: tuple[float, float, int | None], unary: Any, pairwise: Any, lengths: Any, hidden: Any) -> Any:
    output, latent, n_jobs = settings

    def body(*arrays: Any) -> Any:
        u, p, n, h = _numpy(*arrays)
        value, counts = engines.chain(u, p, n, h, (output, latent), n_jobs)
        return tuple(np.asarray(each, dtype=u.dtype) for each in (value, counts.unary, counts.pairwise))

    batch = unary.shape[:1]
    steps = pairwise.shape if pairwise.ndim == 4 else batch + pairwise.shape
    shapes = tuple(jax.ShapeDtypeStruct(shape, unary.dtype) for shape in (batch, unary.shape, steps))
    return _called(body, shapes, unary, pairwise.astype(unary.dtype), lengths, hidden)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _chain(settings: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any) -> Any:
    return _solve_chain(settings, unary, pairwise, lengths, hidden)[0]


def _chain_forward(settings: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any) -> Any:
    value, node, edge = _solve_chain(settings, unary, pairwise, lengths, hidden)
    return value, (node, edge, pairwise)


def _chain_backward(settings: Any, kept: Any, gradient: Any) -> Any:
    node, edge, pairwise = kept
    scaled = gradient.reshape(-1, *[1] * (edge.ndim - 1)) * edge
    return (gradient[:, None, None] * node, (scaled if pairwise.ndim == 4 else scaled.sum(0)).astype(pairwise.dtype),
            None, None)


_chain.defvjp(_chain_forward, _chain_backward)


def chain(unary: Any, pairwise: Any, lengths: Any = None, hidden: Any = None, temperature: Any = 1.0,
          n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.chain`` (batch,), differentiable in unary and pairwise."""
    unary, pairwise = _floating(unary), _floating(pairwise)
    batch, positions = unary.shape[:2]
    lengths = jnp.full(batch, positions) if lengths is None else jnp.asarray(lengths)
    hidden = jnp.zeros((batch, positions), dtype=bool) if hidden is None else jnp.asarray(hidden, dtype=bool)
    return _chain((*engines._temperatures(temperature), n_jobs), unary, pairwise, lengths, hidden)


def structured_loss(unary: Any, pairwise: Any, labels: Any, method: str = "crf", lengths: Any = None,
                    temperature: Any = None, n_jobs: int | None = None) -> Any:
    """The loss of each example (batch,). labels (batch, positions) below 0 are hidden; as ``hinge.torch`` has it."""
    rho, output, latent = method_of(method, temperature)
    unary, labels = _floating(unary), jnp.asarray(labels)
    free, clamped, hidden = _sides(unary, labels, rho, lengths)
    return (chain(free, pairwise, lengths, hidden, (output, latent), n_jobs)
            - chain(clamped, pairwise, lengths, None, (latent, latent), n_jobs))


def _sides(unary: Any, labels: Any, rho: float, lengths: Any = None) -> tuple[Any, Any, Any]:
    """Scores with errors added, scores of what the labels admit, and where they are hidden."""
    refuse_labels(labels.shape, unary.shape, labels.dtype)
    if not isinstance(labels, jax.core.Tracer) and not isinstance(lengths, jax.core.Tracer):
        refuse_high_labels(labels, unary.shape[-1], lengths)
    known = (labels >= 0)[..., None]
    wrong = known & (jnp.arange(unary.shape[-1]) != labels[..., None])
    return unary + rho * wrong.astype(unary.dtype), jnp.where(wrong, -jnp.inf, unary), ~known[..., 0]


def marginals(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """How probable each label is at each position; not differentiable."""
    unary, pairwise = _floating(unary), _floating(pairwise)
    batch, positions = unary.shape[:2]
    lengths = jnp.full(batch, positions) if lengths is None else jnp.asarray(lengths)
    found = _solve_chain((1.0, 1.0, n_jobs), unary, pairwise, lengths, jnp.zeros((batch, positions), dtype=bool))
    return jax.lax.stop_gradient(found[1])


def argmax(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """The best labels (batch, positions), -1 behind the end."""
    unary, pairwise = _floating(unary), _floating(pairwise)
    lengths = jnp.full(unary.shape[0], unary.shape[1]) if lengths is None else jnp.asarray(lengths)

    def body(*arrays: Any) -> Any:
        u, p, n = _numpy(*arrays)
        return engines.chain_argmax(u, p, n, n_jobs)[0].astype(np.int32)

    shape = jax.ShapeDtypeStruct(unary.shape[:2], jnp.int32)
    return _called(body, shape, *(jax.lax.stop_gradient(each) for each in (unary, pairwise)), lengths)


def _solve_graph(settings: Any, unary: Any, edges: Any, pairwise: Any, hidden: Any) -> Any:
    output, latent = settings

    def body(*arrays: Any) -> Any:
        u, e, p, h = _numpy(*arrays)
        value, answer = engines.graph(u, e, p, h, (output, latent))
        return tuple(np.asarray(each, dtype=u.dtype) for each in (value, answer.unary, answer.pairwise))

    tables = (edges.shape[0], *pairwise.shape[-2:])
    shapes = tuple(jax.ShapeDtypeStruct(shape, unary.dtype) for shape in ((), unary.shape, tables))
    return _called(body, shapes, unary, edges, pairwise, hidden)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _graph(settings: Any, unary: Any, edges: Any, pairwise: Any, hidden: Any) -> Any:
    return _solve_graph(settings, unary, edges, pairwise, hidden)[0]


def _graph_forward(settings: Any, unary: Any, edges: Any, pairwise: Any, hidden: Any) -> Any:
    value, node, edge = _solve_graph(settings, unary, edges, pairwise, hidden)
    return value, (node, edge if pairwise.ndim == 3 else edge.sum(0))


def _graph_backward(settings: Any, kept: Any, gradient: Any) -> Any:
    return gradient * kept[0], None, gradient * kept[1], None


_graph.defvjp(_graph_forward, _graph_backward)


def graph(unary: Any, edges: Any, pairwise: Any, hidden: Any = None, temperature: Any = 1.0) -> Any:
    """The value of ``hinge.engines.graph``, differentiable in unary and pairwise."""
    unary, edges, pairwise = _floating(unary), jnp.asarray(edges), _floating(pairwise)
    hidden = jnp.zeros(unary.shape[0], dtype=bool) if hidden is None else jnp.asarray(hidden, dtype=bool)
    return _graph(engines._temperatures(temperature), unary, edges, pairwise, hidden)


def graph_loss(unary: Any, edges: Any, pairwise: Any, labels: Any, method: str = "crf", temperature: Any = None) -> Any:
    """The loss of one graph (nodes, states), edges (edges, 2); labels (nodes,) below 0 are hidden.

    Of several graphs, lists of these or arrays of one dimension more, the loss of each (batch,); edges and pairwise may be the same for all.
    """
    batch = graph_batch(unary, edges, pairwise, labels)
    if batch is not None:
        losses = each_graph(lambda u, e, p, y: graph_loss(u, e, p, y, method, temperature), batch)
        return jnp.stack(losses) if losses else jnp.zeros(0)
    rho, output, latent = method_of(method, temperature)
    free, clamped, hidden = _sides(_floating(unary), jnp.asarray(labels), rho)
    return (graph(free, edges, pairwise, hidden, (output, latent)) - graph(clamped, edges, pairwise, None, (latent, latent)))


def _solve_trees(settings: Any, scores: Any, lengths: Any) -> Any:
    temperature, n_jobs = settings

    def body(*arrays: Any) -> Any:
        s, n = _numpy(*arrays)
        return tuple(each.astype(s.dtype) for each in engines.trees(s, n, temperature, n_jobs))

    shapes = tuple(jax.ShapeDtypeStruct(shape, scores.dtype) for shape in (scores.shape[:1], scores.shape))
    return _called(body, shapes, scores, lengths)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _trees(settings: Any, scores: Any, lengths: Any) -> Any:
    return _solve_trees(settings, scores, lengths)[0]


_trees.defvjp(_solve_trees, lambda settings, counts, gradient: (gradient[:, None, None] * counts, None))


def trees(scores: Any, lengths: Any = None, temperature: Any = 1.0, n_jobs: int | None = None, hidden: Any = None) -> Any:
    """The value of ``hinge.engines.trees`` (batch,), differentiable in the scores of spans (batch, words, words[, labels])."""
    scores = _floating(scores)
    output, latent = engines._temperatures(temperature)
    refuse_scores_of_spans(scores.shape, hidden)
    if scores.ndim == 4:
        scores = _within(scores, lengths)
        if hidden is not None:
            hidden = jnp.asarray(hidden, dtype=bool)
            refuse_other_shape("hidden", hidden.shape, scores.shape[:3])
        free = _smooth(scores, output)
        scores = free if hidden is None or output == latent else jnp.where(hidden, _smooth(scores, latent), free)
    lengths = jnp.full(scores.shape[0], scores.shape[1]) if lengths is None else jnp.asarray(lengths)
    return _trees((output, n_jobs), scores, lengths)


def _within(scores: Any, lengths: Any) -> Any:
    """0 where there is no span, below the diagonal and behind the end, so that nothing comes of what stands there."""
    word = jnp.arange(scores.shape[1])
    ends = scores.shape[1] if lengths is None else jnp.asarray(lengths)[:, None, None]
    return jnp.where(((word[:, None] <= word) & (word < ends))[..., None], scores, 0)


def _smooth(scores: Any, temperature: float) -> Any:
    """T over the last dimension. -inf alone gives -inf, and no gradient."""
    top = jnp.take_along_axis(scores, scores.argmax(-1)[..., None], -1)[..., 0]
    if temperature == 0:
        return top
    at = jnp.maximum(jax.lax.stop_gradient(top), jnp.finfo(scores.dtype).min)
    sum = jnp.exp((scores - at[..., None]) / temperature).sum(-1)
    return jnp.where(sum > 0, at + temperature * jnp.log(jnp.where(sum > 0, sum, 1)), jax.lax.stop_gradient(top))


def trees_loss(scores: Any, spans: Any, method: str = "crf", lengths: Any = None, temperature: Any = None,
               n_jobs: int | None = None, labels: Any = None) -> Any:
    """The loss of trees (batch,), as ``hinge.torch`` has it; spans and labels (batch, words, words) are arrays of their own, not traced."""
    rho, output, latent = method_of(method, temperature)
    scores = _floating(scores)
    refuse_scores_of_spans(scores.shape, labels)
    wrong = tree_spans(spans, scores.shape[:3], lengths)
    if output != latent:
        refuse_open_trees(spans, wrong, lengths)
    if scores.ndim == 3:
        free, clamped, hidden = scores + rho * wrong.astype(scores.dtype), scores, None
    else:
        free, clamped, hidden = _labelled(scores, labels, wrong, rho, latent, lengths)
    return (trees(free, lengths, (output, latent), n_jobs, hidden)
            - trees(jnp.where(wrong, -jnp.inf, clamped), lengths, latent, n_jobs))


def _labelled(scores: Any, labels: Any, wrong: np.ndarray, rho: float, latent: float, lengths: Any) -> tuple[Any, Any, Any]:
    """Scores of labels with errors added, of spans whose labels are right, and where labels are hidden."""
    scores = _within(scores, lengths)
    labels = np.full(wrong.shape, -1) if labels is None else np.asarray(labels)
    refuse_labels_of_spans(labels, scores.shape, lengths)
    hidden = labels < 0
    errors = wrong[..., None] | ~hidden[..., None] & (np.arange(scores.shape[3]) != labels[..., None])
    right = jnp.take_along_axis(scores, np.clip(labels, 0, scores.shape[3] - 1)[..., None], 3)[..., 0]
    return scores + rho * errors.astype(scores.dtype), jnp.where(hidden, _smooth(scores, latent), right), hidden


def _solve_alignment(settings: Any, match: Any, opened: Any, extended: Any, lengths: Any) -> Any:
    local, temperature, n_jobs = settings

    def body(*arrays: Any) -> Any:
        m, a, b, n = _numpy(*arrays)
        value, counts = engines.alignment(m, float(a), float(b), n, local, temperature, n_jobs)
        return tuple(np.asarray(each, dtype=m.dtype) for each in (value, *counts))

    batch = match.shape[:1]
    shapes = tuple(jax.ShapeDtypeStruct(shape, match.dtype) for shape in (batch, match.shape, batch, batch))
    return _called(body, shapes, match, opened, extended, lengths)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _alignment(settings: Any, match: Any, opened: Any, extended: Any, lengths: Any) -> Any:
    return _solve_alignment(settings, match, opened, extended, lengths)[0]


def _alignment_forward(settings: Any, match: Any, opened: Any, extended: Any, lengths: Any) -> Any:
    value, *counts = _solve_alignment(settings, match, opened, extended, lengths)
    return value, counts


def _alignment_backward(settings: Any, kept: Any, gradient: Any) -> Any:
    matched, opens, extends = kept
    return gradient[:, None, None] * matched, gradient @ opens, gradient @ extends, None


_alignment.defvjp(_alignment_forward, _alignment_backward)


def alignment(match: Any, open: Any = 0.0, extend: Any = 0.0, lengths: Any = None, local: bool = False, temperature: float = 1.0,
              n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.alignment`` (batch,), differentiable in match (batch, letters, letters), open and extend."""
    match = _floating(match)
    opened, extended = (jnp.asarray(gap, dtype=match.dtype) for gap in (open, extend))
    lengths = jnp.tile(jnp.asarray(match.shape[1:]), (match.shape[0], 1)) if lengths is None else jnp.asarray(lengths)
    return _alignment((bool(local), engines._temperatures(temperature)[0], n_jobs), match, opened, extended, lengths)
