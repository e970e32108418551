"""CRFsuite (python-crfsuite, L-BFGS) on attribute files.

    crfsuite_chunking.py train TRAIN TEST MODEL C2 [DELTA]     crfsuite_chunking.py tag TEST MODEL

It minimises c2 |w|^2 + sum_i −log p(y_i | x_i) over the attribute-label pairs and label pairs seen in training,
which is 2 c2 times Hinge's objective for the crf method with C = n / (2 c2).
"""

import re
import sys

import pycrfsuite

import attributes
import chunks
from measure import cpu_seconds, peak_mb, report, timed


def train(train_file, test_file, model, c2, delta=None):
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    params = {"c1": 0, "c2": float(c2), "feature.minfreq": 0}
    if delta is not None:
        params["delta"] = float(delta)
    trainer.set_params(params)
    n = 0
    for labels, words in attributes.read(train_file):
        trainer.append(words, labels)
        n += 1
    lines = []
    trainer.message = lines.append
    _, seconds = timed(lambda: trainer.train(model))
    text = "".join(lines)
    losses = [float(x) for x in re.findall(r"Loss: ([0-9.]+)", text)]
    peak = peak_mb()
    info = pycrfsuite.Tagger()
    info.open(model)
    predicted, truth = [], []
    for labels, words in attributes.read(test_file):
        truth.append(labels)
        predicted.append(info.tag(words))
    right = sum(a == b for t, p in zip(truth, predicted) for a, b in zip(t, p))
    features = re.search(r"Number of features: (\d+)", text)
    report(peer="crfsuite", c2=float(c2), n=n, C=n / (2 * float(c2)), features=int(features.group(1)) if features else None,
           loss=losses[-1], primal=losses[-1] / (2 * float(c2)), iterations=len(losses), cpu_seconds=seconds, peak_mb=peak,
           accuracy=right / sum(map(len, truth)), f1=chunks.f1(truth, predicted))


def tag(test_file, model):
    """Seconds for reading the file into item sequences, and for tagging those: attribute look-up and Viterbi."""
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    items, reading = timed(lambda: [pycrfsuite.ItemSequence(words) for _, words in attributes.read(test_file)])
    tokens = sum(len(x) for x in items)
    _, seconds = timed(lambda: [tagger.tag(x) for x in items])
    report(peer="crfsuite", tokens=tokens, read_seconds=reading, tag_seconds=seconds, tokens_per_second=tokens / seconds,
           cpu_seconds=cpu_seconds(), peak_mb=peak_mb())


if __name__ == "__main__":
    {"train": train, "tag": tag}[sys.argv[1]](*sys.argv[2:])
