"""Chains on the GPU: value and counts of a batch in one launch (_gpu_kernels.py), and their gradients for autograd.

Sums are float32 whatever the scores are. Nothing here waits for the device.
"""

from __future__ import annotations

from typing import Any

import torch
import triton

from ._gpu_kernels import clamped_kernel, max_kernel, mixed_kernel, sum_kernel
from ._gpu_tiles import tiled_clamped_kernel, tiled_max_kernel, tiled_sum_kernel
from ._opaque import opaque

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
    from . import _gpu_pieces  # which is made of this module

    if _gpu_pieces.serves(unary, pairwise):
        value, node, edge = _gpu_pieces.sums(unary if not rho else augmented(unary, labels, rho), pairwise, lengths, temperature)
        return _less(value, node, edge, unary, pairwise, lengths, temperature, labels) if clamp else (value, node, edge)
    if states > TILED:
        if stepwise:
            raise ValueError(f"scores of each step for {states} labels are more than the GPU takes: {TILED} at most.")
        scores = unary if not rho else augmented(unary, labels, rho)
        scaled = pairwise.float() / temperature
        high, low = scaled.max(), scaled.min()
        power = torch.exp(scaled - high.clamp(min=-1e30))
        apart = torch.nan_to_num(high - low, nan=torch.inf, posinf=torch.inf)
        alpha, later = _fill(unary, node.shape), _fill(unary, node.shape)
        edge.zero_(), node.zero_()
        tiled_sum_kernel[(batch,)](scores, pairwise, lengths, power, power.t().contiguous(), torch.stack([high, apart]),
                                    alpha, later, empty(batch, positions), empty(batch, states), value, node, edge, positions,
                                    1 / temperature, SAFE, scores.stride(0), scores.stride(1), K=states, P=padded, S=32,
                                    num_warps=warps)
        steps = torch.bmm(alpha[:, :-1].transpose(1, 2).contiguous(), later[:, 1:])
        edge += torch.nan_to_num(power * steps, nan=0.0)
        return _less(value, node, edge, unary, pairwise, lengths, temperature, labels) if clamp else (value, node, edge)
    given = unary if labels is None else labels.contiguous()  # kernels that look at no labels take anything there
    sum_kernel[(batch,)](unary, pairwise, lengths, given, empty(batch, positions, states + 1), value, node, edge,
                          positions, 1 / temperature, SAFE, rho, *strides, K=states, P=padded, STEPWISE=stepwise,
                          LOSS=rho != 0, CLAMP=clamp, num_warps=warps)
    return value, node, edge


def _less(value: Any, node: Any, edge: Any, unary: Any, pairwise: Any, lengths: Any, temperature: float,
          labels: Any) -> tuple[Any, Any, Any]:
    """Without the labellings that the labels admit."""
    batch, positions, states = unary.shape
    if states <= TILED:
        counts = _Counts(unary, pairwise, lengths)
        counts.node, counts.edge = node, edge
        counts.add(labels, value, -1, temperature)
        return value, node, edge
    padded, warps = _shape_of(states)
    own = torch.zeros_like(value), torch.zeros_like(node), torch.zeros_like(edge)
    room = torch.empty((batch, states), device=unary.device)
    tiled_clamped_kernel[(batch,)](unary, admitted(unary, labels), pairwise, lengths, labels.contiguous(), torch.empty_like(node),
                                    room, *own, positions, 1 / temperature, unary.stride(0), unary.stride(1), K=states,
                                    P=padded, num_warps=warps)
    return value - own[0], node - own[1], edge - own[2]


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
    max_kernel[(batch,)](unary, pairwise, lengths, given, back, value, path, value, value, value, positions, rho, *strides,
                          K=states, P=padded, STEPWISE=stepwise, LOSS=rho != 0, COUNTS=False, num_warps=warps)
    return value, path


def augmented(unary: Any, labels: Any, rho: float) -> Any:
    """Scores with ``rho`` added for every label that is not the known one."""
    k = torch.arange(unary.shape[2], device=unary.device)
    return unary.float() + rho * ((labels[..., None] >= 0) & (labels[..., None] != k)).float()


def admitted(unary: Any, labels: Any) -> Any:
    """Scores where a known label forbids the others."""
    k = torch.arange(unary.shape[2], device=unary.device)
    return unary.float().masked_fill((labels[..., None] >= 0) & (labels[..., None] != k), -torch.inf)


class _Counts:
    """Counts that labellings are added to or taken from, in place."""

    def __init__(self, unary: Any, pairwise: Any, lengths: Any) -> None:
        batch, positions, states = unary.shape
        self.unary, self.pairwise, self.lengths, self.stepwise, self.strides = _prepared(unary, pairwise, lengths)
        self.node = _fill(unary, (batch, positions, states))
        self.edge = _fill(unary, (batch, max(positions - 1, 0), states, states) if self.stepwise else (batch, states, states))

    def add(self, labels: Any, value: Any, sign: int, temperature: float) -> None:
        """The labellings that the labels admit: the best of them at temperature 0, else a sum."""
        batch, positions, states = self.unary.shape
        if batch == 0 or positions == 0:
            return
        padded, warps = _shape_of(states)
        alpha = torch.empty((batch, positions, states + 1), device=self.unary.device, dtype=torch.float32)
        clamped_kernel[(batch,)](self.unary, self.pairwise, self.lengths, labels.contiguous(), alpha, value, self.node,
                                  self.edge, positions, 1 / temperature if temperature else 1.0, *self.strides, K=states,
                                  P=padded, STEPWISE=self.stepwise, HARD=temperature == 0, SIGN=sign, num_warps=warps)


def path_counts(unary: Any, pairwise: Any, path: Any, lengths: Any) -> tuple[Any, Any]:
    """Counts of labels and pairs of given paths."""
    counts = _Counts(unary, pairwise, lengths)
    counts.add(path, torch.empty(len(path), device=path.device), 1, 0.0)
    return counts.node, counts.edge


def mixed(unary: Any, pairwise: Any, labels: Any, lengths: Any, rho: float, latent: float) -> tuple[Any, Any]:
    """The maximum over labels of outputs, whose labels are known, of sums over what is hidden: values and those labels."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, warps = _shape_of(states)
    value = torch.zeros(batch, device=unary.device, dtype=torch.float32)
    path = torch.full((batch, positions), -1, device=unary.device, dtype=torch.int32)
    if batch and positions:
        back = torch.empty((batch, positions, states), device=unary.device, dtype=torch.int16)
        mixed_kernel[(batch,)](unary, pairwise, lengths, labels.contiguous(), back, value, path, value, value, value, positions,
                                rho, 1 / latent, *strides, K=states, P=padded, STEPWISE=stepwise, COUNTS=False,
                                num_warps=max(warps, 4))
    return value, path


def _margins(unary: Any, pairwise: Any, labels: Any, lengths: Any, rho: float, latent: float) -> tuple[Any, Any, Any]:
    """Losses at an output temperature of 0, and their gradients, in one launch."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, warps = _shape_of(states)
    empty = lambda *shape, dtype=torch.float32: torch.empty(shape, device=unary.device, dtype=dtype)  # noqa: E731
    value, node, alpha = empty(batch), empty(batch, positions, states), empty(batch, positions, states + 1)
    edge = empty(batch, max(positions - 1, 0), states, states) if stepwise else empty(batch, states, states)
    if batch == 0 or positions == 0:
        return value.zero_(), node, edge.zero_()
    back, path = empty(batch, positions, states, dtype=torch.int16), empty(batch, positions, dtype=torch.int32)
    rooms = unary, pairwise, lengths, labels.contiguous(), back, value, path, alpha, node, edge, positions, rho
    if latent:
        mixed_kernel[(batch,)](*rooms, 1 / latent, *strides, K=states, P=padded, STEPWISE=stepwise, COUNTS=True,
                                num_warps=max(warps, 4))
    else:
        max_kernel[(batch,)](*rooms, *strides, K=states, P=padded, STEPWISE=stepwise, LOSS=rho != 0, COUNTS=True,
                              num_warps=warps)
    return value, node, edge


def losses(unary: Any, pairwise: Any, labels: Any, lengths: Any = None, rho: float = 0.0, output: float = 1.0,
           latent: float | None = None) -> tuple[Any, Any, Any]:
    """The loss of each sequence, T over all labellings less T over those that the labels admit, and its gradients.

    Two temperatures are those of the marginal SVM: 0 of outputs, and any of what is hidden.
    """
    latent = output if latent is None else latent
    if output == latent and output > 0:
        return sums(unary, pairwise, lengths, output, labels, rho, clamp=True)
    states = unary.shape[2]
    if output == latent and states > TILED:
        value, path = best(unary, pairwise, lengths, labels, rho)
        own, own_path = best(admitted(unary, labels), pairwise, lengths)
        node, edge = path_counts(unary, pairwise, path, lengths)
        own_node, own_edge = path_counts(unary, pairwise, own_path, lengths)
        return value - own, node - own_node, edge - own_edge
    return _margins(unary, pairwise, labels, lengths, rho, latent)


def _shapes(unary: Any, pairwise: Any, *_: Any) -> tuple[Any, Any, Any]:
    """As of values, counts of labels and counts of pairs."""
    batch, positions, states = unary.shape
    steps = (max(positions - 1, 0),) if pairwise.dim() != 2 else ()
    return tuple(unary.new_empty(shape, dtype=torch.float32)  # type: ignore[return-value]
                 for shape in ((batch,), (batch, positions, states), (batch, *steps, states, states)))


@opaque("chain_values", "(Tensor unary, Tensor pairwise, Tensor? lengths, Tensor? hidden, float output, float latent) -> (Tensor, Tensor, Tensor)",
        _shapes)
def _values(unary: Any, pairwise: Any, lengths: Any, hidden: Any, output: float, latent: float) -> tuple[Any, Any, Any]:
    if output == latent and output > 0:
        return sums(unary, pairwise, lengths, output)
    if output == latent:
        value, path = best(unary, pairwise, lengths)
        return (value, *path_counts(unary, pairwise, path, lengths))
    value, path = mixed(unary, pairwise, torch.where(hidden, -1, 0), lengths, 0.0, latent)
    counts = _Counts(unary, pairwise, lengths)
    counts.add(path, torch.empty_like(value), 1, latent)
    return value, counts.node, counts.edge


_losses = opaque("chain_losses", "(Tensor unary, Tensor pairwise, Tensor labels, Tensor? lengths, float rho, float output, float latent)"
                 " -> (Tensor, Tensor, Tensor)", _shapes)(losses)


class Value(torch.autograd.Function):  # type: ignore[misc]
    """The value of chains, T over all labellings; its gradient is the counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any, output: float, latent: float) -> Any:
        return _saved(ctx, unary, pairwise, *_values(unary.detach(), pairwise.detach(), lengths, hidden, output, latent))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return (*_gradients(ctx, gradient), None, None, None, None)


class Loss(torch.autograd.Function):  # type: ignore[misc]
    """The loss of chains: value over all labellings, with rho for every error, less that over what labels admit."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, labels: Any, lengths: Any, rho: float, output: float,
                latent: float) -> Any:
        return _saved(ctx, unary, pairwise, *_losses(unary.detach(), pairwise.detach(), labels, lengths, rho, output, latent))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return (*_gradients(ctx, gradient), None, None, None, None, None)


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
