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


# Of tables of products: SVC takes those of no kernel too, and solves what is no convex problem then.
NO_KERNEL = "the table is of no kernel, which is refused"
EXCEPTED_OF_TABLES = {**EXCEPTED, **dict.fromkeys(("check_positive_only_tag_during_fit", "check_estimators_dtypes",
                                                   "check_classifiers_one_label_sample_weights"), NO_KERNEL),
                      "check_decision_proba_consistency": "it gives rows of features, whatever the tags say"}


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


@pytest.mark.parametrize("estimator, check", checks(hinge.MulticlassClassifier(kernel="precomputed", kernel_map="none"), EXCEPTED_OF_TABLES))
def test_tables_of_products_pass_the_checks_of_scikit_learn(estimator, check):
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


def test_its_warning_is_that_of_scikit_learn():
    from sklearn.exceptions import ConvergenceWarning

    assert issubclass(hinge.ConvergenceWarning, ConvergenceWarning) and hinge.ConvergenceWarning is hinge.ConvergenceWarning
    with pytest.warns(ConvergenceWarning):
        hinge.MulticlassClassifier(max_passes=1, gap=1e-12).fit(np.eye(3), [0, 1, 2])


def test_its_warning_needs_no_scikit_learn():
    import subprocess
    import sys

    program = """
import sys, warnings, hinge
kept = hinge.ConvergenceWarning
assert "sklearn" not in sys.modules and kept.__mro__[2] is UserWarning
import sklearn.exceptions
assert hinge.ConvergenceWarning is kept and issubclass(kept, sklearn.exceptions.ConvergenceWarning)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_probabilities_of_structures_are_put_together(tagged):
    """scikit-learn would number the labels of y, which lists are not: they go as a keyword of fit."""
    X, y = tagged
    for method in ("predict_proba", "decision_function"):
        found = cross_val_predict(hinge.SequenceTagger(method="crf"), X, cv=3, method=method, params={"y": y})
        assert found.shape == (len(X),) and [len(each) for each in found] == [len(x) for x in X]
    for name in ("GraphLabeller", "SequenceAligner", "RnaFolder"):
        estimator, X, y = as_arrays(name)
        found = cross_val_predict(estimator, X, cv=2, method="predict_proba", params={"y": y})
        assert found.shape == (len(X),) and found[0].ndim == 2


@pytest.mark.parametrize("name", [name for name in sorted(CASES) if name != "Ranker"])
def test_whole_weights_repeat_in_scores(name):
    estimator, X, y = case(name)
    model, weights = estimator.fit(X, y), [1, 0, 2] + [1] * (len(X) - 3)
    chosen = np.repeat(np.arange(len(X)), weights)
    again = [X[i] for i in chosen], [y[i] for i in chosen]
    again = tuple(np.array(each) if isinstance(given, np.ndarray) else each for each, given in zip(again, (X, y)))
    assert model.evaluate(X, y, sample_weight=weights)["loss"] == pytest.approx(model.evaluate(*again)["loss"])
    for metric in (None, "loss"):
        assert model.score(X, y, metric=metric, sample_weight=weights) == pytest.approx(model.score(*again, metric=metric))
        assert model.score(X, y, metric=metric, sample_weight=0.5) == pytest.approx(model.score(X, y, metric=metric))


@pytest.mark.parametrize("name", ["SequenceTagger", "GraphLabeller", "MulticlassClassifier", "SequenceClassifier", "MotifFinder"])
def test_other_weights_weigh_means(name, rng):
    """As many repeats as the weights are thousandths say the same."""
    estimator, X, y = case(name)
    model = estimator.fit(X, y)
    weights = rng.integers(1, 30, len(X)) / 7 + 1e-7 * rng.random(len(X))
    for metric in ("accuracy", "loss"):
        expected = model.score(X, y, metric=metric, sample_weight=np.round(7 * weights))
        assert model.score(X, y, metric=metric, sample_weight=weights) == pytest.approx(expected, rel=1e-5)
    with pytest.raises(ValueError, match="macro_f1 of .* is no mean over examples"):
        model.score(X, y, metric="macro_f1", sample_weight=weights)
    with pytest.raises(ValueError, match="whole numbers"):
        model.evaluate(X, y, sample_weight=weights)


def test_weights_of_samples(rng):
    X, y = rng.normal(size=(12, 2)), [0, 1] * 6
    fit = lambda rows, **keywords: hinge.BinaryClassifier(C=1.0).fit(X[rows], np.array(y)[rows], **keywords)  # noqa: E731
    one = fit(slice(0, 8), group=[4, 4]).weights_
    assert np.array_equal(fit(slice(0, 12), group=[4, 4, 4], sample_weight=[1, 1, 0]).weights_, one)
    assert not np.array_equal(fit(slice(0, 8), group=[4, 4], sample_weight=[5, 1]).weights_, one)
    with pytest.raises(ValueError, match="weights are of samples"):
        fit(slice(0, 12), sample_weight=np.ones(12))


def test_grid_search_hands_weights_to_scores(tagged):
    import warnings

    X, y = tagged
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search = GridSearchCV(hinge.SequenceTagger(), {"C": [0.1, 1.0]}, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=np.linspace(0.1, 1, len(X)))


class TestRouting:
    """Metadata, as scikit-learn routes it."""

    @pytest.fixture(autouse=True)
    def routing(self):
        with sklearn.config_context(enable_metadata_routing=True):
            yield

    def test_weights_that_are_asked_for_arrive(self, rng):
        X, y = rng.normal(size=(20, 3)), [0, 1] * 10
        weights = rng.integers(0, 3, 20) + 1
        estimator = hinge.MulticlassClassifier(C=1.0).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(estimator, {"C": [1.0]}, cv=2, error_score="raise").fit(X, y, sample_weight=weights)
        assert np.array_equal(search.best_estimator_.weights_, hinge.MulticlassClassifier(C=1.0).fit(X, y, sample_weight=weights).weights_)
        with pytest.raises(Exception, match="sample_weight"):
            GridSearchCV(hinge.MulticlassClassifier(), {"C": [1.0]}, cv=2).fit(X, y, sample_weight=weights)

    def test_structures_scorers_and_pipelines(self, tagged, rows):
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        X, y = tagged
        weights = np.arange(len(X)) % 3 + 1
        estimator = hinge.SequenceTagger().set_fit_request(sample_weight=True)
        scoring = hinge.scorer("macro_f1").set_score_request(sample_weight=True)
        search = GridSearchCV(estimator, {"C": [0.1]}, scoring=scoring, cv=2, error_score="raise").fit(X, y, sample_weight=weights)
        assert np.array_equal(search.best_estimator_.weights_, hinge.SequenceTagger(C=0.1).fit(X, y, sample_weight=weights).weights_)
        pipe = make_pipeline(StandardScaler(), hinge.MulticlassClassifier()).fit(*rows)
        assert pipe.score(*rows) > 0.5

    def test_queries(self, rng):
        X, y = rng.normal(size=(20, 3)), rng.integers(0, 3, 20)
        estimator = hinge.Ranker().set_fit_request(qid=True).set_score_request(qid=True)
        assert np.isfinite(cross_val_score(estimator, X, y, cv=2, params={"qid": np.repeat(np.arange(4), 5)}, error_score="raise")).all()

    def test_requests_are_looked_at(self):
        with pytest.raises(TypeError, match="has no keyword 'weight' to request: it has sample_weight"):
            hinge.SequenceTagger().set_fit_request(weight=True)
        assert not hasattr(hinge.BinaryClassifier(), "set_predict_proba_request")
        asked = hinge.SequenceTagger().set_fit_request(sentence=True)
        assert sklearn.base.clone(asked).get_metadata_routing().fit.requests["sentence"] is True
        assert pickle.loads(pickle.dumps(asked)).get_metadata_routing().fit.requests["sentence"] is True


SEARCHES = """
import os, signal, warnings
import numpy as np, hinge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
X, y = rng.normal(size=(300, 20)), rng.integers(0, 5, 300)
fits = []
def callback(progress):
    fits.append(1)
    if len(fits) == 1:
        os.kill(os.getpid(), signal.SIGINT)
one = hinge.MulticlassClassifier(C=1e3, gap=1e-9, callback=callback)
try:
    {call}
    print("kept", len(fits))
except KeyboardInterrupt:
    print("raised", len(fits))
"""


@pytest.mark.parametrize("call, expected", [
    ("GridSearchCV(one, {'C': [1e3, 2e3]}, cv=2).fit(X, y)", "raised 1"), ("cross_val_score(one, X, y, cv=2)", "raised 1"),
    ("GridSearchCV(make_pipeline(StandardScaler(), one), {}, cv=2).fit(X, y)", "raised 1"),
    ("hinge.MulticlassClassifierCV(Cs=[1e3], cv=2, gap=1e-9, callback=callback).fit(X, y)", "raised 1"),
    ("make_pipeline(StandardScaler(), one).fit(X, y)", "kept"), ("one.fit(X, y)", "kept"),
])
def test_ctrl_c_ends_a_search_and_keeps_one_fit(call, expected):
    """The first one: what was learned in a search is of no use to who presses it."""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", SEARCHES.replace("{call}", call)], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith(expected), done.stdout + done.stderr
