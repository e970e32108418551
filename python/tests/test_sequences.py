"""Taggers: what goes in, in every form that people have, and what comes out."""

import itertools

import numpy as np
import pytest
from conftest import sentences

import hinge


def crf(**keywords):
    return hinge.SequenceTagger(method="crf", gap=1e-8, **keywords)


def test_lists_dicts_and_sets_say_the_same(tagged):
    X, y = tagged
    X = [[{"word": token["word"], "first": token["first"]} for token in x] for x in X]
    lists = [[["word:" + token["word"], *(["first"] if token["first"] else [])] for token in x] for x in X]
    nested = [[{"word": [token["word"]], **({"first": 1} if token["first"] else {})} for token in x] for x in X]
    sets = [[set(token) for token in x] for x in lists]
    expected = crf().fit(X, y).predict_proba(X)
    for other in (lists, nested, sets, [[{k: np.float32(v) if k == "first" else v for k, v in t.items()} for t in x] for x in X]):
        for a, b in zip(expected, crf().fit(other, y).predict_proba(other)):
            assert np.allclose(a, b, atol=1e-4)


def test_generators_are_read_once(tagged):
    X, y = tagged
    whole = crf().fit(X, y)
    pieces = crf().fit((x for x in X), (labels for labels in y))
    assert np.array_equal(whole.weights_, pieces.weights_)
    assert list(pieces.predict(x for x in X)) == list(whole.predict(X))


def test_tables_csr_and_lengths_say_the_same(rng):
    sparse = pytest.importorskip("scipy.sparse")
    tables = [np.where(rng.random((t, 6)) < 0.5, 0, rng.normal(size=(t, 6))) for t in (3, 1, 5, 4)]
    y = [rng.integers(0, 3, len(x)).tolist() for x in tables]
    lengths = [len(x) for x in tables]
    whole, labels = np.vstack(tables), [label for each in y for label in each]
    expected = crf().fit(tables, y)
    forms = [
        (([sparse.csr_matrix(x) for x in tables], y), {}),
        ((whole, labels), {"lengths": lengths}),
        ((sparse.csr_matrix(whole), labels), {"lengths": lengths}),
        (([np.asfortranarray(x) for x in tables], y), {}),
        (([x.astype(np.float32).astype(object).astype(float) for x in tables], [np.array(each) for each in y]), {}),
    ]
    for (X, z), keywords in forms:
        other = crf().fit(X, z, **keywords)
        assert np.array_equal(other.weights_, expected.weights_)
    assert expected.classes_.tolist() == [0, 1, 2]
    assert all(type(label) is int for label in expected.predict(tables)[0])
    assert list(expected.predict(whole, lengths=lengths)) == list(expected.predict(tables))
    for each in (np.float32, np.float64, np.int64):
        expected.predict([np.zeros((2, 6), dtype=each)])
    locked = tables[0].copy()
    locked.flags.writeable = False
    assert expected.predict([locked[::-1]])[0] is not None


def test_frames_of_tokens(tagged):
    pandas = pytest.importorskip("pandas")
    X, y = tagged
    table = pandas.DataFrame([{"sentence": i, "word": token["word"], "tag": label}
                              for i, (x, labels) in enumerate(zip(X, y)) for token, label in zip(x, labels)])
    by_frame = crf().fit(table, sentence="sentence", label="tag")
    by_list = crf().fit([[{"word": token["word"]} for token in x] for x in X], y)
    assert np.array_equal(by_frame.weights_, by_list.weights_)
    assert list(by_frame.predict(table.drop(columns="tag"), sentence="sentence")) == \
        list(by_list.predict([[{"word": token["word"]} for token in x] for x in X]))
    with pytest.raises(ValueError, match="sentence="):
        crf().fit(table, y)


def enumerated(tagger, x):
    """Every labelling with its score, by the k best."""
    return tagger.predict_nbest([x], k=len(tagger.classes_) ** len(x))[0]


def test_marginals_and_best_are_those_of_enumeration(tagged):
    X, y = tagged
    tagger = crf().fit(X, y)
    x = next(x for x in X if len(x) == 4)
    listed = enumerated(tagger, x)
    assert len(listed) == 3 ** 4 and len({tuple(labels) for labels, _ in listed}) == 81
    assert [score for _, score in listed] == sorted((score for _, score in listed), reverse=True)
    assert listed[0][0] == tagger.predict([x])[0]
    weights = np.exp([score for _, score in listed])
    for t, k in itertools.product(range(4), range(3)):
        expected = sum(w for (labels, _), w in zip(listed, weights) if labels[t] == tagger.classes_[k]) / weights.sum()
        assert np.isclose(tagger.predict_proba([x])[0][t, k], expected, atol=1e-10)


def test_given_labels_stay_and_condition_the_others(tagged):
    X, y = tagged
    tagger = crf().fit(X, y)
    x = next(x for x in X if len(x) == 3)
    listed = [(labels, score) for labels, score in enumerated(tagger, x) if labels[1] == "VERB"]
    assert tagger.predict([x], given=[[None, "VERB", None]])[0] == listed[0][0]
    weights = np.exp([score for _, score in listed])
    first = sum(w for (labels, _), w in zip(listed, weights) if labels[0] == "DET") / weights.sum()
    assert np.isclose(tagger.predict_proba([x], given=[[None, "VERB", None]])[0][0, 0], first, atol=1e-10)


def test_hidden_labels(rng):
    X, y = sentences(rng, 40)
    hidden = [[None if rng.random() < 0.3 else label for label in labels] for labels in y]
    for method in ("hcrf", "mssvm", "lssvm"):
        tagger = hinge.SequenceTagger(method=method, C=0.3).fit(X, hidden)
        assert tagger.score(X, y) > 0.7
    assert set(tagger.classes_) == {"DET", "NOUN", "VERB"}
    marked = [["?" if label is None else label for label in labels] for labels in hidden]
    assert "?" in hinge.SequenceTagger().fit(X, marked).classes_, "a text like any other in memory"


def test_classes_may_be_more_than_the_data_has(tagged):
    X, y = tagged
    tagger = crf(classes=["ADV", "DET", "NOUN", "VERB"]).fit(X, y)
    assert tagger.classes_.tolist() == ["ADV", "DET", "NOUN", "VERB"]
    assert tagger.predict_proba(X)[0].shape[1] == 4


def test_templates_make_attributes_of_words(rng):
    words = [[(label.lower(), "x") for label in rng.choice(["DET", "NOUN"], rng.integers(1, 6))] for _ in range(20)]
    y = [[word.upper() for word, _ in sentence] for sentence in words]
    tagger = hinge.SequenceTagger(templates="U0:%x[0,0]\nU1:%x[-1,0]/%x[0,1]\nB\n").fit(words, y)
    assert tagger.score(words, y) == 1
    assert any(name.startswith("U0:") for name, _ in tagger.top_features(5))
    alone = hinge.SequenceTagger(templates="default").fit([[word for word, _ in s] for s in words], y)
    assert alone.predict([["det", "noun"]])[0] == ["DET", "NOUN"]
    with pytest.raises(ValueError, match="columns"):
        tagger.predict([[("det",)]])


def test_transitions_are_the_weights_of_pairs(rng):
    y = [["a", "b"] * 4 for _ in range(5)]
    X = [[["same"]] * 8 for _ in y]
    tagger = crf(boundaries=True).fit(X, y)
    assert max(tagger.transitions_, key=tagger.transitions_.get) == ("a", "b") and len(tagger.transitions_) == 4
    listed = {tuple(labels): score for labels, score in tagger.predict_nbest([X[0][:2]], k=4)[0]}
    node = {label: 0 for label in "ab"}
    names = dict(tagger.top_features(100))
    for (a, b), score in listed.items():
        expected = names[f"same -> {a}"] + names[f"same -> {b}"] + tagger.transitions_[a, b] \
            + names[f"start -> {a}"] + names[f"{b} -> stop"]
        assert np.isclose(score, expected), node


def test_chunks_and_metrics(rng):
    X = [[[word] for word in "the cat sat on the mat".split()]] * 3
    y = [["B-NP", "I-NP", "O", "O", "B-NP", "I-NP"]] * 3
    tagger = crf().fit(X, y)
    metrics = tagger.evaluate(X, y)
    assert metrics["accuracy"] == 1 and tagger.score(X, y, metric="macro_f1") == 1
    assert tagger.score(X, y, metric="loss") == 0
    with pytest.raises(ValueError, match="there are accuracy"):
        tagger.score(X, y, metric="f2")


def test_decodings(rng):
    X, y = sentences(rng, 20)
    tagger = hinge.SequenceTagger(method="hcrf", states=2).fit(X, y)
    assert tagger.set_decoding("max-marginals").score(X, y) > 0.6
    with pytest.raises(ValueError, match="joint"):
        tagger.set_decoding("odd")


def test_one_model_for_python_and_the_command_line(tagged, command, tmp_path):
    X, y = tagged
    lines = []
    for x, labels in zip(X, y):
        for token, label in zip(x, labels):
            first = "\tfirst" if token["first"] else ""
            lines.append(f"{label}\tword\\:{token['word']}\tlength:{token['length']}{first}")
        lines.append("")
    data = tmp_path / "data.crfsuite"
    data.write_text("\n".join(lines))
    X = [[{k: v for k, v in token.items() if v is not False} for token in x] for x in X]

    ours = hinge.SequenceTagger(method="crf", C=1.0).fit(X, y)
    ours.save(tmp_path / "ours.model")
    told = command("predict", tmp_path / "ours.model", data).split()
    assert told == [label for labels in ours.predict(X) for label in labels]

    command("train", "sequence", data, "--format", "crfsuite", "--method", "crf", "-C", len(X), "--model",
            tmp_path / "theirs.model")
    theirs = hinge.load(tmp_path / "theirs.model")
    assert np.array_equal(theirs.weights_, ours.weights_)
    assert list(theirs.predict(X)) == list(ours.predict(X))


def test_templates_and_the_command_line(command, tmp_path):
    words = [["he", "sat"], ["she", "ran", "home"]]
    y = [["P", "V"], ["P", "V", "N"]]
    ours = hinge.SequenceTagger(templates="default", method="crf", C=1.0).fit(words, y)
    ours.save(tmp_path / "m")
    (tmp_path / "data").write_text("".join("".join(f"{w} {t}\n" for w, t in zip(x, z)) + "\n" for x, z in zip(words, y)))
    told = [line.split()[-1] for line in command("predict", tmp_path / "m", tmp_path / "data").splitlines() if line]
    assert told == [label for labels in ours.predict(words) for label in labels]
