"""What holds for every estimator."""

import copy
import json
import pickle
import time

import numpy as np
import pytest
from cases import CASES, case, same

import hinge

ALL = sorted(CASES)
WEIGHTED = sorted(set(CASES) - {"BinaryClassifier", "Ranker"})


def test_every_task_has_an_estimator_and_a_case():
    from hinge._base import ESTIMATORS

    assert set(ESTIMATORS) == set(hinge._core.task_names())
    assert {cls.__name__ for cls in ESTIMATORS.values()} == set(CASES)


@pytest.mark.parametrize("name", ALL)
def test_learns_its_problem(name):
    estimator, X, y = case(name)
    assert estimator.fit(X, y) is estimator
    assert estimator.score(X, y) > 0.7
    assert estimator.summary_.termination == "converged"
    assert len(estimator.predict(X)) == len(X)
    assert estimator.top_features(3)[0][1] != 0


@pytest.mark.parametrize("name", ALL)
def test_parameters_are_kept_as_they_are_given(name):
    estimator = CASES[name][0]()
    marker = object()
    estimator.set_params(C=marker)
    assert estimator.get_params()["C"] is marker
    again = type(estimator)(**estimator.get_params())
    assert again.get_params() == estimator.get_params()
    with pytest.raises(TypeError, match="did you mean 'method'"):
        type(estimator)(metod="crf")
    with pytest.raises(ValueError, match="no parameter 'nothing'"):
        estimator.set_params(nothing=1)
    assert "Parameters" in type(estimator).__doc__ and "max_passes" in type(estimator).__doc__


@pytest.mark.parametrize("name", ALL)
def test_clone_of_scikit_learn(name):
    sklearn = pytest.importorskip("sklearn")
    estimator = CASES[name][0]().set_params(C=0.25)
    twin = sklearn.base.clone(estimator)
    assert twin.get_params() == estimator.get_params() and twin is not estimator


@pytest.mark.parametrize("name", ALL)
def test_pickle_and_copy_keep_every_bit(name):
    estimator, X, y = case(name)
    estimator.fit(X, y)
    for twin in (pickle.loads(pickle.dumps(estimator)), copy.deepcopy(estimator)):
        assert np.array_equal(twin.weights_, estimator.weights_)
        assert same(twin.predict(X), estimator.predict(X))


@pytest.mark.parametrize("name", ALL)
def test_save_and_load_keep_every_bit_and_the_types_of_labels(name, tmp_path):
    estimator, X, y = case(name)
    estimator.fit(X, y).save(tmp_path / "m")
    loaded = hinge.load(tmp_path / "m")
    assert type(loaded) is type(estimator)
    assert np.array_equal(loaded.weights_, estimator.weights_)
    assert same(loaded.predict(X), estimator.predict(X))
    assert loaded.get_params()["method"] == estimator.get_params()["method"]


@pytest.mark.parametrize("name", ALL)
def test_threads_change_no_bit(name):
    estimator, X, y = case(name)
    one = estimator.fit(X, y).weights_
    three = estimator.set_params(n_jobs=3).fit(X, y)
    assert np.array_equal(three.weights_, one)
    assert same(three.predict(X), estimator.set_params(n_jobs=1).predict(X))


# Where the objective is not convex: a start and a solver that see the same function either way, and so end in the same place.
SAME_WAY = {"SequenceClassifier": {"solver": "lbfgs", "init": "zero"}, "MotifFinder": {"method": "hcrf", "solver": "lbfgs", "init": "zero"},
            "Clusterer": {"structure": "correlation"}}


@pytest.mark.parametrize("name", WEIGHTED)
def test_weight_zero_is_removed_and_weight_two_is_twice(name):
    estimator, X, y = case(name)
    estimator.set_params(gap=1e-7, C=0.1, **SAME_WAY.get(name, {}))
    pick = lambda values, order: values[order] if isinstance(values, np.ndarray) else [values[i] for i in order]
    n = len(X)
    weights = np.ones(n)
    weights[2::3], weights[1], weights[n - 1] = 2, 0, 0  # several count twice: one alone may lie beyond its margin
    kept = [i for i in range(n) if weights[i] > 0]
    repeated = np.repeat(np.arange(n), weights.astype(int)).tolist()
    by_weight = estimator.fit(X, y, sample_weight=weights).weights_
    by_removal = estimator.fit(pick(X, kept), pick(y, kept), sample_weight=weights[kept]).weights_
    assert np.array_equal(by_weight, by_removal)
    by_repetition = estimator.fit(pick(X, repeated), pick(y, repeated)).weights_
    assert np.allclose(by_weight, by_repetition, atol=(1e-9 if name in SAME_WAY else 5e-3) * np.abs(by_weight).max())
    unweighted = estimator.fit(pick(X, kept), pick(y, kept)).weights_
    assert not np.allclose(unweighted, by_weight, atol=1e-6 * np.abs(by_weight).max())


@pytest.mark.parametrize("loss", ["pairs", "ndcg"])
def test_weights_of_queries(loss, rng):
    X, rows = rng.normal(size=(30, 3)), np.arange(30).reshape(6, 5)
    y = np.clip(np.round(X[:, 0] + 1), 0, 3)
    ranker = hinge.Ranker(loss=loss, C=0.1, gap=1e-8)
    by_weight = ranker.fit(X, y, group=[5] * 6, sample_weight=[1, 0, 2, 1, 1, 1]).weights_
    repeated = rows[[0, 2, 2, 3, 4, 5]].ravel()
    assert np.allclose(by_weight, ranker.fit(X[repeated], y[repeated], group=[5] * 6).weights_, atol=1e-9)
    assert not np.allclose(by_weight, ranker.fit(X, y, group=[5] * 6).weights_, atol=1e-6)


def test_C_multiplies_the_sum(rows):
    X, y = rows
    once = hinge.MulticlassClassifier(method="crf", C=2.0, gap=1e-9).fit(X, y)
    twice = hinge.MulticlassClassifier(method="crf", C=1.0, gap=1e-9).fit(np.r_[X, X], np.r_[y, y])
    assert np.allclose(once.coef_, twice.coef_, atol=1e-4)
    linear = pytest.importorskip("sklearn.linear_model").LogisticRegression(C=2.0, tol=1e-10, max_iter=10000).fit(X, y)
    ours = hinge.MulticlassClassifier(method="crf", C=2.0, gap=1e-9, bias=0).fit(X - X.mean(0), y)
    theirs = pytest.importorskip("sklearn.linear_model").LogisticRegression(C=2.0, tol=1e-10, max_iter=10000,
                                                                            fit_intercept=False).fit(X - X.mean(0), y)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-3)
    assert linear.score(X, y) > 0.5


def test_without_C_it_is_the_usual_one(rows):
    X, y = rows
    for method, C in (("crf", 1.0), ("ssvm", 0.1)):
        one = hinge.MulticlassClassifier(method=method).fit(X, y)
        other = hinge.MulticlassClassifier(method=method, C=C).fit(X, y)
        assert np.allclose(one.weights_, other.weights_, rtol=1e-12)


def test_callback_ends_it_and_its_exceptions_come_through(rows):
    X, y = rows
    seen = []

    def enough(progress):
        seen.append(progress)
        return len(seen) < 2

    model = hinge.MulticlassClassifier(method="crf", gap=1e-12, callback=enough).fit(X, y)
    assert model.summary_.termination == "stopped" and len(seen) == 2 == len(model.summary_.history)
    assert model.predict(X).shape == y.shape

    class Odd(Exception):
        pass

    def fail(progress):
        raise Odd("mine")

    with pytest.raises(Odd, match="mine"):
        hinge.MulticlassClassifier(callback=fail).fit(X, y)


def test_time_limit_ends_it(rng):
    X, y = rng.normal(size=(3000, 50)), rng.integers(0, 20, 3000)
    began = time.monotonic()
    with pytest.warns(hinge.ConvergenceWarning, match="The time limit was reached"):
        model = hinge.MulticlassClassifier(C=100.0, gap=1e-12, time_limit=0.3).fit(X, y)
    assert model.summary_.termination == "stopped" and time.monotonic() - began < 10


def test_the_wish_of_a_callback_is_no_warning(rows):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hinge.MulticlassClassifier(callback=lambda told: False).fit(*rows)


def test_warns_where_it_did_not_converge(rows):
    X, y = rows
    with pytest.warns(hinge.ConvergenceWarning):
        hinge.MulticlassClassifier(solver="frank_wolfe", C=100.0, gap=1e-12, max_passes=2).fit(X, y)


def test_warm_start_goes_on(rows):
    X, y = rows
    model = hinge.MulticlassClassifier(method="crf", gap=1e-8, warm_start=True).fit(X, y)
    first = model.summary_.oracle_calls
    assert model.fit(X, y).summary_.oracle_calls < first


def test_path_is_warm_started_and_says_its_C(rows):
    X, y = rows
    estimator = hinge.MulticlassClassifier(method="crf", gap=1e-9)
    for C, model in estimator.path(X, y, [1, 0.1]):
        alone = hinge.MulticlassClassifier(method="crf", C=C, gap=1e-9).fit(X, y)
        assert model.C == C and np.allclose(model.coef_, alone.coef_, atol=1e-3)
        summary = model.summary_
        assert summary.C == C * len(y) and summary.primal == pytest.approx(alone.summary_.primal, rel=1e-8)
        assert summary.history and all(told["C"] == summary.C for told in summary.history)


@pytest.mark.parametrize("name", ["SequenceTagger", "MulticlassClassifier", "GraphLabeller", "MulticlassClassifierCV"])
def test_warnings_point_at_the_caller(name):
    _, X, y = case(name.removesuffix("CV"))
    with pytest.warns(hinge.ConvergenceWarning) as told:
        getattr(hinge, name)(max_passes=1, gap=1e-12, solver="frank_wolfe", **({"Cs": [1.0], "cv": 2} if name.endswith("CV") else {})).fit(X, y)
    assert {each.filename for each in told} == {__file__}


def test_path_ends_where_it_was_stopped(rows):
    X, y = rows
    estimator = hinge.MulticlassClassifier(method="crf", callback=lambda told: told["C"] < 0.5 * len(y))
    assert [C for C, _ in estimator.path(X, y, [0.1, 1, 10])] == [0.1, 1]


@pytest.mark.parametrize("name", ["SequenceTagger", "MulticlassClassifier", "GraphLabeller"])
def test_cv_chooses_C(name):
    estimator, X, y = case(name)
    chosen = getattr(hinge, name + "CV")(Cs=[1e-4, 1], cv=3).fit(X, y)
    assert chosen.C_ == 1 and chosen.cv_results_["scores"].shape == (3, 2)
    assert chosen.score(X, y) > 0.7 and chosen.C is None


def test_summary_tells(rows):
    X, y = rows
    summary = hinge.MulticlassClassifier().fit(X, y).summary_
    assert summary.primal >= summary.dual and 0 <= summary.gap <= 1e-3 and summary.converged and summary.exact
    assert "converged" in repr(summary) and "<table>" in summary._repr_html_() and "gap (log scale)" in summary._repr_html_()
    with pytest.raises(AttributeError, match="primal"):
        summary.nothing


def test_summary_says_whether_inference_was_exact(rng):
    n, pairs = 25, np.array([[i, j] for i in range(25) for j in (i + 1, i + 5) if j < 25 and (j > i + 1 or j % 5)])
    labels = rng.integers(0, 2, n)
    X, y = [(np.c_[labels + rng.normal(size=n), np.ones(n)], pairs)] * 3, [labels.tolist()] * 3
    exact = hinge.GraphLabeller().fit(X, y).summary_
    wide = hinge.GraphLabeller(method="crf", max_cells=0).fit(X, y).summary_
    assert exact.exact and "inference=exact (elimination)" in repr(exact) and "<td>exact (elimination)</td>" in exact._repr_html_()
    assert not wide.exact and "not exact in" in repr(wide) and "<th>inference</th><td>not exact in" in wide._repr_html_()
    assert "inference=exact" in repr(hinge.MulticlassClassifier().fit(np.eye(2), [0, 1]).summary_)


@pytest.mark.parametrize("name", ALL)
def test_every_summary_has_a_curve(name):
    estimator, X, y = case(name)
    summary = estimator.fit(X, y).summary_
    assert summary._repr_html_().count("<polyline") >= 1 and "nan" not in summary._repr_html_()
    figure = pytest.importorskip("matplotlib.figure").Figure()
    drawn = summary.plot(figure.add_subplot())
    assert drawn.lines[0].get_label() == "primal" and drawn.get_xlabel() == "seconds"
    assert len(drawn.lines[0].get_xdata()) == len([told for told in summary.history if abs(told["primal"]) < 1e300])


def test_a_plot_of_its_own(rows):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    drawn = hinge.MulticlassClassifier().fit(*rows).summary_.plot()
    assert drawn is plt.gca() and [line.get_label() for line in drawn.lines] == ["primal", "dual"]
    plt.close("all")


def test_parameters_come_from_the_options(command):
    told = command("train", "multiclass", "--help")
    estimator = hinge.MulticlassClassifier()
    for name in ("class_weights", "cost_matrix", "bias", "restarts", "l1", "rescaling"):
        assert name in estimator.get_params() and "--" + name.replace("_", "-") in told


@pytest.mark.parametrize("name", ALL)
def test_methods_are_there_where_they_work(name):
    estimator, X, y = case(name)
    estimator.fit(X, y)
    for method in ("predict_proba", "predict_nbest", "decision_function"):
        if hasattr(estimator, method):
            assert len(getattr(estimator, method)(X)) == len(X)
    with pytest.raises(AttributeError, match="decision_function"):
        hinge.BinaryClassifier().predict_proba
    assert not hasattr(hinge.Learner(hinge.Task()), "predict_proba") and hasattr(hinge.Learner(hinge.FactoredTask()), "predict_proba")


@pytest.mark.parametrize("name", [*WEIGHTED, "Ranker", "SequenceTaggerCV"])
def test_unknown_keywords_are_named(name):
    estimator, X, y = case(name.removesuffix("CV"))
    cls = getattr(hinge, name)
    with pytest.raises(TypeError, match=f"{name}.fit has no parameter 'sample_weigth': did you mean 'sample_weight'"):
        cls().fit(X, y, sample_weigth=1)
    estimator.fit(X, y)
    for method in ("predict", "score", "evaluate"):
        with pytest.raises(TypeError, match=f"{method} has no parameter 'nothing'"):
            getattr(estimator, method)(X, *([] if method == "predict" else [y]), nothing=1)
    if name == "SequenceTagger":
        with pytest.raises(TypeError, match="did you mean 'lengths'"):
            estimator.score(X, y, length=[3])


def test_samples_are_scored_as_they_are_learned(rng):
    X = rng.normal(size=(40, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=40) > 0).astype(int)
    model = hinge.BinaryClassifier().fit(X, y, group=[10] * 4)
    apart = [model.evaluate(X[i:i + 10], y[i:i + 10])["loss"] for i in range(0, 40, 10)]
    assert model.score(X, y, metric="loss", group=[10] * 4) == pytest.approx(-np.mean(apart))


def test_not_fitted_is_said():
    for name in ALL:
        estimator, X, _ = case(name)
        with pytest.raises((hinge.NotFittedError, ValueError), match="not fitted"):
            estimator.predict(X)


def test_options_out_of_range_are_refused(rows):
    X, y = rows
    for keywords, sentence in (({"method": "svm"}, "method"), ({"C": -1}, "positive"), ({"bias": -1}, "bias"),
                               ({"n_jobs": 0}, "n_jobs"), ({"solver": "none"}, "none"),
                               ({"solver_options": {"nothing": 1}}, "nothing"), ({"restarts": "two"}, "restarts")):
        with pytest.raises(ValueError, match=sentence):
            hinge.MulticlassClassifier(**keywords).fit(X, y)


def test_class_weights_by_dict(rows):
    X, y = rows
    by_dict = hinge.MulticlassClassifier(method="crf", class_weights={"ant": 2.0}, gap=1e-9).fit(X, y)
    by_weight = hinge.MulticlassClassifier(method="crf", gap=1e-9).fit(X, y, sample_weight=np.where(y == "ant", 2.0, 1.0))
    assert np.allclose(by_dict.coef_, by_weight.coef_, atol=1e-6)
    assert json.loads(by_dict._model.task_options())["class_weights"] == ["ant:2.0"]


@pytest.mark.parametrize("name", ["MulticlassClassifier", "SequenceTagger", "MotifFinder"])
def test_what_nobody_knows_of_a_training_can_be_compared(name):
    estimator, X, y = case(name)
    with pytest.warns(hinge.ConvergenceWarning):
        summary = estimator.set_params(time_limit=1e-9).fit(X, y).summary_
    assert summary.gap == summary.relative_gap == np.inf and summary.primal >= summary.dual and not summary.gap <= 1e-3
    assert summary.to_dict()["relative_gap"] is None and "=inf" not in repr(summary)
