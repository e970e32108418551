"""The objective by enumeration, written without a look at Hinge's code: sums and maxima over lists of structures.

    free(w)    = T_τy over y' of [ ρ Δ(y, y') + T_τh over h of <w, φ(x, y', h)> ]
    clamped(w) = T_τh over the structures that the label admits of <w, φ(x, y', h)>
    objective  = 1/2 |w − w0|² + l1 |w|_1 + (C/n) Σ_i c_i (free_i − clamped_i),      T_τ[f] = τ log Σ exp(f/τ)

w0 is 0 but for weights that the task knows beforehand. Some weights may have to be nonnegative. With slack rescaling an example adds max over y' of Δ(y, y') (1 + <w, φ(x, y') − φ(x, y)>) instead.
"""
import dataclasses

import numpy
import scipy.optimize

MOST_STRUCTURES = 3000  # of one example; larger ones are not enumerated


@dataclasses.dataclass
class Structure:
    features: dict  # by name
    loss: float
    output: object  # structures of equal output differ in what is hidden
    admitted: bool  # by the label
    prediction: tuple = None  # what `hinge predict` would write of it
    answer: bool = True  # else it is the label's alone: a mixture of answers


@dataclasses.dataclass
class Method:
    rho: float
    output_temperature: float
    latent_temperature: float
    slack: bool
    C: float
    l1: float

    @staticmethod
    def of(summary):
        return Method(
            rho=0.0 if summary["method"] in ("crf", "hcrf") else 1.0,
            output_temperature=summary["output_temperature"],
            latent_temperature=summary["latent_temperature"],
            slack=summary["rescaling"] == "slack",
            C=summary["C"],
            l1=summary["options"]["learning"]["l1"],
        )

    def smoothed(self, temperature):
        return dataclasses.replace(self, output_temperature=max(self.output_temperature, temperature),
                                   latent_temperature=max(self.latent_temperature, temperature))


def soft(values, temperature):
    """T_τ of the values, and its gradient."""
    top = values.max()
    if temperature == 0:
        share = numpy.zeros(len(values))
        share[values.argmax()] = 1
        return top, share
    share = numpy.exp((values - top) / temperature)
    total = share.sum()
    return top + temperature * numpy.log(total), share / total


class Example:
    def __init__(self, weight, structures, column):
        self.weight = weight
        self.structures = sorted(structures, key=lambda s: (not s.answer, repr(s.output)))
        self.matrix = numpy.zeros((len(structures), len(column)))
        for row, s in enumerate(self.structures):
            for name, value in s.features.items():
                self.matrix[row, column[name]] += value
        self.loss = numpy.array([s.loss for s in self.structures])
        outputs = [s.output for s in self.structures if s.answer]
        self.begins = [k for k in range(len(outputs)) if k == 0 or outputs[k] != outputs[k - 1]]
        self.answers = sum(s.answer for s in structures)  # they come first
        self.admitted = numpy.array([k for k, s in enumerate(self.structures) if s.admitted])

    def determined(self):
        return len(self.admitted) == 1

    def excess(self, w, method, smoothing):
        """What the example adds to the objective, and the gradient."""
        scores = self.matrix @ w
        if method.slack:
            reference = scores[self.admitted[0]]
            loss, matrix = self.loss[: self.answers], self.matrix[: self.answers]
            value, share = soft(loss * (1 + scores[: self.answers] - reference), smoothing)
            slope = (share * loss) @ (matrix - self.matrix[self.admitted[0]])
            return value, slope
        latent, output = max(method.latent_temperature, smoothing), max(method.output_temperature, smoothing)
        augmented = (scores + method.rho * self.loss)[: self.answers]
        if latent == output:
            free, share = soft(augmented, output)
        else:
            ends = self.begins[1:] + [len(augmented)]
            inner = [soft(augmented[a:b], latent) for a, b in zip(self.begins, ends)]
            free, outer = soft(numpy.array([v for v, _ in inner]), output)
            share = numpy.concatenate([o * s for o, (_, s) in zip(outer, inner)])
        clamped, own = soft(scores[self.admitted], latent)
        return free - clamped, share @ self.matrix[: self.answers] - own @ self.matrix[self.admitted]


    def trouble(self, w, decoding, latent_temperature, predicted):
        """A sentence about a prediction that is not the best by its decoding; None where it is. The best have all the same value."""
        scores = self.matrix @ w
        if decoding == "max-marginals":
            _, share = soft(scores, 1.0)
            chances = [{} for _ in predicted]
            for p, s in zip(share, self.structures):
                for place, label in enumerate(s.prediction):
                    chances[place][label] = chances[place].get(label, 0) + p
            for place, (chance, label) in enumerate(zip(chances, predicted)):
                if lookup(chance, label, 0) < max(chance.values()) - 1e-9:
                    return f"place {place} is {label}, but the probabilities are {chance}"
            return None
        temperature = 0 if decoding == "joint" else latent_temperature
        values = {}
        for score, s in zip(scores, self.structures):
            values.setdefault(s.prediction, []).append(score)
        values = {key: soft(numpy.array(each), temperature)[0] for key, each in values.items()}
        own, top = lookup(values, tuple(predicted), -numpy.inf), max(values.values())
        if own < top - 1e-9 * max(1, abs(top)):
            return f"{predicted} has the value {own}, but {max(values, key=values.get)} has {top}"
        return None


def lookup(table, key, otherwise):
    return next((value for own, value in table.items() if own == key), otherwise)


class Problem:
    """Examples as pairs (weight, structures); `bounded` says of a name whether its weight must not be negative, `centre` near which number it stays."""

    def __init__(self, examples, bounded=lambda name: False, centre=lambda name: 0.0):
        names = {name for _, structures in examples for s in structures for name in s.features}
        self.column = {name: k for k, name in enumerate(sorted(names))}
        self.bounds = [(0, None) if bounded(name) else (None, None) for name in sorted(names)]
        self.centre = numpy.array([centre(name) for name in sorted(names)])
        self.examples = [Example(weight, structures, self.column) for weight, structures in examples]

    def convex(self):
        return all(e.determined() for e in self.examples)

    def vector(self, named):
        """Weights by name as a vector, and those that no structure uses."""
        w = numpy.zeros(len(self.column))
        for name, value in named.items():
            if name in self.column:
                w[self.column[name]] = value
        return w, {name: value for name, value in named.items() if name not in self.column}

    def value_and_gradient(self, w, method, smoothing=0.0):
        gradient = w - self.centre
        value = 0.5 * (gradient @ gradient)
        scale = method.C / len(self.examples)
        for example in self.examples:
            excess, slope = example.excess(w, method, smoothing)
            value += scale * example.weight * excess
            gradient += scale * example.weight * slope
        if method.l1 > 0:
            width = max(smoothing, 1e-12)
            size = numpy.sqrt(w * w + width * width) if smoothing else numpy.abs(w)
            value += method.l1 * size.sum()
            gradient += method.l1 * (w / size if smoothing else numpy.sign(w))
        return value, gradient

    def value(self, w, method):
        return self.value_and_gradient(w, method)[0]

    def largest_score(self, w):
        return max((float(numpy.abs(e.matrix @ w).max()) for e in self.examples), default=0.0)

    def lowest(self, method, start):
        """The lowest objective that a general solver finds: an upper bound of the optimum, close where it is convex."""
        best, w = self.value(start, method), start
        if len(w) == 0:
            return best
        hard = method.slack or method.l1 > 0 or min(method.output_temperature, method.latent_temperature) == 0
        for smoothing in (0.1, 0.01, 1e-3, 1e-4, 1e-5) if hard else (0.0,):
            found = scipy.optimize.minimize(self.value_and_gradient, w, args=(method, smoothing), jac=True,
                                            method="L-BFGS-B", bounds=self.bounds, options={"maxiter": 400, "ftol": 1e-13, "gtol": 1e-9})
            w = found.x
            best = min(best, self.value(w, method))
        return best
