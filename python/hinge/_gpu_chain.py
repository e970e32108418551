"""Chains on the GPU: value and counts of a batch in one launch (_gpu_kernels.py), and their gradients for autograd.

Sums are float32 whatever the scores are. Nothing here waits for the device.
"""

from __future__ import annotations

from typing import Any

import torch
import triton

from ._gpu_kernels import clamped_kernel, max_kernel, sum_kernel, tiled_max_kernel, tiled_sum_kernel

SAFE = 60.0  # exp(-60) is far above the smallest float32, and its square is lost only beside a term of 1
LARGEST = 512  # labels
TILED = 64  # more labels than this are read in tiles


def _prepared(unary: Any, pairwise: Any, lengths: Any) -> tuple[Any, Any, Any, bool, tuple[int, ...]]:
    batch, positions, labels = unary.shape
    if labels > LARGEST:
        raise ValueError(f"{labels} labels are more than the {LARGEST} that the GPU's chains take.")
    if unary.stride(2) != 1:
        unary = unary.contiguous()
    pairwise = pairwise.contiguous()
    stepwise = pairwise.dim() != 2
    shapes = [(labels, labels), (positions - 1, labels, labels), (batch, positions - 1, labels, labels)]
    if tuple(pairwise.shape) not in shapes:
        raise ValueError(f"pairwise has the shape {tuple(pairwise.shape)}, where {shapes[0]}, or one for each step, "
                         "belongs.")
    if lengths is None:
        lengths = torch.full((batch,), positions, device=unary.device, dtype=torch.int32)
    pair_b = max(positions - 1, 0) * labels * labels if pairwise.dim() == 4 else 0
    return unary, pairwise, lengths, stepwise, (unary.stride(0), unary.stride(1), pair_b, labels * labels)


def _shape_of(labels: int) -> tuple[int, int]:
    """Labels padded to a power of two, and warps for a table of that size."""
    padded = max(16, triton.next_power_of_2(labels))
    return padded, {16: 1, 32: 1, 64: 4, 128: 8}.get(padded, 8)


def _fill(unary: Any, shape: tuple[int, ...]) -> Any:
    return torch.zeros(shape, device=unary.device, dtype=torch.float32)


def sums(unary: Any, pairwise: Any, lengths: Any = None, temperature: float = 1.0, labels: Any = None,
         rho: float = 0.0, clamp: bool = False) -> tuple[Any, Any, Any]:
    """Values (batch,), counts of labels (batch, positions, labels) and of pairs, a table a sequence or a step.

    With labels (batch, positions), below 0 where hidden, ``rho`` is added for every label that is another one, and
    ``clamp`` takes the labellings that they admit from values and counts.
    """
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, warps = _shape_of(states)
    empty = lambda *shape: torch.empty(shape, device=unary.device, dtype=torch.float32)  # noqa: E731
    value, node = empty(batch), empty(batch, positions, states)
    edge = _fill(unary, (batch, max(positions - 1, 0), states, states)) if stepwise else empty(batch, states, states)
    if batch == 0 or positions == 0:
        return value.zero_(), node, edge.zero_()
    if states > TILED:
        if stepwise:
            raise ValueError(f"scores of each step for {states} labels are more than the GPU takes: {TILED} at most.")
        scores = unary if not rho else augmented(unary, labels, rho)
        edge.zero_(), node.zero_()
        tiled_sum_kernel[(batch,)](scores, pairwise, lengths, torch.empty_like(node), empty(batch, states), value, node,
                                    edge, positions, 1 / temperature, scores.stride(0), scores.stride(1), K=states,
                                    P=padded, S=16, num_warps=warps)
        if clamp:
            own = sums(admitted(unary, labels), pairwise, lengths, temperature)
            value, node, edge = (a - b for a, b in zip((value, node, edge), own))
        return value, node, edge
    given = unary if labels is None else labels.contiguous()  # kernels that look at no labels take anything there
    sum_kernel[(batch,)](unary, pairwise, lengths, given, empty(batch, positions, states + 1), value, node, edge,
                          positions, 1 / temperature, SAFE, rho, *strides, K=states, P=padded, STEPWISE=stepwise,
                          LOSS=rho != 0, CLAMP=clamp, num_warps=warps)
    return value, node, edge


def best(unary: Any, pairwise: Any, lengths: Any = None, labels: Any = None, rho: float = 0.0) -> tuple[Any, Any]:
    """Values (batch,) and labels (batch, positions) of the best paths; -1 behind the end of one."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, warps = _shape_of(states)
    value = torch.empty(batch, device=unary.device, dtype=torch.float32)
    back = torch.empty((batch, positions, states), device=unary.device, dtype=torch.int16)
    path = torch.full((batch, positions), -1, device=unary.device, dtype=torch.int32)
    if batch == 0 or positions == 0:
        return value.zero_(), path
    if states > TILED:
        if stepwise:
            raise ValueError(f"scores of each step for {states} labels are more than the GPU takes: {TILED} at most.")
        scores = unary if not rho else augmented(unary, labels, rho)
        tiled_max_kernel[(batch,)](scores, pairwise, lengths, torch.empty((batch, states), device=unary.device), back,
                                    value, path, positions, scores.stride(0), scores.stride(1), K=states, P=padded, S=16,
                                    num_warps=warps)
        return value, path
    given = unary if labels is None else labels.contiguous()
    max_kernel[(batch,)](unary, pairwise, lengths, given, back, value, path, positions, rho, *strides, K=states,
                          P=padded, STEPWISE=stepwise, LOSS=rho != 0, num_warps=warps)
    return value, path


def augmented(unary: Any, labels: Any, rho: float) -> Any:
    """Scores with ``rho`` added for every label that is not the known one."""
    k = torch.arange(unary.shape[2], device=unary.device)
    return unary.float() + rho * ((labels[..., None] >= 0) & (labels[..., None] != k)).float()


def admitted(unary: Any, labels: Any) -> Any:
    """Scores where a known label forbids the others."""
    k = torch.arange(unary.shape[2], device=unary.device)
    return unary.float().masked_fill((labels[..., None] >= 0) & (labels[..., None] != k), -torch.inf)


def path_counts(path: Any, states: int, stepwise: bool) -> tuple[Any, Any]:
    """Counts of labels and pairs of given paths, -1 behind the end."""
    inside = path >= 0
    safe = path.clamp(min=0).long()
    node = torch.nn.functional.one_hot(safe, states).float() * inside[..., None]
    steps = torch.einsum("bti,btj->btij" if stepwise else "bti,btj->bij", node[:, :-1], node[:, 1:])
    return node, steps.contiguous()


def losses(unary: Any, pairwise: Any, labels: Any, lengths: Any = None, rho: float = 0.0,
           temperature: float = 1.0) -> tuple[Any, Any, Any]:
    """The loss of each sequence, T over all labellings less T over those that the labels admit, and its gradients."""
    if temperature > 0:
        return sums(unary, pairwise, lengths, temperature, labels, rho, clamp=True)
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    value, path = best(unary, pairwise, lengths, labels, rho)
    node, edge = path_counts(path, states, stepwise)
    if states > TILED:
        own, path = best(admitted(unary, labels), pairwise, lengths)
        own_node, own_edge = path_counts(path, states, stepwise)
        return value - own, node - own_node, edge - own_edge
    if batch > 0 and positions > 0:
        padded, warps = _shape_of(states)
        alpha = torch.empty((batch, positions, states + 1), device=unary.device, dtype=torch.float32)
        clamped_kernel[(batch,)](unary, pairwise, lengths, labels.contiguous(), alpha, value, node, edge, positions, 1.0,
                                  *strides, K=states, P=padded, STEPWISE=stepwise, num_warps=warps)
    return value, node, edge


class Value(torch.autograd.Function):  # type: ignore[misc]
    """The value of chains, T over all labellings; its gradient is the counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, lengths: Any, temperature: float) -> Any:
        if temperature > 0:
            value, node, edge = sums(unary.detach(), pairwise.detach(), lengths, temperature)
        else:
            value, path = best(unary.detach(), pairwise.detach(), lengths)
            node, edge = path_counts(path, unary.shape[2], pairwise.dim() != 2)
        return _saved(ctx, unary, pairwise, value, node, edge)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return (*_gradients(ctx, gradient), None, None)


class Loss(torch.autograd.Function):  # type: ignore[misc]
    """The loss of chains: value over all labellings, with rho for every error, less that over what labels admit."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, labels: Any, lengths: Any, rho: float, temperature: float) -> Any:
        return _saved(ctx, unary, pairwise, *losses(unary.detach(), pairwise.detach(), labels, lengths, rho, temperature))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return (*_gradients(ctx, gradient), None, None, None, None)


def _saved(ctx: Any, unary: Any, pairwise: Any, value: Any, node: Any, edge: Any) -> Any:
    ctx.save_for_backward(node, edge)
    ctx.kinds = unary.dtype, pairwise.dtype, pairwise.dim()
    return value


def _gradients(ctx: Any, gradient: Any) -> tuple[Any, Any]:
    node, edge = ctx.saved_tensors
    unary, pairwise, dimensions = ctx.kinds
    if dimensions == 2:
        table = torch.mv(edge.flatten(1).t(), gradient).view(edge.shape[1:])
    elif dimensions == 3:
        table = torch.einsum("b,btij->tij", gradient, edge)
    else:
        table = gradient[:, None, None, None] * edge
    return (gradient[:, None, None] * node).to(unary), table.to(pairwise)
