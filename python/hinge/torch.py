"""Chain losses and predictions as differentiable functions of torch, where the tensors are::

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
from ._losses import (METHODS, each_graph, graph_batch, method_of, one_temperature, refuse_high_labels, refuse_labels,
                      refuse_labels_of_spans, refuse_open_trees, refuse_other_shape, refuse_scores_of_spans, tree_spans)
from ._optional import optional

torch = optional("torch", "hinge.torch")

def _host(tensor: Any) -> np.ndarray:
    tensor = tensor.detach().cpu()
    return (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).contiguous().numpy()


def _floating(scores: Any) -> Any:
    """Scores that are tensors of real numbers: values of whole ones would be cut off."""
    if not torch.is_tensor(scores):
        raise TypeError(f"scores are a {type(scores).__name__}, where a tensor belongs.")
    return scores if scores.is_floating_point() else scores.to(torch.get_default_dtype())


def _plain(values: Any) -> Any:
    return values if values is None or isinstance(values, np.ndarray) else np.asarray(values.cpu() if torch.is_tensor(values) else values)


class _Chain(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of chains on the host; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, lengths: Any, hidden: Any, temperature: Any, n_jobs: Any) -> Any:
        value, counts = engines.chain(_host(unary), _host(pairwise), lengths, hidden, temperature, n_jobs)
        ctx.save_for_backward(*(torch.from_numpy(c).to(unary) for c in (counts.unary, counts.pairwise)))
        ctx.tables = {2: "b,bij->ij", 3: "b,btij->tij", 4: "b,btij->btij"}[pairwise.dim()]
        return torch.from_numpy(value).to(unary.device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        unary, pairwise = ctx.saved_tensors
        gradient = gradient.to(unary)
        return (gradient[:, None, None] * unary, torch.einsum(ctx.tables, gradient, pairwise), None, None, None, None)


class _Loss(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The loss of chains on the host, and its gradient, in one go."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, labels: Any, rho: float, temperature: Any, lengths: Any, n_jobs: Any) -> Any:
        value, counts = engines.chain_loss(_host(unary), _host(pairwise), _plain(labels), rho, temperature, lengths, n_jobs)
        ctx.save_for_backward(*(torch.from_numpy(c).to(unary) for c in counts))
        return torch.from_numpy(value).to(unary.device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        unary, pairwise = ctx.saved_tensors
        gradient = gradient.to(unary)
        return (gradient[:, None, None] * unary, (gradient @ pairwise.flatten(1)).view(pairwise.shape[1:]),
                None, None, None, None, None)


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
    elif hidden and output != latent and output > 0:
        reason = "hidden labels at two temperatures above 0 are computed on the host"
    else:
        from . import _gpu_chain
        two = hidden and output != latent
        if unary.shape[2] <= (_gpu_chain.LARGEST if pairwise.dim() == 2 and not two else _gpu_chain.TILED):
            return _gpu_chain
        reason = f"{unary.shape[2]} labels are more than the kernels take" + (" at two temperatures" if two else "")
    _say(reason)
    return None


def _say(reason: str) -> None:
    if reason not in _said:
        _said.add(reason)
        warnings.warn(f"hinge.torch copies to the host: {reason}.", RuntimeWarning, stacklevel=4)


def _on_device(lengths: Any, unary: Any) -> Any:
    return None if lengths is None else torch.as_tensor(lengths, device=unary.device, dtype=torch.int32)


def chain(unary: Any, pairwise: Any, lengths: Any = None, hidden: Any = None, temperature: Any = 1.0,
          n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.chain`` (batch,), differentiable in unary and pairwise."""
    unary, pairwise = _floating(unary), _floating(pairwise)
    output, latent = engines._temperatures(temperature)
    kernels = _gpu(unary, pairwise, output, latent, hidden is not None)
    if kernels is not None:
        there = None if hidden is None or output == latent else torch.as_tensor(hidden, device=unary.device)
        return kernels.Value.apply(unary, pairwise, _on_device(lengths, unary), there, float(output),
                                   float(output if there is None else latent))
    return _Chain.apply(unary, pairwise, _plain(lengths), _plain(hidden), temperature, n_jobs)


def structured_loss(unary: Any, pairwise: Any, labels: Any, method: str = "crf", lengths: Any = None,
                    temperature: Any = None, n_jobs: int | None = None) -> Any:
    """The loss of each example (batch,). labels (batch, positions) below 0 are hidden.

    method is 'crf', 'ssvm', 'softmax-margin', 'mssvm' ('hcrf' and 'lssvm' are crf and ssvm); ``temperature`` replaces
    the method's, one number or a pair (output, latent).
    """
    rho, output, latent = method_of(method, temperature)
    unary, pairwise, labels = _floating(unary), _floating(pairwise), torch.as_tensor(labels, device=unary.device)
    refuse_labels(labels.shape, unary.shape, labels.dtype)
    # On a GPU nobody waits to look at labels: those of other numbers are an error of the caller there.
    kernels = _gpu(unary, pairwise, output, latent, output != latent)
    if kernels is not None:
        return kernels.Loss.apply(unary, pairwise, labels, _on_device(lengths, unary), rho, float(output), float(latent))
    if pairwise.dim() == 2:
        return _Loss.apply(unary, pairwise, labels, rho, (output, latent), _plain(lengths), n_jobs)
    free, clamped, hidden = _sides(unary, labels, rho, lengths)
    return (chain(free, pairwise, lengths, hidden, (output, latent), n_jobs)
            - chain(clamped, pairwise, lengths, None, (latent, latent), n_jobs))


def _sides(unary: Any, labels: Any, rho: float, lengths: Any = None) -> tuple[Any, Any, Any]:
    """Scores with errors added, scores of what the labels admit, and where they are hidden: None where nowhere."""
    states = unary.shape[-1]
    refuse_labels(labels.shape, unary.shape, labels.dtype)
    refuse_high_labels(_plain(labels), states, _plain(lengths))
    known = (labels >= 0)[..., None]
    wrong = known & (torch.arange(states, device=labels.device) != labels[..., None])
    free = unary + rho * wrong.to(unary.dtype) if rho else unary
    return free, unary.masked_fill(wrong, -torch.inf), None if bool(known.all()) else ~known[..., 0]


class _Graph(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of one graph on the host; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, pairwise: Any, edges: Any, hidden: Any, temperature: Any) -> Any:
        value, answer = engines.graph(_host(unary), edges, _host(pairwise), hidden, temperature)
        tables = answer.pairwise if pairwise.dim() == 3 else answer.pairwise.sum(0)
        ctx.save_for_backward(*(torch.from_numpy(np.ascontiguousarray(c)).to(unary) for c in (answer.unary, tables)))
        return torch.as_tensor(value, dtype=unary.dtype, device=unary.device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        unary, pairwise = ctx.saved_tensors
        return gradient * unary, gradient * pairwise, None, None, None


def graph(unary: Any, edges: Any, pairwise: Any, hidden: Any = None, temperature: Any = 1.0) -> Any:
    """The value of ``hinge.engines.graph``, differentiable in unary and pairwise; computed on the host."""
    unary, pairwise = _floating(unary), _floating(pairwise)
    if unary.device.type != "cpu":
        _say("graphs other than grids are computed on the host")
    return _Graph.apply(unary, pairwise, _plain(edges), _plain(hidden), engines._temperatures(temperature))


def graph_loss(unary: Any, edges: Any, pairwise: Any, labels: Any, method: str = "crf", temperature: Any = None) -> Any:
    """The loss of one graph: unary (nodes, states), edges (edges, 2); labels (nodes,) below 0 are hidden.

    Of several graphs, lists of these or tensors of one dimension more, the loss of each (batch,); edges and pairwise may be the same for all.
    """
    batch = graph_batch(unary, edges, pairwise, labels)
    if batch is not None:
        losses = each_graph(lambda u, e, p, y: graph_loss(u, e, p, y, method, temperature), batch)
        return torch.stack(losses) if losses else unary.new_zeros(0) if hasattr(unary, "new_zeros") else torch.zeros(0)
    rho, output, latent = method_of(method, temperature)
    unary = _floating(unary)
    free, clamped, hidden = _sides(unary, torch.as_tensor(labels, device=unary.device), rho)
    return (graph(free, edges, pairwise, hidden, (output, latent)) - graph(clamped, edges, pairwise, None, (latent, latent)))


class _Trees(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of trees on the host; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, scores: Any, lengths: Any, temperature: float, n_jobs: Any) -> Any:
        value, counts = engines.trees(_host(scores), lengths, temperature, n_jobs)
        ctx.save_for_backward(torch.from_numpy(counts).to(scores))
        return torch.from_numpy(value).to(scores)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient[:, None, None] * ctx.saved_tensors[0], None, None, None


def trees(scores: Any, lengths: Any = None, temperature: Any = 1.0, n_jobs: int | None = None, hidden: Any = None) -> Any:
    """The value of ``hinge.engines.trees`` (batch,), differentiable in the scores of spans (batch, words, words[, labels]).

    Its gradient says how probable each span is, with each label where spans have labels.
    """
    output, latent = engines._temperatures(temperature)
    scores = _floating(scores)
    refuse_scores_of_spans(scores.shape, hidden)
    if scores.dim() == 4:
        if hidden is not None:
            hidden = torch.as_tensor(hidden, device=scores.device).bool()
            refuse_other_shape("hidden", hidden.shape, scores.shape[:3])
        scores = _over_labels(_within(scores, lengths), None if output == latent else hidden, output, latent)
    if _served(scores):
        from . import _gpu_spans
        return _gpu_spans.Trees.apply(scores, _on_device(lengths, scores), output)
    return _Trees.apply(scores, _plain(lengths), output, n_jobs)


def _within(scores: Any, lengths: Any) -> Any:
    """0 where there is no span, below the diagonal and behind the end, so that nothing comes of what stands there; in 32 bits at least."""
    if scores.dtype in (torch.bfloat16, torch.float16):
        scores = scores.float()
    word = torch.arange(scores.shape[1], device=scores.device)
    ends = scores.shape[1] if lengths is None else torch.as_tensor(lengths, device=scores.device)[:, None, None]
    return torch.where(((word[:, None] <= word) & (word < ends))[..., None], scores, 0)


def _over_labels(scores: Any, hidden: Any, output: float, latent: float) -> Any:
    """T over the labels of each span, at the latent temperature where they are hidden."""
    free = _smooth(scores, output)
    return free if hidden is None else torch.where(hidden, _smooth(scores, latent), free)


def _smooth(scores: Any, temperature: float) -> Any:
    """T over the last dimension. -inf alone gives -inf, and no gradient."""
    top = scores.max(-1).values
    if temperature == 0:
        return top
    at = top.detach().clamp(min=torch.finfo(scores.dtype).min)
    sum = ((scores - at[..., None]) / temperature).exp().sum(-1)
    return torch.where(sum > 0, at + temperature * torch.where(sum > 0, sum, 1).log(), top.detach())


def trees_loss(scores: Any, spans: Any, method: str = "crf", lengths: Any = None, temperature: Any = None,
               n_jobs: int | None = None, labels: Any = None) -> Any:
    """The loss of trees (batch,): T over all trees of score + rho errors, less T over those that are admitted of score.

    spans (batch, words, words) are 1 where (first word, last word) stands in the tree, 0 where it does not, and below 0 where
    nobody knows: spans that cross one of the tree are wrong whatever is said. Each wrong span is an error.

    Where spans have labels, scores are (batch, words, words, labels) and ``labels`` (batch, words, words) says which is right; another one is
    an error. Labels below 0 are hidden, and so are all without ``labels``: at two temperatures (``method="mssvm"``) T over them is at the latent
    one. That goes for spans that stand in no right tree too, so that labels of 0 or more, whichever, belong there where labels are known.

    Two temperatures want the whole tree of every sentence: over trees known in part the loss would be a maximum of sums, which takes
    exponential time.
    """
    rho, output, latent = method_of(method, temperature)
    scores = _floating(scores)
    refuse_scores_of_spans(scores.shape, labels)
    ends, said = _plain(lengths), _plain(spans)
    wrong = tree_spans(said, scores.shape[:3], ends)
    if output != latent:
        refuse_open_trees(said, wrong, ends)
    wrong = torch.as_tensor(wrong, device=scores.device)
    if scores.dim() == 3:
        free, clamped, hidden = scores + rho * wrong.to(scores.dtype) if rho else scores, scores, None
    else:
        free, clamped, hidden = _labelled(scores, labels, wrong, rho, latent, ends)
    return (trees(free, lengths, (output, latent), n_jobs, hidden)
            - trees(clamped.masked_fill(wrong, -torch.inf), lengths, latent, n_jobs))


def _labelled(scores: Any, labels: Any, wrong: Any, rho: float, latent: float, lengths: Any) -> tuple[Any, Any, Any]:
    """Scores of labels with errors added, of spans whose labels are right, and where labels are hidden."""
    scores = _within(scores, lengths)
    if labels is None:
        return scores + rho * wrong[..., None].to(scores.dtype), _smooth(scores, latent), torch.ones_like(wrong)
    refuse_labels_of_spans(_plain(labels), scores.shape, lengths)
    labels = torch.as_tensor(labels, device=scores.device).long()
    hidden = labels < 0
    errors = wrong[..., None] | ~hidden[..., None] & (torch.arange(scores.shape[3], device=scores.device) != labels[..., None])
    right = scores.gather(3, labels.clamp(0, scores.shape[3] - 1)[..., None])[..., 0]
    return scores + rho * errors.to(scores.dtype), torch.where(hidden, _smooth(scores, latent), right), hidden


class _Alignment(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of alignments on the host; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, match: Any, open: Any, extend: Any, lengths: Any, local: bool, temperature: float, n_jobs: Any) -> Any:
        value, counts = engines.alignment(_host(match), float(open), float(extend), lengths, local, temperature, n_jobs)
        ctx.save_for_backward(*(torch.from_numpy(c).to(match) for c in counts))
        return torch.from_numpy(value).to(match)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        match, opens, extends = ctx.saved_tensors
        return gradient[:, None, None] * match, gradient @ opens, gradient @ extends, None, None, None, None


def alignment(match: Any, open: Any = 0.0, extend: Any = 0.0, lengths: Any = None, local: bool = False, temperature: float = 1.0,
              n_jobs: int | None = None) -> Any:
    """The value of ``hinge.engines.alignment`` (batch,), differentiable in match (batch, letters, letters), open and extend.

    The gradient in match says how probable it is that two letters stand opposite each other. Computed on the host.
    """
    match = _floating(match)
    if match.device.type != "cpu":
        _say("alignments are computed on the host")
    opened, extended = (torch.as_tensor(gap, dtype=match.dtype, device=match.device) for gap in (open, extend))
    return _Alignment.apply(match, opened, extended, _plain(lengths), local, engines._temperatures(temperature)[0], n_jobs)


class _Grid(torch.autograd.Function):  # type: ignore[misc,name-defined]
    """The value of pictures on the host, as graphs; its gradient is the engine's counts."""

    @staticmethod
    def forward(ctx: Any, unary: Any, horizontal: Any, vertical: Any, temperature: float, settings: Any) -> Any:
        batch, height, width, states = unary.shape
        nodes = np.arange(height * width).reshape(height, width)
        across = np.stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()], 1)
        down = np.stack([nodes[:-1].ravel(), nodes[1:].ravel()], 1)
        tables = np.concatenate([np.broadcast_to(_host(each), (len(edges), states, states))
                                 for each, edges in ((horizontal, across), (vertical, down))])
        value, counts, pairs = [], [], []
        for picture in _host(unary):
            found, answer = engines.graph(picture.reshape(-1, states), np.concatenate([across, down]), tables, None,
                                          temperature, **settings)
            value.append(found)
            counts.append(answer.unary.reshape(picture.shape))
            pairs.append([answer.pairwise[: len(across)].sum(0), answer.pairwise[len(across) :].sum(0)])
        ctx.save_for_backward(*(torch.as_tensor(np.array(each)).to(unary) for each in (counts, pairs)))
        return torch.as_tensor(np.array(value)).to(unary)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        counts, pairs = ctx.saved_tensors
        across, down = torch.einsum("b,bdij->dij", gradient, pairs)
        return gradient[:, None, None, None] * counts, across, down, None, None


def grid(unary: Any, horizontal: Any, vertical: Any, temperature: float = 1.0, sums: str = "tree-reweighted",
         sweeps: int = 50) -> Any:
    """The value of pictures (batch,): unary (batch, height, width, labels), tables (labels, labels) of neighbours.

    ``horizontal`` is of (left, right), ``vertical`` of (above, below). On the host it is exact where that is feasible,
    else by messages; on a GPU always by messages: tree-reweighted ones, above the log of the sum, or 'bethe'.
    """
    temperature = engines._temperatures(temperature)[0]
    if sums not in ("tree-reweighted", "bethe"):
        raise ValueError(f"sums is {sums!r}: give 'tree-reweighted' or 'bethe'.")
    unary, horizontal, vertical = _floating(unary), _floating(horizontal), _floating(vertical)
    if _served(unary):
        from . import _gpu_grid
        return _gpu_grid.Grid.apply(unary, horizontal, vertical, temperature, sweeps, 1.0 if sums == "bethe" else None, 0.0)
    return _Grid.apply(unary, horizontal, vertical, temperature, {"max_sweeps": sweeps})


def grid_loss(unary: Any, horizontal: Any, vertical: Any, labels: Any, method: str = "crf", sums: str = "tree-reweighted",
              sweeps: int = 50) -> Any:
    """The loss of pictures (batch,): labels (batch, height, width), below 0 where hidden; methods of one temperature."""
    rho, output = one_temperature("grids", "graph_loss has the others", method, None)
    unary, labels = _floating(unary), torch.as_tensor(labels, device=unary.device)
    refuse_labels(labels.shape, unary.shape, labels.dtype)
    if labels.device.type == "cpu":
        refuse_high_labels(labels, unary.shape[-1])
    wrong = (labels >= 0)[..., None] & (torch.arange(unary.shape[-1], device=labels.device) != labels[..., None])
    return (grid(unary + rho * wrong.to(unary.dtype), horizontal, vertical, output, sums, sweeps)
            - grid(unary.masked_fill(wrong, -torch.inf), horizontal, vertical, output, sums, sweeps))


def grid_argmax(unary: Any, horizontal: Any, vertical: Any, sweeps: int = 50) -> Any:
    """The labels of each picture (batch, height, width) that messages, or on the host the engine, find best."""
    if _served(unary):
        from . import _gpu_grid
        return _gpu_grid.best(unary.detach(), horizontal.detach(), vertical.detach(), sweeps)[1]
    with torch.enable_grad():
        scores = unary.detach().requires_grad_()
        found = torch.autograd.grad(grid(scores, horizontal.detach(), vertical.detach(), 0.0, sweeps=sweeps).sum(), scores)[0]
    return found.argmax(-1)


def _served(scores: Any) -> bool:
    """Whether the kernels of spans and grids take such scores; else the host does, which is said once."""
    if scores.device.type == "cpu":
        return False
    if importlib.util.find_spec("triton") is None or scores.device.type != "cuda":
        _say(f"tensors on {scores.device.type} need Triton and CUDA")
    elif scores.dtype == torch.float64:
        _say("float64 is computed on the host")
    else:
        return True
    return False


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


def _tables(pairwise: Any, b: int, n: int) -> np.ndarray:
    """The pairs of example b, of n positions."""
    tables = _host(pairwise)
    tables = tables[b] if tables.ndim == 4 else tables
    return tables if tables.ndim == 2 else tables[: n - 1]


def nbest(unary: Any, pairwise: Any, k: int, lengths: Any = None) -> tuple[Any, Any]:
    """The k best labellings: scores (batch, k), -inf where there are fewer, and labels (batch, k, positions), -1 behind the end."""
    kernels = _gpu(unary, pairwise, 0.0, 0.0, False)
    if kernels is not None and unary.shape[2] <= kernels.TILED:
        from . import _gpu_lists
        value, path = _gpu_lists.nbest(unary.detach(), pairwise.detach(), k, _on_device(lengths, unary))
        return value, path.long()
    batch, positions, _ = unary.shape
    value, path = np.full((batch, k), -np.inf), np.full((batch, k, positions), -1)
    for b, (u, n) in enumerate(zip(_host(unary), [positions] * batch if lengths is None else _plain(lengths).tolist())):
        if n:
            labels, scores = engines.chain_nbest(u[:n], _tables(pairwise, b, n), k)
            value[b, : len(scores)], path[b, : len(scores), :n] = scores, labels
    return torch.as_tensor(value, dtype=unary.dtype, device=unary.device), torch.as_tensor(path, device=unary.device)


def samples(unary: Any, pairwise: Any, count: int, lengths: Any = None, temperature: float = 1.0, seed: int = 1) -> Any:
    """Labellings (batch, count, positions) drawn from exp(score / temperature), -1 behind the end."""
    kernels = _gpu(unary, pairwise, temperature, temperature, False)
    if kernels is not None and unary.shape[2] <= kernels.TILED:
        from . import _gpu_lists
        return _gpu_lists.samples(unary.detach(), pairwise.detach(), count, _on_device(lengths, unary), temperature, seed).long()
    batch, positions, _ = unary.shape
    path = np.full((batch, count, positions), -1)
    for b, (u, n) in enumerate(zip(_host(unary), [positions] * batch if lengths is None else _plain(lengths).tolist())):
        if n:
            path[b, :, :n] = engines.chain_samples(u[:n], _tables(pairwise, b, n), count, temperature, seed + b)
    return torch.as_tensor(path, device=unary.device)
