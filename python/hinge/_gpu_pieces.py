"""Very long chains on the GPU, cut into pieces that are gone through side by side.

A piece is a table M[label in front of it, its last label], the log of the sum over what stands between. Sums over
pieces from either end give what each piece has in front of it and behind it, up to a constant, and so its counts: each
position's add up to 1, so that no number is as large as the whole chain is long.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from ._gpu_chain import _prepared
from ._gpu_kernels import _lanes, _longer

LARGEST = 32  # labels
LENGTH = 128  # of a piece


@triton.jit
def piece_kernel(unary, pairwise, lengths, tables, pieces, scale, stride_b, stride_t, L: tl.constexpr, K: tl.constexpr,
                  P: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    piece = tl.program_id(1)
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    first = piece * L
    end = tl.minimum(first + L, tl.load(lengths + b).to(tl.int32))
    if first < end:
        u = tl.load(unary + b * stride_b + first * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
        table = tl.load(pairwise + here, mask=both, other=lowest).to(tl.float32) * scale
        M = table + u[None, :]
        if piece == 0:
            M = tl.where(k[:, None] == 0, u[None, :], lowest)  # nothing stands in front of it
        for t in range(first + 1, end):
            u = tl.load(unary + b * stride_b + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
            M = _longer(M, pairwise, k, ok, scale, K, P) + u[None, :]
        tl.store(tables + (b * pieces + piece) * K * K + here, M, mask=both)


@triton.jit
def _log_sum(s, AXIS: tl.constexpr):
    high = tl.max(s, AXIS)
    high = tl.where(high == -float("inf"), 0.0, high)
    if AXIS == 0:
        return high + tl.log(tl.sum(tl.exp(s - high[None, :]), 0))
    return high + tl.log(tl.sum(tl.exp(s - high[:, None]), 1))


@triton.jit
def join_kernel(tables, lengths, front, behind, value, pieces, scale, L: tl.constexpr, K: tl.constexpr, P: tl.constexpr):
    """front: sums up to the last label of each piece; behind: from there on to the end; both with maximum 0."""
    b = tl.program_id(0).to(tl.int64)
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    count = tl.cdiv(tl.load(lengths + b).to(tl.int32), L)
    own = tables + b * pieces * K * K
    a = tl.load(own + k, mask=ok & (count > 0), other=lowest)
    peak = tl.max(a, 0)
    total = tl.where(peak == lowest, 0.0, peak)
    a = a - total
    tl.store(front + b * pieces * K + k, a, mask=ok & (count > 0))
    for p in range(1, count):
        M = tl.load(own + p * K * K + here, mask=both, other=lowest)
        a = _log_sum(a[:, None] + M, 0)
        peak = tl.max(a, 0)
        peak = tl.where(peak == lowest, 0.0, peak)
        a = a - peak
        total += peak
        tl.store(front + (b * pieces + p) * K + k, a, mask=ok)
    total += tl.log(tl.sum(tl.exp(a), 0))
    tl.store(value + b, tl.where(count > 0, total / scale, 0.0))
    beta = tl.where(ok, 0.0, lowest)
    for i in range(0, count):
        p = count - 1 - i
        tl.store(behind + (b * pieces + p) * K + k, beta, mask=ok)
        M = tl.load(own + p * K * K + here, mask=both, other=lowest)
        beta = _log_sum(M + beta[None, :], 1)
        peak = tl.max(beta, 0)
        beta = beta - tl.where(peak == lowest, 0.0, peak)


@triton.jit
def count_kernel(unary, pairwise, lengths, front, behind, value, alpha, node, edge, T, pieces, scale, stride_b, stride_t,
                  L: tl.constexpr, K: tl.constexpr, P: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    piece = tl.program_id(1)
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    first = piece * L
    end = tl.minimum(first + L, tl.load(lengths + b).to(tl.int32))
    if first < end:
        table = tl.load(pairwise + here, mask=both, other=lowest).to(tl.float32) * scale
        before = tl.load(front + (b * pieces + piece - 1) * K + k, mask=ok & (piece > 0), other=lowest)
        a = before
        for t in range(first, end):
            u = tl.load(unary + b * stride_b + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
            a = tl.where(t == 0, 0.0, _log_sum(a[:, None] + table, 0)) + u
            tl.store(alpha + (b * T + t) * K + k, a, mask=ok)
        tl.debug_barrier()
        beta = tl.load(behind + (b * pieces + piece) * K + k, mask=ok, other=lowest)
        used = tl.zeros((P, P), tl.float32)
        for i in range(0, end - first):
            t = end - 1 - i
            a = tl.load(alpha + (b * T + t) * K + k, mask=ok, other=lowest) + beta
            peak = tl.max(a, 0)
            peak = tl.where(peak == lowest, 0.0, peak)
            z = peak + tl.log(tl.sum(tl.exp(a - peak), 0))
            z = tl.where(z == lowest, 0.0, z)  # nothing is allowed: no counts
            tl.store(node + (b * T + t) * K + k, tl.exp(a - z), mask=ok)
            if t > 0:
                u = tl.load(unary + b * stride_b + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
                last = tl.load(alpha + (b * T + t - 1) * K + k, mask=ok & (t > first), other=lowest)
                last = tl.where(t > first, last, before)
                s = table + (beta + u)[None, :]
                used += tl.exp(last[:, None] + s - z)
                beta = _log_sum(s, 1)
        tl.atomic_add(edge + b * K * K + here, used, mask=both)


def serves(unary: Any, pairwise: Any) -> bool:
    """Whether so long a batch is faster in pieces: too few sequences to fill the device."""
    batch, positions, states = unary.shape
    return pairwise.dim() == 2 and states <= LARGEST and positions >= 16 * LENGTH and batch <= 64


def sums(unary: Any, pairwise: Any, lengths: Any = None, temperature: float = 1.0) -> tuple[Any, Any, Any]:
    """As those of _gpu_chain, of one table of pairs."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, _, strides = _prepared(unary, pairwise, lengths)
    padded = max(16, triton.next_power_of_2(states))
    pieces = triton.cdiv(positions, LENGTH)
    empty = lambda *shape: torch.empty(shape, device=unary.device, dtype=torch.float32)  # noqa: E731
    value, node = empty(batch), torch.zeros((batch, positions, states), device=unary.device)
    edge = torch.zeros((batch, states, states), device=unary.device)
    tables, front, behind = empty(batch, pieces, states, states), empty(batch, pieces, states), empty(batch, pieces, states)
    scale = 1 / temperature
    shape = {"L": LENGTH, "K": states, "P": padded}
    piece_kernel[(batch, pieces)](unary, pairwise, lengths, tables, pieces, scale, *strides[:2], **shape, num_warps=2)
    join_kernel[(batch,)](tables, lengths, front, behind, value, pieces, scale, **shape, num_warps=1)
    count_kernel[(batch, pieces)](unary, pairwise, lengths, front, behind, value, empty(batch, positions, states), node, edge,
                                   positions, pieces, scale, *strides[:2], **shape, num_warps=1)
    return value, node, edge
