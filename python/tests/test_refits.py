"""A refit that fails leaves what was learned before, whole; labels are told apart, and come back from files."""

import datetime
import enum
import pickle

import numpy as np
import pytest
from cases import CASES, case

import hinge

X = [[["a"], ["b"]], [["b"], ["a"]], [["a"], ["a"]]] * 3
Y = [["x", "y"], ["y", "x"], ["x", "x"]] * 3


def kept(estimator):
    return {name: value if not hasattr(value, "bytes") else value.bytes() for name, value in vars(estimator).items() if name != "summary_"}


@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_of_a_failed_fit_stays(name):
    estimator, inputs, answers = case(name)
    estimator.fit(inputs, answers)
    before, told = kept(estimator), estimator.predict(inputs)

    def raises(progress):
        raise RuntimeError("mine")

    estimator.callback = raises
    with pytest.raises(RuntimeError, match="mine"):
        estimator.fit(inputs[: len(inputs) // 2], answers[: len(inputs) // 2])
    assert estimator.callback is raises
    estimator.callback = None
    after = kept(estimator)
    assert list(after) == list(before) and all(np.array_equal(after[key], before[key]) for key in before)
    assert str(estimator.predict(inputs)) == str(told)


def test_a_fit_that_fails_at_the_end():
    """When labels are named, after training, and when columns are other ones."""
    tagger = hinge.SequenceTagger().fit(X, Y)
    with pytest.raises(TypeError, match="several types"):
        tagger.fit([[["a"], ["b"]]] * 3, [[("z",), 1]] * 3)
    assert tagger.classes_.tolist() == ["x", "y"] and tagger._model.names() == ["x", "y"]
    rows = hinge.MulticlassClassifier(cost_matrix=1 - np.eye(3)).fit(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match="cost_matrix"):
        rows.fit(np.ones((4, 5)), [0, 1, 2, 3])
    assert rows.n_features_in_ == 3 and rows.predict(np.eye(3)).tolist() == [0, 1, 2]
    sets = hinge.MultilabelClassifier().fit(np.eye(3), np.eye(3, dtype=int))
    with pytest.raises(ValueError):
        sets.fit(np.eye(3), [{0}, {1}])
    assert isinstance(sets.predict(np.eye(3)), np.ndarray)


def test_estimators_that_were_never_fitted_stay_so():
    model = hinge.MulticlassClassifier()
    with pytest.raises(ValueError):
        model.fit(np.eye(3), [0, 1])
    assert not hasattr(model, "n_features_in_")
    with pytest.raises(ValueError, match="not fitted"):
        model.predict(np.eye(3))


@pytest.mark.parametrize("labels", [["1", 1], [1, "1"], [True, "True"], [0.5, "0.5"], [1, 0.5], [True, 2], [{"1", "x"}, 1]])
def test_labels_that_look_alike_are_not_merged(labels):
    for estimator, inputs in ((hinge.SequenceTagger(), [["a"], ["b"]]), (hinge.GraphLabeller(), (np.eye(2), [[0, 1]]))):
        with pytest.raises(TypeError, match="several types"):
            estimator.fit([inputs] * 3, [labels] * 3)
    if not isinstance(labels[0], set):
        with pytest.raises(TypeError, match="several types"):
            hinge.SequenceClassifier().fit([np.eye(2)] * 4, labels * 2)


class Kind(enum.Enum):
    A = 1
    B = 2


@pytest.mark.parametrize("labels", [[("p", 1), ("q", 2)], [b"p", b"q"], [True, False], [0.5, 1.0], [3, 4], ["1", "2"], [(1, ("a", 0.5)), (2, ())]])
def test_labels_come_back_from_files(tmp_path, labels):
    model = hinge.SequenceTagger().fit([[["a"], ["b"]]] * 4, [labels] * 4)
    model.save(tmp_path / "m")
    loaded = hinge.load(tmp_path / "m")
    assert loaded.predict([[["a"], ["b"]]])[0] == labels
    assert [type(each) for each in loaded.predict([[["a"], ["b"]]])[0]] == [type(each) for each in labels]


def test_labels_that_have_no_order_are_refused():
    with pytest.raises(TypeError, match="labels of the type Kind cannot be ordered"):
        hinge.SequenceTagger().fit([[["a"], ["b"]]] * 4, [[Kind.A, Kind.B]] * 4)


@pytest.mark.parametrize("labels", [[datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], [(datetime.date(2020, 1, 1),), (datetime.date(2021, 1, 1),)]])
def test_labels_that_cannot_come_back_are_refused(tmp_path, labels):
    model = hinge.SequenceTagger().fit([[["a"], ["b"]]] * 4, [labels] * 4)
    with pytest.raises(TypeError, match="does not come back from a model file"):
        model.save(tmp_path / "m")
    assert not (tmp_path / "m").exists()
    assert pickle.loads(pickle.dumps(model)).predict([[["a"], ["b"]]])[0] == labels


def test_sites_of_generators_and_of_other_lengths():
    estimator, inputs, answers = case("MotifFinder")
    model = estimator.fit(inputs, answers)
    assert model.predict_sites(x for x in inputs) == model.predict_sites(inputs)
    assert model.set_params(length=[3, 4]).predict_sites(inputs[:1])[0][2] in inputs[0]
    assert len(model.predict_sites(inputs[:1])[0][2]) == 6  # of what was learned
