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
def _lanes(K: tl.constexpr, P: tl.constexpr):
    """Labels in lanes: their numbers, which lanes have one, which pairs of lanes, and where a pair stands in a table."""
    k = tl.arange(0, P)
    ok = k < K
    return k, ok, ok[:, None] & ok[None, :], k[:, None] * K + k[None, :]


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
def _scores(unary, labels, at, T, b, t, k, ok, rho, scale, stride_t, LOSS: tl.constexpr, ADMIT: tl.constexpr = False):
    """u_t / temperature, with rho (or, with ADMIT, -inf) where a label is known and another one stands there."""
    if ADMIT:
        y = tl.load(labels + b * T + t)
        ok = ok & ((y < 0) | (k == y))
    u = tl.load(unary + at + t * stride_t + k, mask=ok, other=-float("inf")).to(tl.float32)
    if LOSS:
        y = tl.load(labels + b * T + t)
        u += tl.where((y >= 0) & (k != y), rho, 0.0)
    return u * scale


@triton.jit
def _add(at, amount, mask, SIGN: tl.constexpr):
    """Stores the amount (SIGN 0), or adds it to what is there (1), or takes it from that (-1)."""
    if SIGN == 0:
        tl.store(at, amount, mask=mask)
    else:
        tl.store(at, tl.load(at, mask=mask, other=0.0) + SIGN * amount, mask=mask)


@triton.jit
def _log_sweep(unary, pairs, labels, alpha, value, node, edge, b, n, T, rho, scale, base, stride_t, pair_t,
               K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, LOSS: tl.constexpr, ADMIT: tl.constexpr,
               SIGN: tl.constexpr):
    """Value and counts of one chain in logarithms, whatever its scores are.

    Sums from either end are kept up to a constant, and counts of a position and of a step are made to add up to 1, so that
    no number is as large as the chain is long.
    """
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    own = b * T * K
    rowed = b * T * (K + 1)
    table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32) * scale
    a = _scores(unary, labels, base, T, b, 0, k, ok & (n > 0), rho, scale, stride_t, LOSS, ADMIT)
    peak = tl.max(a, 0)
    total = tl.where(peak == lowest, 0.0, peak)
    a = a - total
    tl.store(alpha + rowed + k, a, mask=ok & (n > 0))
    for t in range(1, n):
        u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS, ADMIT)
        if STEPWISE:
            table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
        s = a[:, None] + table
        m = tl.max(s, 0)
        m = tl.where(m == lowest, 0.0, m)
        a = m + tl.log(tl.sum(tl.exp(s - m[None, :]), 0)) + u
        peak = tl.max(a, 0)
        peak = tl.where(peak == lowest, 0.0, peak)
        total += peak
        a = a - peak
        tl.store(alpha + rowed + t * (K + 1) + k, a, mask=ok)
    total = tl.where(n > 0, total + tl.log(tl.sum(tl.exp(a), 0)), 0.0)
    _add(value + b, total / scale, True, SIGN)
    some = tl.where(total == lowest, 0.0, 1.0)  # where nothing is allowed there are no counts
    tl.debug_barrier()
    beta = tl.where(ok, 0.0, lowest)
    used = tl.zeros((P, P), tl.float32)
    for i in range(0, n):
        t = n - 1 - i
        a = tl.load(alpha + rowed + t * (K + 1) + k, mask=ok, other=lowest) + beta
        peak = tl.max(a, 0)
        p = tl.exp(a - tl.where(peak == lowest, 0.0, peak))
        _add(node + own + t * K + k, some * p / tl.maximum(tl.sum(p, 0), 1e-30), ok, SIGN)
        if t > 0:
            x = beta + _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, LOSS, ADMIT)
            before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=lowest)
            if STEPWISE:
                table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32) * scale
            s = table + x[None, :]
            right = tl.max(s, 1)
            right = tl.where(right == lowest, 0.0, right)
            e = tl.exp(s - right[:, None])
            row = tl.sum(e, 1)
            beta = right + tl.log(row)
            # Of a pair: its share of the row, times that of the label before.
            q = before + beta
            peak = tl.max(q, 0)
            q = tl.exp(q - tl.where(peak == lowest, 0.0, peak))
            q = some * q / tl.maximum(tl.sum(q, 0), 1e-30)
            e = e * (q / tl.where(row > 0, row, 1.0))[:, None]
            if STEPWISE:
                _add(edge + (b * (T - 1) + t - 1) * K * K + here, e, both, SIGN)
            else:
                used += e
            peak = tl.max(beta, 0)
            beta = beta - tl.where(peak == lowest, 0.0, peak)
    if not STEPWISE:
        _add(edge + b * K * K + here, used, both, SIGN)


@triton.jit
def _path(unary, pairs, labels, value, node, edge, b, n, T, base, stride_t, pair_t,
          K: tl.constexpr, STEPWISE: tl.constexpr, SIGN: tl.constexpr):
    """Adds the score and the counts of the labels to value and counts, or takes them from these."""
    rows = tl.arange(0, 64)
    score = tl.zeros((64,), tl.float32)
    for first in range(0, n, 64):
        t = first + rows
        inside = t < n
        y = tl.load(labels + b * T + t, mask=inside, other=0)
        score += tl.load(unary + base + t * stride_t + y, mask=inside, other=0.0).to(tl.float32)
        _add(node + b * T * K + t * K + y, tl.full((64,), 1.0, tl.float32), inside, SIGN)
        step = inside & (t > 0)
        x = tl.load(labels + b * T + t - 1, mask=step, other=0)
        if STEPWISE:
            score += tl.load(pairs + (t - 1) * pair_t + x * K + y, mask=step, other=0.0).to(tl.float32)
            tl.atomic_add(edge + (b * (T - 1) + t - 1) * K * K + x * K + y, tl.full((64,), 1.0 * SIGN, tl.float32), mask=step)
        else:
            score += tl.load(pairs + x * K + y, mask=step, other=0.0).to(tl.float32)
            tl.atomic_add(edge + b * K * K + x * K + y, tl.full((64,), 1.0 * SIGN, tl.float32), mask=step)
    tl.store(value + b, tl.load(value + b) + SIGN * tl.sum(score, 0))


@triton.jit
def _best_admitted(unary, pairs, labels, alpha, value, node, edge, b, n, T, base, stride_t, pair_t,
                   K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, SIGN: tl.constexpr):
    """The same of the best path that the labels admit."""
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    rowed = b * T * (K + 1)
    table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32)
    a = _scores(unary, labels, base, T, b, 0, k, ok, 0.0, 1.0, stride_t, False, True)
    tl.store(alpha + rowed + k, a, mask=ok)
    for t in range(1, n):
        if STEPWISE:
            table = tl.load(pairs + (t - 1) * pair_t + here, mask=both, other=lowest).to(tl.float32)
        a = tl.max(a[:, None] + table, 0) + _scores(unary, labels, base, T, b, t, k, ok, 0.0, 1.0, stride_t, False, True)
        tl.store(alpha + rowed + t * (K + 1) + k, a, mask=ok)
    tl.store(value + b, tl.load(value + b) + SIGN * tl.max(a, 0))
    tl.debug_barrier()
    last = tl.argmax(a, 0)
    for i in range(0, n):
        t = n - 1 - i
        at = node + b * T * K + t * K + last
        tl.store(at, tl.load(at) + 1.0 * SIGN)
        if t > 0:
            before = tl.load(alpha + rowed + (t - 1) * (K + 1) + k, mask=ok, other=lowest)
            if STEPWISE:
                column = tl.load(pairs + (t - 1) * pair_t + k * K + last, mask=ok, other=lowest).to(tl.float32)
            else:
                column = tl.load(pairs + k * K + last, mask=ok, other=lowest).to(tl.float32)
            from_ = tl.argmax(before + column, 0)  # the one whose step gave the maximum
            if STEPWISE:
                tl.atomic_add(edge + (b * (T - 1) + t - 1) * K * K + from_ * K + last, 1.0 * SIGN)
            else:
                tl.atomic_add(edge + b * K * K + from_ * K + last, 1.0 * SIGN)
            last = from_


@triton.jit
def _clamp(unary, pairs, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t,
           K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, HARD: tl.constexpr, SIGN: tl.constexpr):
    """Adds the labellings that the labels admit to value and counts, or takes them from these: one path, the best, or
    a sum over what is hidden."""
    rows = tl.arange(0, 64)
    missing = tl.zeros((64,), tl.int32)
    for first in range(0, n, 64):
        t = first + rows
        missing += (tl.load(labels + b * T + t, mask=t < n, other=0) < 0).to(tl.int32)
    if tl.sum(missing, 0) == 0:
        _path(unary, pairs, labels, value, node, edge, b, n, T, base, stride_t, pair_t, K, STEPWISE, SIGN)
    elif HARD:
        _best_admitted(unary, pairs, labels, alpha, value, node, edge, b, n, T, base, stride_t, pair_t, K, P, STEPWISE, SIGN)
    else:
        _log_sweep(unary, pairs, labels, alpha, value, node, edge, b, n, T, 0.0, scale, base, stride_t, pair_t,
                   K, P, STEPWISE, False, True, SIGN)


@triton.jit
def clamped_kernel(unary, pairwise, lengths, labels, alpha, value, node, edge, T, scale, stride_b, stride_t, pair_b, pair_t,
                    K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, HARD: tl.constexpr, SIGN: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    n = tl.load(lengths + b).to(tl.int32)
    _clamp(unary, pairwise + b * pair_b, labels, alpha, value, node, edge, b, n, T, scale, b * stride_b, stride_t, pair_t,
           K, P, STEPWISE, HARD, SIGN)


@triton.jit
def _zero(at, count):
    lane = tl.arange(0, 1024)
    for first in range(0, count, 1024):
        tl.store(at + first + lane, tl.zeros((1024,), tl.float32), mask=first + lane < count)


@triton.jit
def _difference(unary, pairs, path, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t,
                K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, HARD: tl.constexpr):
    """Counts of what the path admits less those of what the labels admit, whose value is taken from the value."""
    kept = tl.load(value + b)
    tables = 1
    if STEPWISE:
        tables = T - 1
    _zero(node + b * T * K, T * K)
    _zero(edge + b * tables * K * K, tables * K * K)
    tl.debug_barrier()
    _clamp(unary, pairs, path, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t, K, P, STEPWISE, HARD, 1)
    tl.debug_barrier()
    tl.store(value + b, kept)
    tl.debug_barrier()
    _clamp(unary, pairs, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t, K, P, STEPWISE, HARD, -1)


@triton.jit
def _longer(M, pairs, k, ok, scale, K: tl.constexpr, P: tl.constexpr):
    """log of exp(M) exp(table): sums over what stands between, one label of it at a time."""
    lowest = -float("inf")
    high = tl.full((P, P), -1e38, tl.float32)
    sum = tl.zeros((P, P), tl.float32)
    for j in range(0, K):
        column = tl.sum(tl.where(k[None, :] == j, M, 0.0), 1)
        row = tl.load(pairs + j * K + k, mask=ok, other=lowest).to(tl.float32) * scale
        s = column[:, None] + row[None, :]
        higher = tl.maximum(high, s)
        sum = sum * tl.exp(high - higher) + tl.exp(s - higher)
        high = higher
    return high + tl.log(sum)


@triton.jit
def mixed_kernel(unary, pairwise, lengths, labels, back, value, path, alpha, node, edge, T, rho, scale,
                  stride_b, stride_t, pair_b, pair_t,
                  K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, COUNTS: tl.constexpr):
    """The maximum over labels of the positions whose label is known, of sums over all others: value, and those labels.
    With COUNTS, less the value of the labels themselves, and the counts of both.

    Between two outputs a table M[label of the output before, label here] sums over what is hidden; behind the next output
    the maximum over the former is taken, and remembered.
    """
    b = tl.program_id(0).to(tl.int64)
    k, ok, both, here = _lanes(K, P)
    lowest = -float("inf")
    n = tl.load(lengths + b).to(tl.int32)
    base = b * stride_b
    own = b * T * K
    pairs = pairwise + b * pair_b
    a = _scores(unary, labels, base, T, b, 0, k, ok & (n > 0), rho, scale, stride_t, True)
    M = tl.where(k[:, None] == 0, a[None, :], lowest)  # a first run of hidden positions has no output before it
    shown = tl.load(labels + b * T) >= 0
    table = tl.load(pairs + here, mask=both & (n > 1), other=lowest).to(tl.float32) * scale
    for t in range(1, n):
        u = _scores(unary, labels, base, T, b, t, k, ok, rho, scale, stride_t, True)
        step = pairs
        if STEPWISE:
            step = pairs + (t - 1) * pair_t
            table = tl.load(step + here, mask=both, other=lowest).to(tl.float32) * scale
        if shown:
            M = a[:, None] + table
        else:
            M = _longer(M, step, k, ok, scale, K, P)
        shown = tl.load(labels + b * T + t) >= 0
        if shown:
            top, best = tl.max(M, 0, return_indices=True)
            a = top + u
            tl.store(back + own + t * K + k, best.to(tl.int16), mask=ok)
        else:
            M = M + u[None, :]
    if not shown:  # sums over the last run, for each output before it
        high = tl.max(M, 1)
        high = tl.where(high == lowest, 0.0, high)
        a = high + tl.log(tl.sum(tl.exp(M - high[:, None]), 1))
    top, last = tl.max(a, 0, return_indices=True)
    tl.store(value + b, tl.where(n > 0, top / scale, 0.0))
    tl.debug_barrier()
    for i in range(0, n):
        t = n - 1 - i
        if tl.load(labels + b * T + t) >= 0:
            tl.store(path + b * T + t, last)
            last = tl.load(back + own + t * K + last, mask=t > 0, other=0).to(tl.int32)
        else:
            tl.store(path + b * T + t, -1)
    if COUNTS:
        tl.debug_barrier()
        _difference(unary, pairs, path, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t,
                    K, P, STEPWISE, False)


@triton.jit
def sum_kernel(unary, pairwise, lengths, labels, alpha, value, node, edge, T, scale, safe, rho,
                stride_b, stride_t, pair_b, pair_t,
                K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, LOSS: tl.constexpr, CLAMP: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    k, ok, both, here = _lanes(K, P)
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
        _log_sweep(unary, pairs, labels, alpha, value, node, edge, b, n, T, rho, scale, base, stride_t, pair_t,
                   K, P, STEPWISE, LOSS, False, 0)
    if CLAMP:
        tl.debug_barrier()
        _clamp(unary, pairs, labels, alpha, value, node, edge, b, n, T, scale, base, stride_t, pair_t, K, P, STEPWISE, False, -1)


@triton.jit
def _walk_back(back, path, last, n, K: tl.constexpr):
    """The path that ends in ``last``, by the pointers of each position."""
    for i in range(0, n):
        t = n - 1 - i
        tl.store(path + t, last)
        if t > 0:
            last = tl.load(back + t * K + last).to(tl.int32)


@triton.jit
def max_kernel(unary, pairwise, lengths, labels, back, value, path, alpha, node, edge, T, rho,
                stride_b, stride_t, pair_b, pair_t,
                K: tl.constexpr, P: tl.constexpr, STEPWISE: tl.constexpr, LOSS: tl.constexpr, COUNTS: tl.constexpr):
    """The best path; with COUNTS its value less that of the labels, and the counts of both."""
    b = tl.program_id(0).to(tl.int64)
    k, ok, both, here = _lanes(K, P)
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
    if COUNTS:
        tl.debug_barrier()
        _difference(unary, pairs, path, labels, alpha, value, node, edge, b, n, T, 1.0, base, stride_t, pair_t,
                    K, P, STEPWISE, True)
