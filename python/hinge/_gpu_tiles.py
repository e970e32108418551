"""Kernels of chains whose tables of labels are too large for a program's registers: they are read in tiles (_gpu_chain.py
calls them, as it does those of _gpu_kernels.py, whose sums these are)."""

from __future__ import annotations

import triton
import triton.language as tl

from ._gpu_kernels import _path, _spread, _walk_back


@triton.jit
def _tiled_log_sweep(unary, pairwise, alpha, room, value, node, edge, b, n, T, scale, base, stride_t,
                     K: tl.constexpr, P: tl.constexpr, S: tl.constexpr):
    """Many labels in logarithms: the table is read in tiles at every step."""
    k = tl.arange(0, P)
    ok = k < K
    tile = tl.arange(0, S)
    lowest = -float("inf")
    own = b * T * K
    a = tl.load(unary + base + k, mask=ok & (n > 0), other=lowest).to(tl.float32) * scale
    tl.store(alpha + own + k, a, mask=ok & (n > 0))
    for t in range(1, n):
        tl.debug_barrier()
        m = tl.full((P,), -1e38, tl.float32)
        sum = tl.zeros((P,), tl.float32)
        for first in range(0, K, S):
            i = first + tile
            before = tl.load(alpha + own + (t - 1) * K + i, mask=i < K, other=lowest)
            table = tl.load(pairwise + i[:, None] * K + k[None, :], mask=(i < K)[:, None] & ok[None, :], other=lowest)
            s = before[:, None] + table.to(tl.float32) * scale
            higher = tl.maximum(m, tl.max(s, 0))
            sum = sum * tl.exp(m - higher) + tl.sum(tl.exp(s - higher[None, :]), 0)
            m = higher
        u = tl.load(unary + base + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
        a = m + tl.log(sum) + u
        tl.store(alpha + own + t * K + k, a, mask=ok)
    peak = tl.max(a, 0)
    peak = tl.where(peak == lowest, 0.0, peak)
    total = tl.where(n > 0, peak + tl.log(tl.sum(tl.exp(a - peak), 0)), 0.0)
    tl.store(value + b, total / scale)
    z = tl.where(total == lowest, 0.0, total)
    later = tl.where(ok, 0.0, lowest)
    for back in range(0, n):
        t = n - 1 - back
        a = tl.load(alpha + own + t * K + k, mask=ok, other=lowest)
        tl.store(node + own + t * K + k, tl.exp(a + later - z), mask=ok)
        if t > 0:
            u = tl.load(unary + base + t * stride_t + k, mask=ok, other=lowest).to(tl.float32) * scale
            tl.debug_barrier()
            tl.store(room + b * K + k, later + u, mask=ok)
            tl.debug_barrier()
            before = tl.load(alpha + own + (t - 1) * K + k, mask=ok, other=lowest)
            m = tl.full((P,), -1e38, tl.float32)
            sum = tl.zeros((P,), tl.float32)
            for first in range(0, K, S):
                j = first + tile
                x = tl.load(room + b * K + j, mask=j < K, other=lowest)
                at = k[:, None] * K + j[None, :]
                inside = ok[:, None] & (j < K)[None, :]
                s = tl.load(pairwise + at, mask=inside, other=lowest).to(tl.float32) * scale + x[None, :]
                used = tl.load(edge + b * K * K + at, mask=inside, other=0.0)
                tl.store(edge + b * K * K + at, used + tl.exp(before[:, None] + s - z), mask=inside)
                higher = tl.maximum(m, tl.max(s, 1))
                sum = sum * tl.exp(m - higher) + tl.sum(tl.exp(s - higher[:, None]), 1)
                m = higher
            later = tl.where(ok, m + tl.log(sum), lowest)


@triton.jit
def tiled_sum_kernel(unary, pairwise, lengths, power, across, bounds, alpha, later, scales, room, value, node, edge, T, scale,
                      safe, stride_b, stride_t, K: tl.constexpr, P: tl.constexpr, S: tl.constexpr):
    """Many labels. ``power`` is exp(pairwise - max), ``across`` its transpose, both read in tiles at every step.

    Where that is safe, counts of pairs are E times the sum of a_{t-1} y_t^T, which the caller makes of ``alpha`` and
    ``later``; else the sweep in logarithms writes them, and ``later`` stays 0.
    """
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    ok = k < K
    tile = tl.arange(0, S)
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    own = b * T * K
    top = tl.load(bounds)
    if _spread(unary, base, n, K, P, scale, stride_t) + tl.load(bounds + 1) <= safe:
        u = tl.load(unary + base + k, mask=ok & (n > 0), other=-float("inf")).to(tl.float32) * scale
        peak = tl.where(n > 0, tl.max(u, 0), 0.0)
        a = tl.exp(u - peak)
        c = tl.where(n > 0, tl.sum(a, 0), 1.0)
        a = a / c
        total = peak + tl.log(c)
        tl.store(alpha + own + k, a, mask=ok & (n > 0))
        for t in range(1, n):
            tl.debug_barrier()
            sum = tl.zeros((P,), tl.float32)
            for first in range(0, K, S):
                i = first + tile
                before = tl.load(alpha + own + (t - 1) * K + i, mask=i < K, other=0.0)
                E = tl.load(power + i[:, None] * K + k[None, :], mask=(i < K)[:, None] & ok[None, :], other=0.0)
                sum += tl.sum(before[:, None] * E, 0)
            u = tl.load(unary + base + t * stride_t + k, mask=ok, other=-float("inf")).to(tl.float32) * scale
            peak = tl.max(u, 0)
            a = sum * tl.exp(u - peak)
            c = tl.sum(a, 0)
            a = a / c
            total += peak + top + tl.log(c)
            tl.store(alpha + own + t * K + k, a, mask=ok)
            tl.store(scales + b * T + t, c)
        tl.store(value + b, total / scale)
        tl.debug_barrier()
        beta = tl.where(ok, 1.0, 0.0)
        for back in range(0, n):
            t = n - 1 - back
            a = tl.load(alpha + own + t * K + k, mask=ok, other=0.0)
            tl.store(node + own + t * K + k, a * beta, mask=ok)
            if t > 0:
                u = tl.load(unary + base + t * stride_t + k, mask=ok, other=-float("inf")).to(tl.float32) * scale
                y = tl.exp(u - tl.max(u, 0)) * beta / tl.load(scales + b * T + t)
                tl.store(later + own + t * K + k, y, mask=ok)
                tl.debug_barrier()
                beta = tl.zeros((P,), tl.float32)
                for first in range(0, K, S):
                    j = first + tile
                    x = tl.load(later + own + t * K + j, mask=j < K, other=0.0)
                    E = tl.load(across + j[:, None] * K + k[None, :], mask=(j < K)[:, None] & ok[None, :], other=0.0)
                    beta += tl.sum(x[:, None] * E, 0)
    else:
        _tiled_log_sweep(unary, pairwise, alpha, room, value, node, edge, b, n, T, scale, base, stride_t, K, P, 16)


@triton.jit
def tiled_clamped_kernel(unary, admitted, pairwise, lengths, labels, alpha, room, value, node, edge, T, scale, stride_b, stride_t,
                          K: tl.constexpr, P: tl.constexpr):
    """Many labels: value and counts of what the labels admit, one path, or a sum over what is hidden; counts are 0 at first."""
    b = tl.program_id(0).to(tl.int64)
    n = tl.load(lengths + b).to(tl.int32)
    rows = tl.arange(0, 64)
    missing = tl.zeros((64,), tl.int32)
    for first in range(0, n, 64):
        t = first + rows
        missing += (tl.load(labels + b * T + t, mask=t < n, other=0) < 0).to(tl.int32)
    if tl.sum(missing, 0) == 0:
        _path(unary, pairwise, labels, value, node, edge, b, n, T, b * stride_b, stride_t, 0, K, False, 1)
    else:
        _tiled_log_sweep(admitted, pairwise, alpha, room, value, node, edge, b, n, T, scale, b * T * K, K, K, P, 16)


@triton.jit
def tiled_max_kernel(unary, pairwise, lengths, best, back, value, path, T, stride_b, stride_t,
                      K: tl.constexpr, P: tl.constexpr, S: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    ok = k < K
    tile = tl.arange(0, S)
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    own = b * T * K
    a = tl.load(unary + base + k, mask=ok & (n > 0), other=lowest).to(tl.float32)
    for t in range(1, n):
        tl.debug_barrier()
        tl.store(best + b * K + k, a, mask=ok)
        tl.debug_barrier()
        m = tl.full((P,), lowest, tl.float32)
        from_ = tl.zeros((P,), tl.int32)
        for first in range(0, K, S):
            i = first + tile
            before = tl.load(best + b * K + i, mask=i < K, other=lowest)
            table = tl.load(pairwise + i[:, None] * K + k[None, :], mask=(i < K)[:, None] & ok[None, :], other=lowest)
            high, where = tl.max(before[:, None] + table.to(tl.float32), 0, return_indices=True)
            from_ = tl.where(high > m, first + where, from_)
            m = tl.maximum(m, high)
        a = m + tl.load(unary + base + t * stride_t + k, mask=ok, other=lowest).to(tl.float32)
        tl.store(back + own + t * K + k, from_.to(tl.int16), mask=ok)
    top, last = tl.max(a, 0, return_indices=True)
    tl.store(value + b, tl.where(n > 0, top, 0.0))
    tl.debug_barrier()
    _walk_back(back + own, path + b * T, last, n, K)
