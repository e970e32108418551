"""Pictures on the GPU: labellings of regular grids by messages, all nodes of one colour of a chessboard at a time.

With mu the share of an edge in spanning trees, one number for the whole grid (plain messages: 1), B_i the scores of node i
and all messages into it, and scores divided by the temperature,

    m_ij(b) = mu log sum over a of exp(B_i(a) + (pairwise(a, b) - m_ji(a)) / mu),
    value   = sum_i log sum exp B_i + sum_ij mu log sum_ab b_i(a) b_j(b) exp((pairwise(a, b) - m_ji(a) - m_ij(b)) / mu),

which with tree-reweighted shares lies above log Z, and with plain ones is Bethe's (as inference/belief_propagation.h has
it). At temperature 0 sums are maxima, mu B_i(a) - m_ji(a) + pairwise(a, b), and the answer is the label of highest B_i,
improved node by node, one colour after the other.
Sweeps are as many as are asked for: nothing waits for the device to say that messages rest. -inf counts as -1e5.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from ._opaque import opaque

LARGEST = 64  # labels
IMPROVED = 8  # turns of improving a labelling, each of one colour


@triton.jit
def _belief(unary, messages, b, node, k, inside, H, W, scale, K: tl.constexpr):
    """Own scores and all messages of some nodes (nodes, labels)."""
    mask = inside[:, None] & (k < K)[None, :]
    total = tl.load(unary + (b * H * W + node[:, None]) * K + k[None, :], mask=mask, other=-1e5).to(tl.float32) * scale
    for d in range(0, 4):
        total += tl.load(messages + ((b * 4 + d) * H * W + node[:, None]) * K + k[None, :], mask=mask, other=0.0)
    return total


@triton.jit
def _table(horizontal, vertical, k, d, scale, K: tl.constexpr):
    """Scores of (label here, label of the neighbour in direction d): right, left, down, up."""
    both = (k < K)[:, None] & (k < K)[None, :]
    forth, back = k[:, None] * K + k[None, :], k[None, :] * K + k[:, None]
    if d == 0:
        t = tl.load(horizontal + forth, mask=both, other=-1e5)
    elif d == 1:
        t = tl.load(horizontal + back, mask=both, other=-1e5)
    elif d == 2:
        t = tl.load(vertical + forth, mask=both, other=-1e5)
    else:
        t = tl.load(vertical + back, mask=both, other=-1e5)
    return t.to(tl.float32) * scale


@triton.jit
def sweep_kernel(unary, horizontal, vertical, messages, H, W, colour, mu, scale, keep, K: tl.constexpr, P: tl.constexpr,
                  N: tl.constexpr, HARD: tl.constexpr):
    """What the nodes of one colour tell their neighbours. A message stands with the node that is told, by its direction."""
    b = tl.program_id(0).to(tl.int64)
    node = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, P)
    y, x = node // W, node % W
    inside = (node < H * W) & ((y + x) % 2 == colour)
    belief = _belief(unary, messages, b, node, k, inside, H, W, scale, K)
    for d in tl.static_range(0, 4):
        if d == 0:
            there, other = x + 1 < W, node + 1
        elif d == 1:
            there, other = x > 0, node - 1
        elif d == 2:
            there, other = y + 1 < H, node + W
        else:
            there, other = y > 0, node - W
        # Slot e of a node holds what its neighbour in direction e tells it.
        mask = (inside & there)[:, None] & (k < K)[None, :]
        heard = tl.load(messages + ((b * 4 + d) * H * W + node[:, None]) * K + k[None, :], mask=mask, other=0.0)
        table = _table(horizontal, vertical, k, d, scale, K)
        if HARD:
            told = tl.max((mu * belief - heard)[:, :, None] + table[None, :, :], 1)
        else:
            s = (belief - heard / mu)[:, :, None] + (table / mu)[None, :, :]
            high = tl.max(s, 1)
            told = mu * (high + tl.log(tl.sum(tl.exp(s - high[:, None, :]), 1)))
        told = told - tl.max(tl.where(k[None, :] < K, told, -1e30), 1)[:, None]
        at = messages + ((b * 4 + (d ^ 1)) * H * W + other[:, None]) * K + k[None, :]
        if keep > 0:
            told = keep * tl.load(at, mask=mask, other=0.0) + (1 - keep) * told
        tl.store(at, told, mask=mask)


@triton.jit
def count_kernel(unary, horizontal, vertical, messages, value, nodes, across, down, H, W, mu, scale, K: tl.constexpr,
                  P: tl.constexpr, N: tl.constexpr):
    """Beliefs of nodes and of the edges to the right and below, and the value that they have."""
    b = tl.program_id(0).to(tl.int64)
    node = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, P)
    ok = k < K
    both = ok[:, None] & ok[None, :]
    y, x = node // W, node % W
    inside = node < H * W
    belief = _belief(unary, messages, b, node, k, inside, H, W, scale, K)
    belief = tl.where(ok[None, :], belief, -1e30)
    high = tl.max(belief, 1)
    z = high + tl.log(tl.sum(tl.exp(belief - high[:, None]), 1))
    own = belief - z[:, None]
    tl.store(nodes + (b * H * W + node[:, None]) * K + k[None, :], tl.exp(own), mask=inside[:, None] & ok[None, :])
    total = tl.sum(tl.where(inside, z, 0.0), 0)
    for d in tl.static_range(0, 4, 2):
        if d == 0:
            there, other = inside & (x + 1 < W), node + 1
        else:
            there, other = inside & (y + 1 < H), node + W
        theirs = tl.where(ok[None, :], _belief(unary, messages, b, other, k, there, H, W, scale, K), -1e30)
        top = tl.max(theirs, 1)
        theirs = theirs - (top + tl.log(tl.sum(tl.exp(theirs - top[:, None]), 1)))[:, None]
        mask = there[:, None] & ok[None, :]
        heard = tl.load(messages + ((b * 4 + d) * H * W + node[:, None]) * K + k[None, :], mask=mask, other=0.0)
        told = tl.load(messages + ((b * 4 + d + 1) * H * W + other[:, None]) * K + k[None, :], mask=mask, other=0.0)
        table = _table(horizontal, vertical, k, d, scale, K)
        s = (own - heard / mu)[:, :, None] + (theirs - told / mu)[:, None, :] + (table / mu)[None, :, :]
        s = tl.where(both[None, :, :], s, -1e30)
        peak = tl.max(tl.max(s, 2), 1)
        p = tl.exp(s - peak[:, None, None])
        sum = tl.sum(tl.sum(p, 2), 1)
        total += tl.sum(tl.where(there, mu * (peak + tl.log(sum)), 0.0), 0)
        used = tl.sum(tl.where(there[:, None, None], p / sum[:, None, None], 0.0), 0)
        if d == 0:
            tl.atomic_add(across + b * K * K + k[:, None] * K + k[None, :], used, mask=both)
        else:
            tl.atomic_add(down + b * K * K + k[:, None] * K + k[None, :], used, mask=both)
    tl.atomic_add(value + b, total / scale)


def share_of(height: int, width: int) -> float:
    """Of a uniform mixture of spanning trees, those with any one edge."""
    edges = 2 * height * width - height - width
    return (height * width - 1) / edges if edges else 1.0


def _messages(unary: Any, horizontal: Any, vertical: Any, sweeps: int, mu: float, temperature: float,
              damping: float) -> tuple[Any, ...]:
    batch, height, width, states = unary.shape
    if states > LARGEST:
        raise ValueError(f"{states} labels are more than the {LARGEST} that the GPU's grids take.")
    for name, table in (("horizontal", horizontal), ("vertical", vertical)):
        if tuple(table.shape) != (states, states):
            raise ValueError(f"{name} has the shape {tuple(table.shape)}, where {(states, states)} belongs.")
    unary = unary.clamp(min=-1e5).contiguous()
    horizontal, vertical = (table.clamp(min=-1e5).contiguous() for table in (horizontal, vertical))
    padded = max(4, triton.next_power_of_2(states))
    block = max(1, 4096 // padded**2)
    messages = torch.zeros((batch, 4, height, width, states), device=unary.device)
    launch = (batch, triton.cdiv(height * width, block))
    scale = 1 / temperature if temperature else 1.0
    if batch and height and width:
        for sweep in range(sweeps):
            for colour in (0, 1):
                sweep_kernel[launch](unary, horizontal, vertical, messages, height, width, colour, mu, scale,
                                      damping if sweep else 0.0, K=states, P=padded, N=block, HARD=temperature == 0,
                                      num_warps=4)
    return unary, horizontal, vertical, messages, launch, padded, block, scale


def sums(unary: Any, horizontal: Any, vertical: Any, temperature: float = 1.0, sweeps: int = 50, mu: float | None = None,
         damping: float = 0.0) -> tuple[Any, Any, Any, Any]:
    """Values (batch,), beliefs of nodes (batch, height, width, labels), and those of edges, summed (batch, labels, labels)."""
    batch, height, width, states = unary.shape
    mu = share_of(height, width) if mu is None else mu
    unary, horizontal, vertical, messages, launch, padded, block, scale = _messages(unary, horizontal, vertical, sweeps, mu,
                                                                                  temperature, damping)
    zeros = lambda *shape: torch.zeros(shape, device=unary.device)  # noqa: E731
    value, nodes = zeros(batch), zeros(batch, height, width, states)
    across, down = zeros(batch, states, states), zeros(batch, states, states)
    if nodes.numel():
        count_kernel[launch](unary, horizontal, vertical, messages, value, nodes, across, down, height, width, mu, scale,
                              K=states, P=padded, N=block, num_warps=4)
    return value, nodes, across, down


def best(unary: Any, horizontal: Any, vertical: Any, sweeps: int = 50, mu: float | None = None,
         damping: float = 0.0) -> tuple[Any, Any]:
    """Scores (batch,) of the labellings that messages find, and these (batch, height, width)."""
    _, height, width, _ = unary.shape
    mu = share_of(height, width) if mu is None else mu
    own, across, down, messages, *_ = _messages(unary, horizontal, vertical, sweeps, mu, 0.0, damping)
    labels = (own.float() + messages.sum(1)).argmax(-1)
    colour = (torch.arange(height, device=own.device)[:, None] + torch.arange(width, device=own.device)) % 2
    for turn in range(IMPROVED):
        labels = torch.where(colour == turn % 2, _given(own.float(), across.float(), down.float(), labels).argmax(-1), labels)
    return score(unary.float(), horizontal.float(), vertical.float(), labels), labels


def _given(unary: Any, horizontal: Any, vertical: Any, labels: Any) -> Any:
    """What each label of each node is worth while its neighbours have theirs."""
    total = unary.clone()
    total[:, :, 1:] += horizontal[labels[:, :, :-1]]
    total[:, :, :-1] += horizontal.t()[labels[:, :, 1:]]
    total[:, 1:] += vertical[labels[:, :-1]]
    total[:, :-1] += vertical.t()[labels[:, 1:]]
    return total


def score(unary: Any, horizontal: Any, vertical: Any, labels: Any) -> Any:
    """The score of a labelling of each picture."""
    total = unary.gather(-1, labels[..., None]).flatten(1).sum(1)
    total = total + horizontal[labels[:, :, :-1], labels[:, :, 1:]].flatten(1).sum(1)
    return total + vertical[labels[:, :-1], labels[:, 1:]].flatten(1).sum(1)


def _counts(labels: Any, states: int) -> tuple[Any, Any, Any]:
    node = torch.nn.functional.one_hot(labels, states).float()
    across = torch.einsum("bhwi,bhwj->bij", node[:, :, :-1], node[:, :, 1:])
    return node, across, torch.einsum("bhwi,bhwj->bij", node[:, :-1], node[:, 1:])


def _shapes(unary: Any, *_: Any) -> tuple[Any, Any, Any, Any]:
    batch, *_sides, states = unary.shape
    single = torch.float32
    return (unary.new_empty((batch,), dtype=single), unary.new_empty(unary.shape, dtype=single),
            *(unary.new_empty((batch, states, states), dtype=single) for _ in range(2)))


@opaque("grids", "(Tensor unary, Tensor horizontal, Tensor vertical, float temperature, int sweeps, float? mu, float damping)"
        " -> (Tensor, Tensor, Tensor, Tensor)", _shapes)
def _values(unary: Any, horizontal: Any, vertical: Any, temperature: float, sweeps: int, mu: Any, damping: float) -> Any:
    if temperature > 0:
        return sums(unary, horizontal, vertical, temperature, sweeps, mu, damping)
    value, labels = best(unary, horizontal, vertical, sweeps, mu, damping)
    return (value, *_counts(labels, unary.shape[-1]))


class Grid(torch.autograd.Function):  # type: ignore[misc]
    """The value of pictures; its gradient is beliefs, or the counts of the labelling that was found."""

    @staticmethod
    def forward(ctx: Any, unary: Any, horizontal: Any, vertical: Any, temperature: float, sweeps: int, mu: Any,
                damping: float) -> Any:
        value, *counts = _values(unary.detach(), horizontal.detach(), vertical.detach(), temperature, sweeps, mu, damping)
        ctx.save_for_backward(*counts)
        ctx.kinds = unary.dtype, horizontal.dtype
        return value

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        node, across, down = ctx.saved_tensors
        tables = (torch.einsum("b,bij->ij", gradient, each).to(ctx.kinds[1]) for each in (across, down))
        return ((gradient[:, None, None, None] * node).to(ctx.kinds[0]), *tables, None, None, None, None)
