"""Models and data of Python and of the command line: the same bits both ways."""

import json

import numpy as np
import pytest
from cases import case

import hinge


def svmlight(X, heads):
    lines = []
    for head, row in zip(heads, np.asarray(X, dtype=np.float32)):
        pairs = " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row) if v)
        lines.append(f"{head} {pairs}\n")
    return "".join(lines)


def jsonl(graphs, y):
    return "".join(json.dumps({"features": np.asarray(x[0]).tolist(), "edges": np.asarray(x[1]).tolist(),
                               "labels": [str(label) for label in labels]}) + "\n" for x, labels in zip(graphs, y))


def frames(X, y):
    return "\n".join(f"{label} {len(x)}\n" + "".join(" ".join(repr(float(v)) for v in row) + "\n"
                                                    for row in np.asarray(x, dtype=np.float32))
                     for x, label in zip(X, y))


def documents(X, y):
    return "".join(json.dumps({"items": x["n"], "pair_features": np.asarray(x["pairs"]).tolist(),
                               "clusters": [[i for i in range(x["n"]) if labels[i] == c] for c in sorted(set(labels))]})
                   + "\n" for x, labels in zip(X, y))


def numbered(clusters):
    """The cluster of each item."""
    place = {item: c for c, items in enumerate(clusters) for item in items}
    return [place[item] for item in range(len(place))]


def sets(y):
    return [",".join(str(l) for l in range(len(row)) if row[l]) for row in y]


FILES = {
    "MulticlassClassifier": ("multiclass", lambda X, y: svmlight(X, y), lambda line: line.split()[0]),
    "TaxonomyClassifier": ("taxonomy", lambda X, y: svmlight(X, y), lambda line: line.split()[0]),
    "BinaryClassifier": ("binary", lambda X, y: svmlight(X, y), lambda line: line.split()[0]),
    "Ranker": ("rank", lambda X, y: svmlight(X, [f"{int(g)} qid:1" for g in y]), lambda line: float(line)),
    "GraphLabeller": ("graph", jsonl, lambda line: [int(label) for label in json.loads(line)["labels"]]),
    "SequenceClassifier": ("sequence-class", frames, lambda line: line.split()[0]),
    "MotifFinder": ("motif", lambda X, y: "".join(f"s{i}:{label or -1}:1:{x}\n" for i, (x, label) in enumerate(zip(X, y))),
                    lambda line: {"1": 1, "-1": 0}[line.split("\t")[1]] if not line.startswith("#") else None),
    "Clusterer": ("cluster", documents, lambda line: numbered(json.loads(line)["clusters"])),
    "TreeParser": ("parse", lambda X, y: "".join(tree + "\n" for tree in y), lambda line: line),
    "SequenceAligner": ("align", lambda X, y: "".join(f">{2 * i}\n{a}\n>{2 * i + 1}\n{b}\n" for i, (a, b) in enumerate(y)),
                        lambda line: None if line.startswith(">") else line),
    "RnaFolder": ("fold", lambda X, y: "".join(f">{i}\n{x}\n{fold}\n" for i, (x, fold) in enumerate(zip(X, y))),
                  lambda line: line if set(line) <= set("().") else None),
    "MultilabelClassifier": ("multilabel", lambda X, y: svmlight(X, sets(y)), lambda line: line.split(" ")[0]),
}
FLAGS = {"GraphLabeller": ["--format", "jsonl", "--method", "crf"],
         "SequenceClassifier": ["--method", "hcrf", "--states", "2"],
         "MotifFinder": ["--length", "6", "--background-order", "0"], "SequenceAligner": ["--alphabet", "dna"],
         "RnaFolder": ["--features", "stacks"]}


@pytest.mark.parametrize("name", sorted(FILES))
def test_one_model_both_ways(name, command, tmp_path):
    estimator, X, y = case(name)
    task, write, read = FILES[name]
    if isinstance(X, np.ndarray):
        X = X.astype(np.float32).astype(float)
    if name == "SequenceClassifier":
        X = [x.astype(np.float32) for x in X]
    n = 1 if name in ("BinaryClassifier", "Ranker") else len(X)
    data = tmp_path / "data"
    data.write_text(write(X, y))

    estimator.set_params(C=0.5).fit(X, y).save(tmp_path / "ours")
    told = command("predict", tmp_path / "ours", data).splitlines()
    told = [value for value in map(read, told) if value is not None]
    ours = estimator.predict(X)
    if name == "MultilabelClassifier":
        assert told == sets(ours)
    elif name == "SequenceAligner":
        assert list(zip(told[::2], told[1::2])) == estimator.align(X)
    elif name == "Ranker":
        assert np.allclose(told, ours, rtol=1e-6)
    else:
        assert told == [list(each) if isinstance(each, (list, np.ndarray)) else each for each in ours]

    command("train", task, data, "-C", 0.5 * n, "--model", tmp_path / "theirs", *FLAGS.get(name, []))
    theirs = hinge.load(tmp_path / "theirs")
    assert type(theirs) is type(estimator)
    assert np.array_equal(theirs.weights_, estimator.weights_), "files and memory meet in the records"
    if name not in ("MotifFinder", "MultilabelClassifier", "GraphLabeller"):
        for a, b in zip(theirs.predict(X), estimator.predict(X)):
            assert np.array_equal(np.asarray(a), np.asarray(b))


def test_a_file_that_is_no_model(tmp_path):
    (tmp_path / "odd").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="not a model"):
        hinge.load(tmp_path / "odd")
    with pytest.raises(ValueError, match="nowhere"):
        hinge.load(tmp_path / "nowhere")
    estimator, X, y = case("MulticlassClassifier")
    with pytest.raises(ValueError, match="folder"):
        estimator.fit(X, y).save(tmp_path / "no" / "folder")
