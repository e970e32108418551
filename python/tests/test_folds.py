"""``...CV`` classes with every form of data, ``classes=`` of every estimator that has it, labels that are given."""

import pickle

import numpy as np
import pytest

import hinge
from hinge._units import Units

random = np.random.default_rng(4)
X = random.normal(size=(40, 3))
y = np.array(list("abc"))[np.arange(40) % 3]
EDGES = np.array([[0, 1], [1, 2]])
GRAPHS = [(random.normal(size=(3, 2)), EDGES) for _ in range(9)]
WORDS, LABELS = (each[:40] for each in hinge.datasets.recipes("train"))


def cv_of(name, **parameters):
    return getattr(hinge, name + "CV")(**{"Cs": [0.1, 1], "cv": 2, **parameters})


def test_folds_see_weights_and_generators():
    weights = np.r_[np.zeros(20), np.ones(20)]
    weighted = cv_of("SequenceTagger", templates="default").fit((each for each in WORDS), iter(LABELS), sample_weight=weights)
    # Each fold of its own: those of weight 0 are nothing to learn from there.
    by_hand = []
    for rest, part in ((np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))):
        with pytest.raises(ValueError, match="every sample weight is zero") if not weights[rest].any() else nothing():
            hinge.SequenceTagger(templates="default").fit([WORDS[i] for i in rest], [LABELS[i] for i in rest], sample_weight=weights[rest])
            by_hand.append(part)
    assert len(by_hand) == 1 and weighted.C_ in (0.1, 1)
    with pytest.raises(ValueError, match="every sample weight is zero"):
        cv_of("SequenceTagger", templates="default", cv=[(np.arange(20), np.arange(20, 40))]).fit(WORDS, LABELS, sample_weight=weights)


class nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def test_folds_of_tables_with_lengths_and_of_frames():
    pandas = pytest.importorskip("pandas")
    rows, labels = np.eye(2)[np.arange(40) % 2], ["a", "b"] * 20
    by_lengths = cv_of("SequenceTagger").fit(rows, labels, lengths=[4] * 10)
    by_lists = cv_of("SequenceTagger").fit([rows[i:i + 4] for i in range(0, 40, 4)], [labels[i:i + 4] for i in range(0, 40, 4)])
    assert np.array_equal(by_lengths.cv_results_["scores"], by_lists.cv_results_["scores"])
    frame = pandas.DataFrame([(i, word, tag) for i, both in enumerate(zip(WORDS, LABELS)) for word, tag in zip(*both)],
                             columns=["line", "word", "tag"])
    tagger = cv_of("SequenceTagger", templates="default").fit(frame, sentence="line", label="tag")
    assert tagger.score(frame, None, sentence="line", label="tag") == tagger.score(WORDS, LABELS)
    assert tagger.score(frame.drop(columns="tag"), LABELS, sentence="line") == tagger.score(WORDS, LABELS)
    assert list(tagger.predict(frame, sentence="line")) == list(tagger.predict(WORDS))  # its labels are no field
    assert tagger.predict_nbest(frame, k=2, sentence="line")[0] == tagger.predict_nbest(WORDS[:1], k=2)[0]
    with pytest.raises(ValueError, match="no column 'row': it has line, word, tag"):
        tagger.predict(frame, sentence="row")
    table = pandas.DataFrame(X, columns=["p", "q", "r"])
    other = cv_of("MulticlassClassifier").fit(table, pandas.Series(y, index=range(100, 140)))
    assert np.array_equal(other.cv_results_["scores"], cv_of("MulticlassClassifier").fit(X, y).cv_results_["scores"])


def test_folds_of_queries_samples_and_families():
    grades, qid = random.integers(3, size=40), np.repeat(np.arange(8), 5)
    by_qid = cv_of("Ranker").fit(X, grades, qid=qid, sample_weight=[0, 1, 2, 1, 1, 1, 1, 1])
    by_group = cv_of("Ranker").fit(X, grades, group=[5] * 8, sample_weight=[0, 1, 2, 1, 1, 1, 1, 1])
    assert np.array_equal(by_qid.cv_results_["scores"], by_group.cv_results_["scores"])
    with pytest.raises(ValueError, match="folds and weights are of queries"):
        cv_of("Ranker").fit(X, grades)
    assert cv_of("BinaryClassifier").fit(X, y == "a", group=[10] * 4).C_ in (0.1, 1)
    units = Units(X, grades, {"qid": qid}, [5] * 8)
    chosen, graded, keywords = units.chosen(np.array([1, 6]))
    assert np.array_equal(chosen, X[np.r_[5:10, 30:35]]) and keywords == {"group": [5, 5]} and len(graded) == 10
    pairs, rows = [("ACG", "AG")] * 6, [("ACG", "A-G")] * 6
    aligner = cv_of("SequenceAligner", alphabet="dna", window=0, cv=3)
    assert aligner.fit(pairs, rows, groups=[1, 1, 2, 2, 3, 3]).cv_results_["scores"].shape == (3, 2)
    with pytest.raises(ValueError, match="cv is 3, for 2 groups"):
        aligner.fit(pairs, rows, groups=[1, 1, 1, 2, 2, 2])


@pytest.mark.parametrize("wrong, said", [
    ({"cv": 1}, "cv is 1, for 40 examples"), ({"cv": []}, "cv has no folds"), ({"Cs": []}, "Cs is"), ({"Cs": ["x"]}, "Cs is"),
    ({"Cs": [-1]}, "Cs is"), ({"warm_start": True}, "leave out warm_start"), ({"metric": "macrof1"}, "did you mean 'macro_f1'"),
])
def test_wrong_parameters_are_named(wrong, said):
    with pytest.raises(ValueError, match=said):
        cv_of("SequenceTagger", templates="default", **wrong).fit(WORDS, LABELS)


def test_wrong_keywords_are_named():
    with pytest.raises(ValueError, match="use GridSearchCV with rules"):
        cv_of("SequenceTagger", method="ge").fit(WORDS, LABELS, rules="first token in QTY")
    with pytest.raises(ValueError, match="sample_weight has 2 values for 40 examples"):
        cv_of("MulticlassClassifier").fit(X, y, sample_weight=[1, 2])


def test_splitters_of_scikit_learn_cut_too():
    selection = pytest.importorskip("sklearn.model_selection")
    assert cv_of("MulticlassClassifier", cv=selection.StratifiedKFold(3)).fit(X, y).cv_results_["scores"].shape == (3, 2)
    assert cv_of("SequenceTagger", templates="default", cv=selection.ShuffleSplit(2)).fit(WORDS, LABELS).C_ in (0.1, 1)
    kept = pickle.loads(pickle.dumps(cv_of("GraphLabeller", n_jobs=2).fit(GRAPHS, [["a", "b", {"a", "b"}]] * 9)))
    assert kept.C_ in (0.1, 1) and len(kept.predict(GRAPHS)) == 9


DECLARING = {
    "SequenceTagger": ([[["w=a"], ["w=b"]]] * 6, [["x", "y"]] * 6),
    "SequenceClassifier": ([random.normal(size=(4, 2)) for _ in range(6)], ["x", "y"] * 3),
    "MulticlassClassifier": (X[:6], ["x", "y"] * 3),
    "TaxonomyClassifier": (X[:6], ["x", "y"] * 3),
    "MultilabelClassifier": (X[:6], [{"x"}, {"x", "y"}] * 3),
    "GraphLabeller": (GRAPHS, [["x", "y", "x"]] * 9),
}


@pytest.mark.parametrize("name", DECLARING)
def test_classes_may_be_more_than_the_data_has(name, tmp_path):
    data, labels = DECLARING[name]
    model = getattr(hinge, name)(classes=["y", "z", "x"]).fit(data, labels)
    assert model.classes_.tolist() == ["x", "y", "z"]
    probabilities = model.predict_proba(data)
    assert probabilities[0].shape[-1] == 3
    model.save(tmp_path / "model")
    assert hinge.load(tmp_path / "model").classes_.tolist() == ["x", "y", "z"]
    assert getattr(hinge, name)().fit(data, labels).classes_.tolist() == ["x", "y"]
    for wrong in ("xyz", [None, "x"]):
        with pytest.raises((TypeError, ValueError), match="classes"):
            getattr(hinge, name)(classes=wrong).fit(data, labels)
    with pytest.raises(TypeError, match="several types"):
        getattr(hinge, name)(classes=[1]).fit(data, labels)


def test_classes_name_the_columns_of_a_table(tmp_path):
    table = (X[:, :2] > 0).astype(int)
    model = hinge.MultilabelClassifier(classes=["second", "first"]).fit(X, table)
    assert model.classes_.tolist() == ["second", "first"]
    model.save(tmp_path / "model")
    again = hinge.load(tmp_path / "model")
    assert again.classes_.tolist() == ["second", "first"]
    assert np.array_equal(again.predict(X), model.predict(X)) and np.mean(model.predict(X) == table) > 0.8
    with pytest.raises(ValueError, match="y has 2 columns where 1 labels belong"):
        hinge.MultilabelClassifier(classes=["one"]).fit(X, table)


def test_given_labels_are_known_ones():
    tagger = hinge.SequenceTagger(templates="default").fit(WORDS, LABELS)
    with pytest.raises(ValueError, match="the label 'nope' in example 1"):
        tagger.predict(WORDS[:2], given=[None, ["nope", *[None] * (len(WORDS[1]) - 1)]])
    labeller = hinge.GraphLabeller(method="crf").fit(GRAPHS, [["a", "b", "a"]] * 9)
    assert labeller.predict(GRAPHS[:1], given=[[-1, "a", None]])[0][1] == "a"
    with pytest.raises(ValueError, match="the label 'c' in example 0"):
        labeller.predict_proba(GRAPHS[:1], given=[[None, {"a", "c"}, None]])


def test_what_nobody_knows_does_not_count_in_scores():
    model = hinge.MulticlassClassifier().fit(X, y)
    known = model.score(X[:20], y[:20])
    assert model.score(X, [*y[:20], *[None] * 10, *[{"a", "b"}] * 10], sample_weight=np.r_[np.ones(20), np.full(20, 9)]) == known
    with pytest.raises(ValueError, match="nothing to compare"):
        model.score(X[:1], [None])


def test_folds_that_were_stopped_choose_nothing():
    told = []

    def callback(progress):
        told.append(progress)
        return len(told) != 3

    with pytest.raises(RuntimeError, match="stopped before every fold was done"):
        hinge.MulticlassClassifierCV(Cs=[1.0], cv=3, callback=callback, method="crf", gap=1e-10).fit(X, y)
    assert len(told) == 3
