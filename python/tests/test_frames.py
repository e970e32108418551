"""Frames of pandas: sentences, weights of them, and what is missing."""

import numpy as np
import pytest

import hinge

pd = pytest.importorskip("pandas")

FRAME = pd.DataFrame({"s": [1, 1, 2, 3, 3, 3], "w": list("abaabb"), "t": list("xyxxyy")})
LISTS = [[{"w": "a"}, {"w": "b"}], [{"w": "a"}], [{"w": "a"}, {"w": "b"}, {"w": "b"}]]
LABELS = [["x", "y"], ["x"], ["x", "y", "y"]]


def tagger(frame=FRAME, **keywords):
    return hinge.SequenceTagger().fit(frame, sentence="s", label="t", **keywords)


def test_weights_are_of_sentences():
    expected = hinge.SequenceTagger().fit(LISTS, LABELS, sample_weight=[1, 2, 1])
    assert np.array_equal(tagger(sample_weight=[1, 2, 1]).weights_, expected.weights_)
    assert np.array_equal(tagger(sample_weight=[1, 0, 1]).weights_, hinge.SequenceTagger().fit(LISTS[::2], LABELS[::2]).weights_)
    for weights in ([1, 2, 1, 5, 5, 5], [1, 2]):
        with pytest.raises(ValueError, match=f"{len(weights)} sample weights for 3 sequences"):
            tagger(sample_weight=weights)


def test_weights_of_other_forms_are_counted():
    with pytest.raises(ValueError, match="3 sample weights for 2 sequences"):
        hinge.SequenceTagger().fit(np.eye(4), list("xyxy"), lengths=[2, 2], sample_weight=[1, 2, 3])
    with pytest.raises(ValueError, match="3 sequences, but more sample weights"):
        hinge.SequenceTagger().fit(iter(LISTS), LABELS, sample_weight=np.ones(20))
    with pytest.raises(ValueError, match="more sequences than sample weights, of which there are 2"):
        hinge.SequenceTagger().fit(iter(LISTS), LABELS, sample_weight=[1, 1])


def test_one_weight_for_all():
    rows, y = np.eye(3), [0, 1, 2]
    assert np.array_equal(hinge.MulticlassClassifier(C=1.0).fit(rows, y, sample_weight=2.0).weights_,
                          hinge.MulticlassClassifier(C=1.0).fit(rows, y, sample_weight=[2.0] * 3).weights_)
    expected = hinge.SequenceTagger().fit(LISTS, LABELS, sample_weight=[2, 2, 2]).weights_
    for X in (LISTS, iter(LISTS)):
        assert np.array_equal(hinge.SequenceTagger().fit(X, LABELS, sample_weight=2.0).weights_, expected)


def test_an_id_stands_for_the_rows_below_it_that_have_none():
    ids = pd.DataFrame({"s": ["S1", np.nan, "S2", "S3", None, np.nan], "w": FRAME.w, "t": FRAME.t})
    model = tagger(ids)
    assert np.array_equal(model.weights_, tagger().weights_)
    assert [len(each) for each in model.predict(ids, sentence="s")] == [2, 1, 3]
    ids.loc[0, "s"] = None
    with pytest.raises(ValueError, match="nothing in its first row"):
        tagger(ids)


def test_sentences_stand_together():
    with pytest.raises(ValueError, match="the sentence 1 goes on in row 2 of the frame"):
        tagger(pd.DataFrame({"s": [1, 2, 1, 2], "w": list("abab"), "t": list("xyxy")}))


def test_columns_that_are_not_there_are_named():
    for names in ({"sentence": "s", "label": "tt"}, {"sentence": "ss", "label": "t"}):
        with pytest.raises(ValueError, match="the frame has no column .*: it has s, w, t"):
            hinge.SequenceTagger().fit(FRAME, **names)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_labels_are_hidden(missing):
    some = FRAME.assign(t=["x", "y", missing, "x", "y", "y"])
    expected = hinge.SequenceTagger(method="hcrf").fit(LISTS, [["x", "y"], [None], ["x", "y", "y"]]).weights_
    for frame in (some, some.assign(t=some.t.astype("category")), some.assign(t=some.t.astype("string"))):
        assert np.array_equal(hinge.SequenceTagger(method="hcrf").fit(frame, sentence="s", label="t").weights_, expected)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_classes_are_hidden(rng, missing):
    X, y = rng.normal(size=(9, 2)), ["a", "b", None] * 3
    expected = hinge.MulticlassClassifier(method="hcrf").fit(X, y).weights_
    given = pd.Series([missing if label is None else label for label in y])
    for each in (given, given.astype("category"), given.astype("string")):
        assert np.array_equal(hinge.MulticlassClassifier(method="hcrf").fit(X, each).weights_, expected)
    numbers = pd.Series([0.0, 1.0, np.nan] * 3)
    assert np.array_equal(hinge.MulticlassClassifier(method="hcrf").fit(X, numbers).weights_, expected)
    with pytest.raises(ValueError, match="row 2 has the label nan|NaN"):
        hinge.MulticlassClassifier().fit(X, ["a", "b", np.nan] * 3)


def test_missing_answers_of_other_tasks(rng):
    tables = [rng.normal(size=(3, 2)) for _ in range(6)]
    sequences = hinge.SequenceClassifier(states=2)
    assert np.array_equal(sequences.fit(tables, pd.Series(["a", np.nan, "b"] * 2)).weights_,
                          sequences.fit(tables, ["a", None, "b"] * 2).weights_)
    graphs = [(np.eye(3), [[0, 1], [1, 2]])] * 4
    labeller = hinge.GraphLabeller(method="hcrf")
    expected = labeller.fit(graphs, [["x", None, "y"]] * 4).weights_
    for each in (pd.Series(["x", np.nan, "y"]), pd.Series(["x", None, "y"], dtype="category"), ["x", pd.NA, "y"]):
        assert np.array_equal(labeller.fit(graphs, [each] * 4).weights_, expected)
    grades = pd.Series([2, pd.NA, 0, 1], dtype="Int64")
    X = rng.normal(size=(4, 2))
    assert np.array_equal(hinge.Ranker().fit(X, grades).weights_, hinge.Ranker().fit(X, [2, np.nan, 0, 1]).weights_)
    with pytest.raises(ValueError, match="qid has nothing in row 1"):
        hinge.Ranker().fit(X, [2, 1, 0, 1], qid=pd.Series([1, np.nan, 2, 2]))
    documents = [{"pairs": rng.normal(size=(3, 1)), "n": 3}] * 2
    for missing in (None, np.nan, pd.NA):
        for odd in ([0, missing, 1], pd.Series([0, missing, 1], dtype=object)):
            with pytest.raises(ValueError, match="item 1 of document 1 has the cluster"):
                hinge.Clusterer().fit(documents, [[0, 0, 1], odd])


def test_a_model_file_knows_the_column_of_labels(tmp_path):
    model = tagger()
    model.save(tmp_path / "frame.model")
    loaded = hinge.load(tmp_path / "frame.model")
    assert np.array_equal(loaded.predict_proba(FRAME, sentence="s")[2], model.predict_proba(FRAME, sentence="s")[2])
    templated = hinge.SequenceTagger(templates="U:%x[0,0]").fit(FRAME, sentence="s", label="t")
    templated.save(tmp_path / "frame.model")
    assert hinge.load(tmp_path / "frame.model").predict(FRAME, sentence="s")[1] == ["x"]


def test_the_class_that_chooses_C_knows_it_too():
    assert hinge.SequenceTaggerCV(Cs=[1.0], cv=2, templates="U:%x[0,0]").fit(FRAME, sentence="s", label="t", sample_weight=[1, 2, 1]) \
        .predict(FRAME, sentence="s")[1] == ["x"]


def test_scores_do_not_change_what_was_learned():
    model, frame = tagger(), FRAME.assign(other=FRAME.t)
    before = model.predict_proba(FRAME, sentence="s")[0]
    whole = model.score(FRAME, None, sentence="s", label="t")
    assert whole == model.score(FRAME, None, sentence="s", label="t", sample_weight=[1, 1, 1])
    model.score(frame, None, sentence="s", label="other")
    model.score(frame, None, sentence="s", label="other", sample_weight=[1, 2, 1])
    assert model._label_column == "t" and np.array_equal(model.predict_proba(FRAME, sentence="s")[0], before)
