"""Chain losses and predictions as differentiable functions of torch, where the tensors are.

    loss = structured_loss(emissions, transitions, labels, method="ssvm", lengths=lengths).mean()

With u the emissions (batch, positions, labels), p the transitions (labels, labels) and T as in ``hinge.engines``, the
loss of an example is

    T over all labellings of score + rho errors  -  T over the labellings that the labels admit of score.

On the CPU the engines in C++ compute it. On a GPU, with Triton, one fused kernel does (float32 sums; nothing waits for
the device). What the kernels do not serve, hidden labels at two temperatures and float64, is copied to the host, and said
once.
"""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np

from . import engines
from ._optional import optional

torch = optional("torch", "hinge.torch")

# rho, output temperature, latent temperature
_METHODS = {"crf": (0.0, 1.0, 1.0), "hcrf": (0.0, 1.0, 1.0), "ssvm": (1.0, 0.0, 0.0), "lssvm": (1.0, 0.0, 0.0),
            "mssvm": (1.0, 0.0, 1.0), "softmax-margin": (1.0, 1.0, 1.0)}


def _host(tensor: Any) -> np.ndarray:
    tensor = tensor.detach().cpu()
    return (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).contiguous().numpy()


def _plain(values: Any) -> Any:
    return values if values is None or isinstance(values, np.ndarray) else np.asarray(values.cpu() if torch.is_tensor(values) else values)


class _Chain(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of chains on the host; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any, temperature: Any, n_jobs: Any) -> Any:
        value, counts = engines.chain(_host(unary), _host(pairwise), lengths, hidden, temperature, n_jobs)
        ctx.save_for_backward(*(torch.from_numpy(c).to(unary) for c in (counts.unary, counts.pairwise)))
        return torch.from_numpy(value).to(unary.device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        unary, pairwise = ctx.saved_tensors
        steps = "b,bij->ij" if pairwise.dim() == 3 else "b,btij->tij"
        gradient = gradient.to(unary)
        return (gradient[:, None, None] * unary, torch.einsum(steps, gradient, pairwise), None, None, None, None)


_said: set[str] = set()


def _gpu(unary: Any, pairwise: Any, output: float, latent: float, hidden: bool) -> Any:
    """The kernels that serve such chains; None where the host does, which is said once where tensors are elsewhere."""
    if unary.device.type == "cpu":
        return None
    reason = None
    if importlib.util.find_spec("triton") is None or unary.device.type != "cuda":
        reason = f"tensors on {unary.device.type} need Triton and CUDA"
    elif unary.dtype == torch.float64:
        reason = "float64 is computed on the host"
    elif hidden and output != latent:
        reason = "hidden labels at two temperatures are computed on the host"
    else:
        from . import _gpu_chain
        if unary.shape[2] <= (_gpu_chain.LARGEST if pairwise.dim() == 2 else _gpu_chain.TILED):
            return _gpu_chain
        reason = f"{unary.shape[2]} labels are more than the kernels take"
    if reason not in _said:
        _said.add(reason)
        warnings.warn(f"hinge.torch copies to the host: {reason}.", RuntimeWarning, stacklevel=3)
    return None


def _temperatures(temperature: Any) -> tuple[float, float]:
    return tuple(temperature) if isinstance(temperature, (tuple, list)) else (temperature, temperature)


def _on_device(lengths: Any, unary: Any) -> Any:
    return None if lengths is None else torch.as_tensor(lengths, device=unary.device, dtype=torch.int32)


def chain(unary: Any, pairwise: Any, lengths: Any = None, hidden: Any = None, temperature: Any = 1.0,
          n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.chain`` (batch,), differentiable in unary and pairwise."""
    output, latent = _temperatures(temperature)
    kernels = _gpu(unary, pairwise, output, latent, hidden is not None)
    if kernels is not None:
        return kernels.Value.apply(unary, pairwise, _on_device(lengths, unary), float(output))
    return _Chain.apply(unary, pairwise, _plain(lengths), _plain(hidden), temperature, n_jobs)


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
        output, latent = _temperatures(temperature)
    if tuple(labels.shape) != tuple(unary.shape[:2]):
        raise ValueError(f"labels has the shape {tuple(labels.shape)}, where {tuple(unary.shape[:2])} belongs.")
    states = unary.shape[2]
    # On a GPU nobody waits to look at labels: those of other numbers are an error of the caller there.
    kernels = _gpu(unary, pairwise, output, latent, output != latent)
    if kernels is not None:
        return kernels.Loss.apply(unary, pairwise, labels, _on_device(lengths, unary), rho, float(output))
    if int(labels.max()) >= states:
        raise ValueError(f"a label is {int(labels.max())}: labels are from 0 to {states - 1}, and below 0 where hidden.")
    known = labels >= 0
    right = torch.nn.functional.one_hot(labels.clamp(min=0), states).bool() & known[..., None]
    hidden = ~known if not bool(known.all()) else None
    free = unary + rho * ((~right) & known[..., None]).to(unary.dtype) if rho else unary
    clamped = unary.masked_fill(known[..., None] & ~right, -torch.inf)
    return (chain(free, pairwise, lengths, hidden, (output, latent), n_jobs)
            - chain(clamped, pairwise, lengths, None, (latent, latent), n_jobs))


def marginals(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """How probable each label is at each position; not differentiable."""
    kernels = _gpu(unary, pairwise, 1.0, 1.0, False)
    if kernels is not None:
        return kernels.sums(unary.detach(), pairwise.detach(), _on_device(lengths, unary))[1]
    _, counts = engines.chain(_host(unary), _host(pairwise), _plain(lengths), None, 1.0, n_jobs)
    return torch.from_numpy(counts.unary).to(unary.device)


def argmax(unary: Any, pairwise: Any, lengths: Any = None, n_jobs: int | None = None) -> Any:
    """The best labels (batch, positions), -1 behind the end."""
    kernels = _gpu(unary, pairwise, 0.0, 0.0, False)
    if kernels is not None:
        return kernels.best(unary.detach(), pairwise.detach(), _on_device(lengths, unary))[1].long()
    return torch.from_numpy(engines.chain_argmax(_host(unary), _host(pairwise), _plain(lengths), n_jobs)[0]).to(unary.device)
