"""Several labellings of each chain on the GPU: the best ones, and drawn ones. A sequence, or a draw, a program."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from ._gpu_chain import TILED, _prepared, _shape_of
from ._gpu_kernels import _lanes


@triton.jit
def nbest_kernel(unary, pairwise, lengths, room, back, value, path, T, stride_b, stride_t, pair_b, pair_t,
                  K: tl.constexpr, P: tl.constexpr, N: tl.constexpr, STEPWISE: tl.constexpr):
    """The N best prefixes of each label: entry r is the one of label r // N and rank r % N."""
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    r = tl.arange(0, P * N)
    ok = k < K
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    pairs = pairwise + b * pair_b
    label = r // N
    both = (label < K)[:, None] & ok[None, :]
    here = label[:, None] * K + k[None, :]
    table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32)
    a = tl.load(unary + base + label, mask=(label < K) & (r % N == 0) & (n > 0), other=lowest).to(tl.float32)
    for t in range(1, n):
        if STEPWISE:
            table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32)
        u = tl.load(unary + base + t * stride_t + k, mask=ok, other=lowest).to(tl.float32)
        s = a[:, None] + table
        for m in range(0, N):
            top, best = tl.max(s, 0, return_indices=True)
            tl.store(back + ((b * T + t) * N + m) * K + k, best.to(tl.int16), mask=ok)
            tl.store(room + b * K * N + k * N + m, top + u, mask=ok)
            s = tl.where(r[:, None] == best[None, :], lowest, s)
        tl.debug_barrier()
        a = tl.load(room + b * K * N + r, mask=label < K, other=lowest)
        tl.debug_barrier()
    for m in range(0, N):
        top, last = tl.max(a, 0, return_indices=True)
        tl.store(value + b * N + m, top)
        a = tl.where(r == last, lowest, a)
        if top > lowest:
            for i in range(0, n):
                t = n - 1 - i
                tl.store(path + (b * N + m) * T + t, last // N)
                last = tl.load(back + ((b * T + t) * N + last % N) * K + last // N, mask=t > 0, other=0).to(tl.int32)


def nbest(unary: Any, pairwise: Any, k: int, lengths: Any = None) -> tuple[Any, Any]:
    """Scores (batch, k), -inf where there are fewer, and labels (batch, k, positions), -1 behind the end."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, _ = _shape_of(states)
    ranks = triton.next_power_of_2(k)
    if states > TILED or padded * ranks > 1024:
        raise ValueError(f"{k} labellings of {states} labels are more than the GPU lists: {TILED} labels, and labels times "
                         "labellings at most 1024.")
    value = torch.full((batch, ranks), -torch.inf, device=unary.device)
    path = torch.full((batch, ranks, positions), -1, device=unary.device, dtype=torch.int32)
    if batch and positions:
        back = torch.empty((batch, positions, ranks, states), device=unary.device, dtype=torch.int16)
        room = torch.empty((batch, states, ranks), device=unary.device)
        nbest_kernel[(batch,)](unary, pairwise, lengths, room, back, value, path, positions, *strides, K=states, P=padded,
                                N=ranks, STEPWISE=stepwise, num_warps=4 if padded * ranks < 512 else 8)
    return value[:, :k], path[:, :k]


@triton.jit
def forward_kernel(unary, pairwise, lengths, alpha, T, scale, stride_b, stride_t, pair_b, pair_t,
                    K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr):
    """log of the sum over prefixes that end in each label, at each position."""
    b = tl.program_id(0).to(tl.int64)
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    pairs = pairwise + b * pair_b
    table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32) * scale
    a = tl.load(unary + b * stride_b + k, mask=ok & (n > 0), other=lowest).to(tl.float32) * scale
    tl.store(alpha + b * T * K + k, a, mask=ok & (n > 0))
    for t in range(1, n):
        if STEPWISE:
            table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
        u = tl.load(unary + b * stride_b + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
        s = a[:, None] + table
        m = tl.max(s, 0)
        m = tl.where(m == lowest, 0.0, m)
        a = m + tl.log(tl.sum(tl.exp(s - m[None, :]), 0)) + u
        tl.store(alpha + (b * T + t) * K + k, a, mask=ok)


@triton.jit
def draw_kernel(alpha, pairwise, lengths, path, T, S, seed, scale, pair_b, pair_t,
                 K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr):
    """One labelling from its end: each label is the largest of log probability + Gumbel noise."""
    b = tl.program_id(0).to(tl.int64)
    draw = b * S + tl.program_id(1)
    k = tl.arange(0, P)
    ok = k < K
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    pairs = pairwise + b * pair_b
    own = seed + draw.to(tl.int32) * 2654435
    column = tl.zeros((P,), tl.float32)
    last = 0
    for i in range(0, n):
        t = n - 1 - i
        if i > 0:
            step = pairs
            if STEPWISE:
                step = pairs + t * pair_t
            column = tl.load(step + k * K + last, mask=ok, other=lowest).to(tl.float32) * scale
        a = tl.load(alpha + (b * T + t) * K + k, mask=ok, other=lowest)
        noise = -tl.log(-tl.log(tl.maximum(tl.rand(own, t * P + k), 1e-12)))
        last = tl.argmax(a + column + noise, 0)
        tl.store(path + draw * T + t, last)


def samples(unary: Any, pairwise: Any, count: int, lengths: Any = None, temperature: float = 1.0, seed: int = 1) -> Any:
    """Labels (batch, count, positions) drawn from exp(score / temperature), -1 behind the end."""
    batch, positions, states = unary.shape
    unary, pairwise, lengths, stepwise, strides = _prepared(unary, pairwise, lengths)
    padded, warps = _shape_of(states)
    if states > TILED:
        raise ValueError(f"labellings of {states} labels are not drawn on the GPU: {TILED} at most.")
    path = torch.full((batch, count, positions), -1, device=unary.device, dtype=torch.int32)
    if batch and positions and count:
        alpha = torch.empty((batch, positions, states), device=unary.device)
        forward_kernel[(batch,)](unary, pairwise, lengths, alpha, positions, 1 / temperature, *strides, K=states, P=padded,
                                  STEPWISE=stepwise, num_warps=warps)
        draw_kernel[(batch, count)](alpha, pairwise, lengths, path, positions, count, seed, 1 / temperature, *strides[2:],
                                     K=states, P=padded, STEPWISE=stepwise, num_warps=1)
    return path
