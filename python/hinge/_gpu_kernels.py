"""Kernels of chains for the GPU (_gpu_chain.py calls them): value and counts of a batch, a sequence a program.

With s = scores / temperature and E = exp(pairwise - max), the forward pass keeps a_t, the forward probabilities scaled
to add up to 1,

    a_t = (a_{t-1} E) * exp(u_t - max u_t) / c_t,          log Z = sum of log c_t and of the maxima taken out,

and the backward pass b_t likewise, so that counts are a_t * b_t and E * sum of a_{t-1} y_t^T: no exponential of a matrix a
step. That is safe where scores spread little: the spread over labels of log a_t is at most that of pairwise plus that of
u_t. Where both together exceed ``safe`` (a mask of -inf does), the same kernel runs in logarithms instead, as the engine
in C++ does. Maxima keep back pointers and walk back in the kernel.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def _spread(unary, base, n, K: tl.constexpr, P: tl.constexpr, scale, stride_t):
    """The largest (max - min) over labels of a position."""
    k = tl.arange(0, P)
    ok = k < K
    rows = tl.arange(0, 16)
    worst = tl.zeros((16,), tl.float32)
    for t0 in range(0, n, 16):
        t = t0 + rows
        here = (t < n)[:, None] & ok[None, :]
        at = unary + base + t[:, None] * stride_t + k[None, :]
        high = tl.max(tl.load(at, mask=here, other=-float("inf")).to(tl.float32), 1)
        low = tl.min(tl.load(at, mask=here, other=float("inf")).to(tl.float32), 1)
        apart = tl.where(low == -float("inf"), float("inf"), high - low)
        worst = tl.maximum(worst, tl.where(t < n, apart, 0.0))
    return tl.max(worst, 0) * scale


@triton.jit
def _scores(unary, labels, at, T, b, t, k, ok, rho, scale, stride_t, LOSS: tl.constexpr):
    """u_t / temperature, and rho where a label is known and another one stands there."""
    u = tl.load(unary + at + t * stride_t + k, mask=ok, other=-float("inf")).to(tl.float32)
    if LOSS:
        y = tl.load(labels + b * T + t)
        u += tl.where((y >= 0) & (k != y), rho, 0.0)
    return u * scale


@triton.jit
def _clamp(unary, pairs, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t,
           K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, HARD: tl.constexpr):
    """Takes the labellings that the labels admit from value and counts: one path, or a sum over what is hidden."""
    own = b * T * K
    rowed = b * T * (K + 1)
    rows = tl.arange(0, 64)
    missing = tl.zeros((64,), tl.int32)
    score = tl.zeros((64,), tl.float32)
    for first in range(0, n, 64):
        t = first + rows
        inside = t < n
        y = tl.load(labels + b * T + t, mask=inside, other=0)
        missing += (y < 0).to(tl.int32)
        y = tl.maximum(y, 0)
        score += tl.load(unary + base + t * stride_t + y, mask=inside, other=0.0).to(tl.float32)
        step = inside & (t > 0)
        x = tl.maximum(tl.load(labels + b * T + t - 1, mask=step, other=0), 0)
        table = pairs
        if STEPWISE:
            table = pairs + (t - 1) * pair_t
        score += tl.load(table + x * K + y, mask=step, other=0.0).to(tl.float32)
    if tl.sum(missing, 0) == 0:
        tl.store(value + b, tl.load(value + b) - tl.sum(score, 0))
        for first in range(0, n, 64):
            t = first + rows
            inside = t < n
            y = tl.load(labels + b * T + t, mask=inside, other=0)
            at = node + own + t * K + y
            tl.store(at, tl.load(at, mask=inside, other=0.0) - 1.0, mask=inside)
            step = inside & (t > 0)
            x = tl.load(labels + b * T + t - 1, mask=step, other=0)
            if STEPWISE:
                tl.atomic_add(edge + (b * (T - 1) + t - 1) * K * K + x * K + y, -1.0, mask=step)
            else:
                tl.atomic_add(edge + b * K * K + x * K + y, -1.0, mask=step)
    else:
        k = tl.arange(0, P)
        ok = k < K
        both = ok[:, None] & ok[None, :]
        here = k[:, None] * K + k[None, :]
        lowest = -float("inf")
        y = tl.load(labels + b * T)
        table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32) * scale
        a = tl.load(unary + base + k, mask=ok & ((y < 0) | (k == y)), other=lowest).to(tl.float32) * scale
        tl.store(alpha + rowed + k, a, mask=ok)
        for t in range(1, n):
            y = tl.load(labels + b * T + t)
            u = tl.load(unary + base + t * stride_t + k, mask=ok & ((y < 0) | (k == y)), other=lowest).to(tl.float32) * scale
            if STEPWISE:
                table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
            s = a[:, None] + table
            m = tl.max(s, 0)
            if not HARD:
                m = tl.where(m == lowest, 0.0, m)
                m = m + tl.log(tl.sum(tl.exp(s - m[None, :]), 0))
            a = m + u
            tl.store(alpha + rowed + t * (K + 1) + k, a, mask=ok)
        peak = tl.max(a, 0)
        if HARD:
            tl.store(value + b, tl.load(value + b) - peak / scale)
            tl.debug_barrier()
            # The first label of the best path, from its end: the one whose step gave the maximum.
            last = tl.argmax(a, 0)
            for i in range(0, n):
                t = n - 1 - i
                at = node + own + t * K + last
                tl.store(at, tl.load(at) - 1.0)
                if t > 0:
                    before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=lowest)
                    if STEPWISE:
                        column = tl.load(pairs + (t - 1) * pair_t + k * K + last, mask=ok, other=lowest).to(tl.float32) * scale
                    else:
                        column = tl.load(pairs + k * K + last, mask=ok, other=lowest).to(tl.float32) * scale
                    from_ = tl.argmax(before + column, 0)
                    if STEPWISE:
                        tl.atomic_add(edge + (b * (T - 1) + t - 1) * K * K + from_ * K + last, -1.0)
                    else:
                        tl.atomic_add(edge + b * K * K + from_ * K + last, -1.0)
                    last = from_
        else:
            peak = tl.where(peak == lowest, 0.0, peak)
            total = peak + tl.log(tl.sum(tl.exp(a - peak), 0))
            tl.store(value + b, tl.load(value + b) - total / scale)
            z = tl.where(total == lowest, 0.0, total)
            tl.debug_barrier()
            beta = tl.where(ok, 0.0, lowest)
            used = tl.zeros((P, P), tl.float32)
            for i in range(0, n):
                t = n - 1 - i
                a = tl.load(alpha + rowed + t * (K + 1) + k, mask=ok, other=lowest)
                at = node + own + t * K + k
                tl.store(at, tl.load(at, mask=ok, other=0.0) - tl.exp(a + beta - z), mask=ok)
                if t > 0:
                    y = tl.load(labels + b * T + t)
                    u = tl.load(unary + base + t * stride_t + k, mask=ok & ((y < 0) | (k == y)), other=lowest).to(tl.float32)
                    x = beta + u * scale
                    before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=lowest)
                    if STEPWISE:
                        table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
                    s = table + x[None, :]
                    p = tl.exp(before[:, None] + s - z)
                    if STEPWISE:
                        step = edge + (b * (T - 1) + t - 1) * K * K + here
                        tl.store(step, tl.load(step, mask=both, other=0.0) - p, mask=both)
                    else:
                        used += p
                    right = tl.max(s, 1)
                    right = tl.where(right == lowest, 0.0, right)
                    beta = right + tl.log(tl.sum(tl.exp(s - right[:, None]), 1))
            if not STEPWISE:
                tl.store(edge + b * K * K + here, tl.load(edge + b * K * K + here, mask=both, other=0.0) - used, mask=both)


@triton.jit
def clamped_kernel(unary, pairwise, lengths, labels, alpha, value, node, edge, T, scale, stride_b, stride_t, pair_b, pair_t,
                    K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    n = tl.load(lengths + b).to(tl.int32)
    _clamp(unary, pairwise + b * pair_b, labels, alpha, value, node, edge, b, n, T, scale, b * stride_b, stride_t, pair_t,
           K, P, STEPWISE, True)


@triton.jit
def sum_kernel(unary, pairwise, lengths, labels, alpha, value, node, edge, T, scale, safe, rho,
                stride_b, stride_t, pair_b, pair_t,
                K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, LOSS: tl.constexpr, CLAMP: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    ok = k < K
    both = ok[:, None] & ok[None, :]
    here = k[:, None] * K + k[None, :]
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    own = b * T * K
    rowed = b * T * (K + 1)  # a row of alpha: a_t, then c_t
    for t in range(n, T):
        tl.store(node + own + t * K + k, tl.zeros((P,), tl.float32), mask=ok)
    pairs = pairwise + b * pair_b
    spread = _spread(unary, base, n, K, P, scale, stride_t)
    if LOSS:
        spread += rho * scale
    there = both & (n > 1)
    table = tl.load(pairs + here, mask=there, other=lowest).to(tl.float32) * scale
    apart = 0.0
    if STEPWISE:
        for t in range(0, n - 1):
            step = pairs + t * pair_t + here
            high = tl.max(tl.max(tl.load(step, mask=both, other=lowest).to(tl.float32), 1), 0)
            low = tl.min(tl.min(tl.load(step, mask=both, other=-lowest).to(tl.float32), 1), 0)
            apart = tl.maximum(apart, tl.where(low == lowest, -lowest, (high - low) * scale))
    else:
        low = tl.min(tl.min(tl.load(pairs + here, mask=there, other=-lowest).to(tl.float32), 1), 0) * scale
        apart = tl.where(low == lowest, -lowest, tl.maximum(tl.max(tl.max(table, 1), 0) - low, 0.0))
    spread += apart
    u = _scores(unary, labels, base, T, b, 0, k, ok & (n > 0), rho, scale, stride_t, LOSS)
    if spread <= safe:
        top = tl.max(tl.max(table, 1), 0)
        E = tl.exp(table - top)  # 0 beyond K
        peak = tl.max(u, 0)
        peak = tl.where(n > 0, peak, 0.0)
        a = tl.exp(u - peak)
        c = tl.sum(a, 0)
        c = tl.where(n > 0, c, 1.0)
        a = a / c
        total = peak + tl.log(c)
        tl.store(alpha + rowed + k, a, mask=ok & (n > 0))
        for t in range(1, n):
            u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS)
            if STEPWISE:
                table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
                top = tl.max(tl.max(table, 1), 0)
                E = tl.exp(table - top)
            peak = tl.max(u, 0)
            a = tl.sum(a[:, None] * E, 0) * tl.exp(u - peak)
            c = tl.sum(a, 0)
            a = a / c
            total += peak + top + tl.log(c)
            tl.store(alpha + rowed + t * (K + 1) + k, a, mask=ok)
            tl.store(alpha + rowed + t * (K + 1) + K, c)
        tl.store(value + b, total / scale)
        tl.debug_barrier()
        beta = tl.where(ok, 1.0, 0.0)
        used = tl.zeros((P, P), tl.float32)
        for i in range(0, n):
            t = n - 1 - i
            a = tl.load(alpha + rowed + t * (K + 1) + k, mask=ok, other=0.0)
            tl.store(node + own + t * K + k, a * beta, mask=ok)
            if t > 0:
                u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS)
                c = tl.load(alpha + rowed + t * (K + 1) + K)
                y = tl.exp(u - tl.max(u, 0)) * beta / c
                before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=0.0)
                if STEPWISE:
                    table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
                    E = tl.exp(table - tl.max(tl.max(table, 1), 0))
                    tl.store(edge + (b * (T - 1) + t - 1) * K * K + here, before[:, None] * E * y[None, :], mask=both)
                else:
                    used += before[:, None] * y[None, :]
                beta = tl.sum(E * y[None, :], 1)
        if not STEPWISE:
            tl.store(edge + b * K * K + here, tl.where(n > 1, E * used, 0.0), mask=both)
    else:
        a = u
        tl.store(alpha + rowed + k, a, mask=ok & (n > 0))
        for t in range(1, n):
            u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS)
            if STEPWISE:
                table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
            s = a[:, None] + table
            m = tl.max(s, 0)
            m = tl.where(m == lowest, 0.0, m)
            a = m + tl.log(tl.sum(tl.exp(s - m[None, :]), 0)) + u
            tl.store(alpha + rowed + t * (K + 1) + k, a, mask=ok)
        peak = tl.max(a, 0)
        peak = tl.where(peak == lowest, 0.0, peak)
        total = peak + tl.log(tl.sum(tl.exp(a - peak), 0))
        total = tl.where(n > 0, total, 0.0)
        tl.store(value + b, total / scale)
        z = tl.where(total == lowest, 0.0, total)  # nothing is allowed: no counts
        tl.debug_barrier()
        beta = tl.where(ok, 0.0, lowest)
        used = tl.zeros((P, P), tl.float32)
        for i in range(0, n):
            t = n - 1 - i
            a = tl.load(alpha + rowed + t * (K + 1) + k, mask=ok, other=lowest)
            tl.store(node + own + t * K + k, tl.exp(a + beta - z), mask=ok)
            if t > 0:
                u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS)
                x = beta + u
                before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=lowest)
                if STEPWISE:
                    table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
                s = table + x[None, :]
                p = tl.exp(before[:, None] + s - z)
                if STEPWISE:
                    tl.store(edge + (b * (T - 1) + t - 1) * K * K + here, p, mask=both)
                else:
                    used += p
                right = tl.max(s, 1)
                right = tl.where(right == lowest, 0.0, right)
                beta = right + tl.log(tl.sum(tl.exp(s - right[:, None]), 1))
        if not STEPWISE:
            tl.store(edge + b * K * K + here, used, mask=both)
    if CLAMP:
        tl.debug_barrier()
        _clamp(unary, pairs, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t, K, P, STEPWISE, False)


@triton.jit
def _walk_back(back, path, last, n, K: tl.constexpr):
    """The path that ends in ``last``, by the pointers of each position."""
    for i in range(0, n):
        t = n - 1 - i
        tl.store(path + t, last)
        if t > 0:
            last = tl.load(back + t * K + last).to(tl.int32)


@triton.jit
def max_kernel(unary, pairwise, lengths, labels, back, value, path, T, rho, stride_b, stride_t, pair_b, pair_t,
                K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, LOSS: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    ok = k < K
    both = ok[:, None] & ok[None, :]
    here = k[:, None] * K + k[None, :]
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    own = b * T * K
    pairs = pairwise + b * pair_b
    table = tl.load(pairs + here, mask=both, other=lowest).to(tl.float32)
    a = _scores(unary, labels, base, T, b, 0, k, ok & (n > 0), rho, 1.0, stride_t, LOSS)
    for t in range(1, n):
        u = _scores(unary, labels, base, T, b, t, k, ok, rho, 1.0, stride_t, LOSS)
        if STEPWISE:
            table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32)
        s = a[:, None] + table
        a, best = tl.max(s, 0, return_indices=True)
        a += u
        tl.store(back + own + t * K + k, best.to(tl.int16), mask=ok)
    top, last = tl.max(a, 0, return_indices=True)
    tl.store(value + b, tl.where(n > 0, top, 0.0))
    tl.debug_barrier()
    _walk_back(back + own, path + b * T, last, n, K)


@triton.jit
def tiled_sum_kernel(unary, pairwise, lengths, alpha, beta, value, node, edge, T, scale, stride_b, stride_t,
                      K: tl.constexpr, P: tl.constexpr, S: tl.constexpr):
    """Many labels: the table is read in tiles at every step, and sums stay in logarithms."""
    b = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, P)
    ok = k < K
    tile = tl.arange(0, S)
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
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
            tl.store(beta + b * K + k, later + u, mask=ok)
            tl.debug_barrier()
            before = tl.load(alpha + own + (t - 1) * K + k, mask=ok, other=lowest)
            m = tl.full((P,), -1e38, tl.float32)
            sum = tl.zeros((P,), tl.float32)
            for first in range(0, K, S):
                j = first + tile
                x = tl.load(beta + b * K + j, mask=j < K, other=lowest)
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
