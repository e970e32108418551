"""Binary trees over words on the GPU: inside and outside of a batch, a sentence a program.

With s(i, j) the score of the words i ... j, i <= j, standing together, and T the sum or the maximum,

    in(i, j)  = s(i, j) + T over k of in(i, k) + in(k + 1, j),                    value = in(0, n - 1),
    out(i, j) = T over m > j of out(i, m) + s(i, m) + in(j + 1, m), and over h < i of out(h, j) + s(h, j) + in(h, i - 1),

and the counts are exp((in + out - value) / temperature). Where s is -inf the span stands in no tree.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from ._opaque import opaque


@triton.jit
def _sentence(lengths, n_max, R: tl.constexpr, S: tl.constexpr):
    """This program's sentence, where its table begins, its words; rows of spans, and parts of a sum over splits."""
    b = tl.program_id(0).to(tl.int64)
    return b, b * n_max * n_max, tl.load(lengths + b).to(tl.int32), tl.arange(0, R), tl.arange(0, S)


@triton.jit
def inside_kernel(scores, lengths, inside, across, split, value, n_max, scale, R: tl.constexpr, S: tl.constexpr,
                   HARD: tl.constexpr):
    """`inside` by (first, last), `across` by (last, first): the sum over splits reads both along their rows."""
    b, at, n, row, part = _sentence(lengths, n_max, R, S)
    lowest = -float("inf")
    for first in range(0, n, R):
        i = first + row
        s = tl.load(scores + at + i * n_max + i, mask=i < n, other=lowest).to(tl.float32) * scale
        tl.store(inside + at + i * n_max + i, s, mask=i < n)
        tl.store(across + at + i * n_max + i, s, mask=i < n)
    for width in range(1, n):
        tl.debug_barrier()
        for first in range(0, n - width, R):
            i = first + row
            j = i + width
            there = j < n
            m = tl.full((R,), -1e38, tl.float32)
            sum = tl.zeros((R,), tl.float32)
            where = tl.zeros((R,), tl.int32)
            for begin in range(0, width, S):
                k = begin + part
                some = there[:, None] & (k < width)[None, :]
                left = tl.load(inside + at + i[:, None] * n_max + i[:, None] + k[None, :], mask=some, other=lowest)
                right = tl.load(across + at + j[:, None] * n_max + i[:, None] + k[None, :] + 1, mask=some, other=lowest)
                s = left + right
                if HARD:
                    top, best = tl.max(s, 1, return_indices=True)
                    where = tl.where(top > m, begin + best, where)
                    m = tl.maximum(m, top)
                else:
                    higher = tl.maximum(m, tl.max(s, 1))
                    sum = sum * tl.exp(m - higher) + tl.sum(tl.exp(s - higher[:, None]), 1)
                    m = higher
            total = tl.load(scores + at + i * n_max + j, mask=there, other=lowest).to(tl.float32) * scale
            if HARD:
                total += tl.where(m == -1e38, lowest, m)
                tl.store(split + at + i * n_max + j, where, mask=there)
            else:
                total += m + tl.log(sum)
            tl.store(inside + at + i * n_max + j, total, mask=there)
            tl.store(across + at + j * n_max + i, total, mask=there)
    tl.debug_barrier()
    tl.store(value + b, tl.load(inside + at + n - 1, mask=n > 0, other=0.0) / scale)


@triton.jit
def outside_kernel(scores, lengths, inside, across, outside, outcross, counts, n_max, scale, R: tl.constexpr,
                    S: tl.constexpr):
    """From the widest spans on. `outside` and `outcross` hold out + s, by (first, last) and by (last, first)."""
    b, at, n, row, part = _sentence(lengths, n_max, R, S)
    lowest = -float("inf")
    z = tl.load(inside + at + n - 1, mask=n > 0, other=0.0)
    possible = z > lowest
    z = tl.where(possible, z, 0.0)
    for back in range(0, n):
        width = n - 1 - back
        tl.debug_barrier()
        for first in range(0, n - width, R):
            i = first + row
            j = i + width
            there = j < n
            m = tl.full((R,), -1e38, tl.float32)
            sum = tl.zeros((R,), tl.float32)
            for begin in range(0, n, S):
                k = begin + part
                after = there[:, None] & (k[None, :] > j[:, None]) & (k < n)[None, :]
                s = tl.load(outside + at + i[:, None] * n_max + k[None, :], mask=after, other=lowest)
                s += tl.load(inside + at + (j[:, None] + 1) * n_max + k[None, :], mask=after, other=lowest)
                before = there[:, None] & (k[None, :] < i[:, None])
                s2 = tl.load(outcross + at + j[:, None] * n_max + k[None, :], mask=before, other=lowest)
                s2 += tl.load(across + at + (i[:, None] - 1) * n_max + k[None, :], mask=before, other=lowest)
                higher = tl.maximum(m, tl.maximum(tl.max(s, 1), tl.max(s2, 1)))
                sum = sum * tl.exp(m - higher) + tl.sum(tl.exp(s - higher[:, None]) + tl.exp(s2 - higher[:, None]), 1)
                m = higher
            out = tl.where(width == n - 1, 0.0, m + tl.log(sum))
            own = tl.load(scores + at + i * n_max + j, mask=there, other=lowest).to(tl.float32) * scale
            tl.store(outside + at + i * n_max + j, out + own, mask=there)
            tl.store(outcross + at + j * n_max + i, out + own, mask=there)
            whole = tl.load(inside + at + i * n_max + j, mask=there, other=lowest)
            used = tl.where(possible, tl.exp(whole + out - z), 0.0)
            tl.store(counts + at + i * n_max + j, used, mask=there)


@triton.jit
def tree_kernel(split, lengths, stack, counts, value, n_max):
    """The spans of the best tree, from the top down; none where there is no tree."""
    b = tl.program_id(0).to(tl.int64)
    at = b * n_max * n_max
    own = stack + b * (n_max + 1) * 2
    n = tl.load(lengths + b).to(tl.int32)
    if (n > 0) & (tl.load(value + b) > -float("inf")):
        tl.store(own, 0)
        tl.store(own + 1, n - 1)
        depth = 1
        while depth > 0:
            tl.debug_barrier()
            i = tl.load(own + depth * 2 - 2)
            j = tl.load(own + depth * 2 - 1)
            tl.store(counts + at + i * n_max + j, 1.0)
            depth -= 1
            if j > i:
                k = i + tl.load(split + at + i * n_max + j)
                tl.debug_barrier()
                tl.store(own + depth * 2 + 1, k)  # (i, k) in the place of (i, j)
                tl.store(own + depth * 2 + 2, k + 1)
                tl.store(own + depth * 2 + 3, j)
                depth += 2


def trees(scores: Any, lengths: Any = None, temperature: float = 1.0) -> tuple[Any, Any]:
    """Values (batch,) and how often, or how probably, each span is used (batch, words, words)."""
    batch, n_max = scores.shape[:2]
    scores = scores.contiguous()
    if lengths is None:
        lengths = torch.full((batch,), n_max, device=scores.device, dtype=torch.int32)
    value = torch.zeros(batch, device=scores.device)
    counts = torch.zeros((batch, n_max, n_max), device=scores.device)
    if batch == 0 or n_max == 0:
        return value, counts
    room = lambda: torch.full((batch, n_max, n_max), -torch.inf, device=scores.device)  # noqa: E731
    inside, across, hard = room(), room(), temperature == 0
    scale = 1.0 if hard else 1 / temperature
    split = torch.zeros((batch, n_max, n_max), device=scores.device, dtype=torch.int32)
    inside_kernel[(batch,)](scores, lengths, inside, across, split, value, n_max, scale, R=16, S=32, HARD=hard, num_warps=4)
    if hard:
        stack = torch.zeros((batch, n_max + 1, 2), device=scores.device, dtype=torch.int32)
        tree_kernel[(batch,)](split, lengths, stack, counts, value, n_max, num_warps=1)
    else:
        outside_kernel[(batch,)](scores, lengths, inside, across, room(), room(), counts, n_max, scale, R=16, S=32,
                                  num_warps=4)
    return value, counts


def _shapes(scores: Any, *_: Any) -> tuple[Any, Any]:
    return scores.new_empty(scores.shape[:1], dtype=torch.float32), torch.empty_like(scores, dtype=torch.float32)


_trees = opaque("trees", "(Tensor scores, Tensor? lengths, float temperature) -> (Tensor, Tensor)", _shapes)(trees)


class Trees(torch.autograd.Function):  # type: ignore[misc]
    """The value of trees; its gradient is the counts."""

    @staticmethod
    def forward(ctx: Any, scores: Any, lengths: Any, temperature: float) -> Any:
        value, counts = _trees(scores.detach(), lengths, temperature)
        ctx.save_for_backward(counts)
        ctx.kind = scores.dtype
        return value

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        (counts,) = ctx.saved_tensors
        return (gradient[:, None, None] * counts).to(ctx.kind), None, None
