"""scikit-learn's own checks, and what people do with its estimators."""

import pickle

import numpy as np
import pytest
from cases import CASES, case, same

import hinge

sklearn = pytest.importorskip("sklearn")
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score  # noqa: E402
from sklearn.utils.estimator_checks import estimator_checks_generator  # noqa: E402

# Checks that do not hold for margins, and why. Likelihoods pass all of them.
WHY = "examples are visited in an order that depends on their number, and training ends at a gap: not to seven digits"
EXCEPTED = {"check_sample_weight_equivalence_on_dense_data": WHY, "check_sample_weight_equivalence_on_sparse_data": WHY}


# Of Ranker: its weights are of queries, and the checks know of rows alone, which are one query.
OF_QUERIES = "a weight belongs to a query, and all rows are one where nobody says otherwise"
EXCEPTED_OF_RANKER = {**dict.fromkeys(("check_sample_weights_pandas_series", "check_sample_weights_not_an_array", "check_sample_weights_list",
                                       "check_all_zero_sample_weights_error", "check_sample_weights_shape", "check_sample_weights_not_overwritten",
                                       "check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"), OF_QUERIES),
                      "check_fit2d_1sample": "it says that one document has no order, not that there is one sample"}


def checks(estimator, excepted):
    pairs = estimator_checks_generator(estimator, expected_failed_checks=excepted, mark="skip")
    names = []
    for each, check in pairs:
        names.append(pytest.param(each, check, id=getattr(check, "func", check).__name__))
    return names


@pytest.mark.parametrize("estimator, check", checks(hinge.MulticlassClassifier(method="crf", gap=1e-9), {}))
def test_likelihoods_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator, check", checks(hinge.MulticlassClassifier(), EXCEPTED))
def test_margins_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator, check", checks(hinge.Ranker(), EXCEPTED_OF_RANKER))
def test_rankers_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def as_arrays(name):
    """The case of an estimator: lists as arrays of objects."""
    estimator, X, y = case(name)
    if not isinstance(X, np.ndarray):
        X, y = _objects(X), _objects(y) if name not in ("MotifFinder", "SequenceClassifier") else list(y)
    return estimator, X, y


def _objects(values):
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


@pytest.mark.parametrize("name", ["SequenceTagger", "GraphLabeller", "MulticlassClassifier", "MotifFinder",
                                  "SequenceClassifier", "Clusterer"])
def test_grid_search_with_two_jobs(name):
    estimator, X, y = as_arrays(name)
    search = GridSearchCV(estimator, {"C": [1e-3, 1.0]}, cv=3, n_jobs=2, error_score="raise").fit(X, y)
    assert search.best_params_["C"] == 1.0 and search.best_score_ > 0.5


@pytest.mark.parametrize("name", sorted(CASES))
def test_folds_of_scikit_learn_and_joblib_take_every_estimator(name, tmp_path):
    import joblib

    estimator, X, y = as_arrays(name)
    search = GridSearchCV(estimator, {"C": [1e-3, 1.0]}, cv=2, error_score="raise").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all() and len(search.predict(X)) == len(X)
    held = cross_val_predict(estimator, X, y, cv=2)
    half = sklearn.base.clone(estimator).fit(*(each[len(X) // 2:] for each in (X, y)))
    assert len(held) == len(X)
    if not sklearn.base.is_classifier(estimator):  # whose folds are not in order
        assert same(held[: len(X) // 2], half.predict(X[: len(X) // 2]))
    joblib.dump(half, tmp_path / "model")
    again = joblib.load(tmp_path / "model")
    assert np.array_equal(again.weights_, half.weights_) and same(again.predict(X), half.predict(X))


@pytest.mark.parametrize("name", sorted(CASES))
def test_classes_that_choose_C_are_pickled(name):
    estimator, X, y = case(name)
    keywords = {"group": [10] * 3} if name == "Ranker" else {}
    chosen = getattr(hinge, name + "CV")(**estimator.get_params(), Cs=[1e-3, 1.0], cv=2).fit(X, y, **keywords)
    again = pickle.loads(pickle.dumps(chosen))
    assert again.C_ == chosen.C_ and np.array_equal(again.cv_results_["scores"], chosen.cv_results_["scores"])
    assert again.get_params() == chosen.get_params() and same(again.predict(X), chosen.predict(X))


def test_cross_val_predict_takes_lists(tagged):
    X, y = tagged
    predicted = cross_val_predict(hinge.SequenceTagger(), X, y, cv=3)
    assert len(predicted) == len(X) and all(len(a) == len(b) for a, b in zip(predicted, X))
    assert cross_val_score(hinge.SequenceTagger(), X, y, cv=3).min() > 0.5


def test_metrics_of_the_task_choose(tagged):
    X, y = tagged
    search = GridSearchCV(hinge.SequenceTagger(), {"C": [1e-4, 0.1]}, scoring=hinge.scorer("macro_f1"), cv=2, n_jobs=2)
    assert search.fit(X, y).best_params_ == {"C": 0.1}
    one = hinge.SequenceTagger(C=0.1).fit(X, y)
    assert hinge.scorer("macro_f1")(one, X, y) == one.evaluate(X, y)["macro_f1"]


def test_pipelines_and_joblib(rows, tmp_path):
    import joblib
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = rows
    pipe = make_pipeline(StandardScaler(), hinge.MulticlassClassifier()).fit(X, y)
    joblib.dump(pipe, tmp_path / "pipe")
    assert same(joblib.load(tmp_path / "pipe").predict(X), pipe.predict(X))
    assert sklearn.base.is_classifier(pipe)
