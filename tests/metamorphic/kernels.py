"""Kernels of rows, as features: a factor of the matrix of all products, K = Φ Φᵀ. Its weights are others than Hinge's, the optimum is the same.

    linear  <x, x'>        polynomial  (γ <x, x'> + offset)^degree        rbf  exp(−γ |x − x'|²)
"""
import numpy
from hypothesis import strategies as st

LARGEST = 100  # of a row's kernel with itself: what is smaller by orders of magnitude would be left out of the map


@st.composite
def flags(draw):
    """Flags of one kernel that go together, as a list of (flag, value)."""
    kernel = draw(st.sampled_from(["linear", "polynomial", "rbf"]))
    how = draw(st.sampled_from(["greedy", "greedy", "nystroem", "none"] + ["fourier"] * (kernel == "rbf")))  # none: of multiclass, else refused
    drawn = [("kernel", kernel)] + [("kernel-map", how)] * (how != "greedy")
    more = {"kernel-memory": st.sampled_from(["1e-4", "1"])} if how == "none" else {"kernel-size": st.sampled_from(["1", "3", "40"])}
    if kernel != "linear":
        more["kernel-gamma"] = st.sampled_from(["0.1", "1", "2"])
    if kernel == "polynomial":
        more |= {"kernel-degree": st.sampled_from(["1", "2"]), "kernel-offset": st.sampled_from(["0", "1", "2.5"])}
    if how not in ("greedy", "none"):
        more["kernel-seed"] = st.sampled_from(["0", "7"])
    return drawn + [(flag, draw(more[flag])) for flag in sorted(more) if draw(st.booleans())]


def mapped(rows, options):
    """Other rows {k: value} with the kernel's products; None where Hinge has fewer features than that takes."""
    if options["kernel"] == "none":
        return rows
    if options["kernel_map"] == "fourier" or options["kernel_size"] < len(rows):
        return None
    names = sorted({name for row in rows for name in row}, key=str)
    x = numpy.array([[row.get(name, 0) for name in names] for row in rows], dtype=float).reshape(len(rows), len(names))
    gamma = options["kernel_gamma"] or (1 / (len(names) * x.var()) if x.size and x.var() > 0 else 1)
    products = x @ x.T
    if options["kernel"] == "polynomial":
        products = (gamma * products + options["kernel_offset"]) ** options["kernel_degree"]
    elif options["kernel"] == "rbf":
        norms = numpy.diag(products)
        products = numpy.exp(-gamma * (norms[:, None] + norms[None, :] - 2 * products))
    if numpy.diag(products).max(initial=0) > LARGEST:
        return None
    values, vectors = numpy.linalg.eigh(products)
    features = vectors * numpy.sqrt(numpy.maximum(values, 0))
    return [dict(enumerate(row)) for row in features.tolist()]


def whole(options):
    """Whether what a kernel becomes does not depend on the order and number of rows: nothing of it is left out or drawn."""
    return options.get("kernel", "none") == "none" or options["kernel_map"] == "none" or (
        options["kernel_map"] == "greedy" and options["kernel_size"] >= 40)


def mapped_rows(groups, options):
    """The same of lists of rows."""
    if options["kernel"] not in ("none", "linear") and not options["kernel_gamma"]:
        return None  # the usual one depends on features that are 0 everywhere
    found = mapped([row for group in groups for row in group], options)
    new = iter(found or [])
    return found and [[next(new) for _ in group] for group in groups]


def mapped_examples(examples, options):
    """The same of examples: their rows are the dictionaries of numbers in them, whose keys are numbers of features."""
    if options.get("kernel", "none") == "none":
        return examples
    found = []

    def collect(part):
        if is_row(part):
            found.append(part)
        elif isinstance(part, (list, tuple)):
            for each in part:
                collect(each)

    def replaced(part, new):
        if is_row(part):
            return {k + 1: v for k, v in next(new).items()}
        return type(part)(replaced(each, new) for each in part) if isinstance(part, (list, tuple)) else part

    collect(examples)
    rows = mapped(found, options)
    return None if rows is None else replaced(examples, iter(rows))


def is_row(part):
    return isinstance(part, dict) and all(isinstance(key, int) for key in part)
