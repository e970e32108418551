"""Chain losses and predictions as differentiable functions of torch, on the CPU.

    loss = structured_loss(emissions, transitions, labels, method="ssvm", lengths=lengths).mean()

With u the emissions (batch, positions, labels), p the transitions (labels, labels) and T as in ``hinge.engines``, the
loss of an example is

    T over all labellings of score + rho errors  -  T over the labellings that the labels admit of score.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import engines
from ._optional import optional

torch = optional("torch", "hinge.torch")

# rho, output temperature, latent temperature
_METHODS = {"crf": (0.0, 1.0, 1.0), "hcrf": (0.0, 1.0, 1.0), "ssvm": (1.0, 0.0, 0.0), "lssvm": (1.0, 0.0, 0.0),
            "mssvm": (1.0, 0.0, 1.0), "softmax-margin": (1.0, 1.0, 1.0)}


class _Chain(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of chains; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any, temperature: Any, n_jobs: Any) -> Any:
        value, counts = engines.chain(unary.detach().contiguous().numpy(), pairwise.detach().contiguous().numpy(),
                                      lengths, hidden, temperature, n_jobs)
        ctx.save_for_backward(torch.from_numpy(counts.unary), torch.from_numpy(counts.pairwise))
        return torch.from_numpy(value)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        unary, pairwise = ctx.saved_tensors
        steps = "b,bij->ij" if pairwise.dim() == 3 else "b,btij->tij"
        return (gradient[:, None, None] * unary, torch.einsum(steps, gradient, pairwise), None, None, None, None)


def _arrays(lengths: Any, hidden: Any) -> tuple[Any, Any]:
    return (None if lengths is None else np.asarray(lengths), None if hidden is None else np.asarray(hidden))


def chain(unary: Any, pairwise: Any, lengths: Any = None, hidden: Any = None, temperature: Any = 1.0,
          n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.chain`` (batch,), differentiable in unary and pairwise."""
    if unary.device.type != "cpu":
        raise ValueError(f"unary is on {unary.device}: the engines run on the CPU, give unary.cpu().")
    return _Chain.apply(unary, pairwise, *_arrays(lengths, hidden), temperature, n_jobs)


def structured_loss(unary: Any, pairwise: Any, labels: Any, method: str = "crf", lengths: Any = None,
                    temperature: Any = None, n_jobs: int | None = None) -> Any:
    """The loss of each example (batch,). labels (batch, positions) below 0 are hidden.

    method is 'crf', 'ssvm', 'softmax-margin', 'mssvm' ('hcrf' and 'lssvm' are crf and ssvm); ``temperature`` replaces
    the method's, one number or a pair (output, latent).
    """
    if method not in _METHODS:
        raise ValueError(f"method is {method!r}: give one of {', '.join(_METHODS)}.")
    rho, output, latent = _METHODS[method]
    if temperature is not None:
        output, latent = temperature if isinstance(temperature, (tuple, list)) else (temperature, temperature)
    if tuple(labels.shape) != tuple(unary.shape[:2]):
        raise ValueError(f"labels has the shape {tuple(labels.shape)}, where {tuple(unary.shape[:2])} belongs.")
    states = unary.shape[2]
    if int(labels.max()) >= states:
        raise ValueError(f"a label is {int(labels.max())}: labels are from 0 to {states - 1}, and below 0 where hidden.")
    known = labels >= 0
    right = torch.nn.functional.one_hot(labels.clamp(min=0), states).bool() & known[..., None]
    hidden = (~known).numpy() if not bool(known.all()) else None
    free = unary + rho * ((~right) & known[..., None]).to(unary.dtype) if rho else unary
    clamped = unary.masked_fill(known[..., None] & ~right, -torch.inf)
    return (chain(free, pairwise, lengths, hidden, (output, latent), n_jobs)
            - chain(clamped, pairwise, lengths, None, (latent, latent), n_jobs))


def marginals(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """How probable each label is at each position; not differentiable."""
    _, counts = engines.chain(unary.detach().contiguous().numpy(), pairwise.detach().contiguous().numpy(), lengths,
                              None, 1.0, n_jobs)
    return torch.from_numpy(counts.unary)


def argmax(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """The best labels (batch, positions), -1 behind the end."""
    return torch.from_numpy(engines.chain_argmax(unary.detach().numpy(), pairwise.detach().numpy(), lengths, n_jobs)[0])
