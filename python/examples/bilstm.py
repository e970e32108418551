#!/usr/bin/env python3
"""A character BiLSTM that chunks CoNLL-2000, trained with four chain losses side by side.

    pip install torch
    python python/examples/bilstm.py train.txt test.txt [--sentences 1000] [--epochs 4] [--methods crf ssvm softmax-margin mssvm]

A word is what a BiLSTM over its characters says of it, beside vectors of its own and of its part of speech; a second BiLSTM
over the words gives every label a score, and ``hinge.torch.structured_loss`` does the rest. For mssvm a share of the labels
(--hide) is taken away: it sums over what they might be, and takes the maximum over the others.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time

import torch

import hinge.torch


def read(path, count=None):
    """Sentences of (word, part of speech, label)."""
    with open(path) as file:
        blocks = (list(group) for blank, group in itertools.groupby(file, key=lambda line: not line.strip()) if not blank)
        return [[tuple(line.split()) for line in block] for block in itertools.islice(blocks, count)]


class Vocabulary:
    """Numbers of names; 0 is padding, 1 what training has less than twice."""

    def __init__(self, names, least=2):
        counts = {}
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        self.number = {name: k for k, name in enumerate((n for n, c in counts.items() if c >= least), 2)}

    def __len__(self):
        return len(self.number) + 2

    def __getitem__(self, name):
        return self.number.get(name, 1)


class Chunker(torch.nn.Module):
    def __init__(self, words, tags, characters, labels, size=64):
        super().__init__()
        self.words = torch.nn.Embedding(words, 50, padding_idx=0)
        self.tags = torch.nn.Embedding(tags, 16, padding_idx=0)
        self.characters = torch.nn.Embedding(characters, 16, padding_idx=0)
        self.spelling = torch.nn.LSTM(16, 24, bidirectional=True, batch_first=True)
        self.sentence = torch.nn.LSTM(50 + 16 + 48, size, bidirectional=True, batch_first=True)
        self.emit = torch.nn.Linear(2 * size, labels)
        self.transitions = torch.nn.Parameter(torch.zeros(labels, labels))

    def forward(self, words, tags, characters):
        """Scores (batch, positions, labels)."""
        batch, positions, letters = characters.shape
        ends = self.spelling(self.characters(characters.view(batch * positions, letters)))[1][0]
        spelled = ends.transpose(0, 1).reshape(batch, positions, -1)
        x = torch.cat([self.words(words), self.tags(tags), spelled], -1)
        return self.emit(self.sentence(torch.nn.functional.dropout(x, 0.25, self.training))[0])


class Corpus:
    """Sentences as tensors, in batches of neighbours in length."""

    def __init__(self, train):
        self.words = Vocabulary(word.lower() for s in train for word, _, _ in s)
        self.tags = Vocabulary((tag for s in train for _, tag, _ in s), 1)
        self.characters = Vocabulary(c for s in train for word, _, _ in s for c in word)
        self.labels = sorted({label for s in train for _, _, label in s})

    def batches(self, sentences, size=32, letters=16, device="cpu"):
        place = {label: k for k, label in enumerate(self.labels)}
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        for begin in range(0, len(order), size):
            chosen = [sentences[i] for i in order[begin : begin + size]]
            longest = max(map(len, chosen))
            pad = lambda rows: torch.tensor(rows, device=device)
            words = pad([[self.words[w.lower()] for w, _, _ in s] + [0] * (longest - len(s)) for s in chosen])
            tags = pad([[self.tags[t] for _, t, _ in s] + [0] * (longest - len(s)) for s in chosen])
            spelled = pad([[[self.characters[c] for c in w[:letters]] + [0] * (letters - len(w[:letters])) for w, _, _ in s]
                           + [[0] * letters] * (longest - len(s)) for s in chosen])
            labels = pad([[place.get(l, 0) for _, _, l in s] + [0] * (longest - len(s)) for s in chosen])
            lengths = pad([len(s) for s in chosen])
            yield (words, tags, spelled), labels, lengths


def chunks(labels):
    """(first, last, type) of every chunk."""
    found, begin = set(), None
    for t, label in enumerate([*labels, "O"]):
        mark, _, kind = label.partition("-")
        if begin is not None and (mark != "I" or kind != begin[1]):
            found.add((begin[0], t - 1, begin[1]))
            begin = None
        if mark == "B" or (mark == "I" and begin is None):
            begin = (t, kind)
    return found


def evaluate(model, corpus, batches):
    """Share of labels that are right, and F1 of chunks."""
    right = total = both = told = true = 0
    model.eval()
    with torch.no_grad():
        for inputs, labels, lengths in batches:
            answers = hinge.torch.argmax(model(*inputs), model.transitions, lengths).cpu()
            for answer, truth, n in zip(answers, labels.cpu(), lengths.cpu()):
                a, y = ([corpus.labels[k] for k in row[:n].tolist()] for row in (answer, truth))
                right, total = right + sum(p == q for p, q in zip(a, y)), total + int(n)
                a, y = chunks(a), chunks(y)
                both, told, true = both + len(a & y), told + len(a), true + len(y)
    return right / total, 2 * both / max(1, told + true)


def train(method, corpus, training, test, epochs, hide, device="cpu", seed=0):
    torch.manual_seed(seed)
    model = Chunker(len(corpus.words), len(corpus.tags), len(corpus.characters), len(corpus.labels)).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=2e-3)
    in_loss, began = 0.0, time.perf_counter()
    for _ in range(epochs):
        model.train()
        for k in torch.randperm(len(training)).tolist():
            inputs, labels, lengths = training[k]
            if method == "mssvm":
                labels = labels.masked_fill(torch.rand(labels.shape, device=device) < hide, -1)
            emissions = model(*inputs)
            before = time.perf_counter()
            loss = hinge.torch.structured_loss(emissions, model.transitions, labels, method=method, lengths=lengths).mean()
            in_loss += time.perf_counter() - before
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
    seconds = time.perf_counter() - began
    accuracy, f1 = evaluate(model, corpus, test)
    return {"method": method, "accuracy": accuracy, "chunk_f1": f1, "seconds": seconds, "share_in_loss": in_loss / seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--hide", type=float, default=0.2)
    parser.add_argument("--methods", nargs="+", default=["crf", "ssvm", "softmax-margin", "mssvm"])
    parser.add_argument("--threads", type=int)
    parser.add_argument("--output", help="write the figures there, as JSON")
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    sentences = read(args.train, args.sentences)
    corpus = Corpus(sentences)
    training, test = list(corpus.batches(sentences)), list(corpus.batches(read(args.test)))
    rows = []
    print(f"{'method':<16}{'accuracy':>10}{'chunk F1':>10}{'seconds':>10}{'in the loss':>13}")
    for method in args.methods:
        row = train(method, corpus, training, test, args.epochs, args.hide)
        rows.append(row)
        print(f"{method:<16}{row['accuracy']:>10.4f}{row['chunk_f1']:>10.4f}{row['seconds']:>10.1f}{row['share_in_loss']:>12.1%}", flush=True)
    if args.output:
        with open(args.output, "w") as file:
            json.dump({"sentences": len(sentences), "epochs": args.epochs, "hidden for mssvm": args.hide, "methods": rows}, file, indent=1)


if __name__ == "__main__":
    main()
