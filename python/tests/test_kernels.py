"""Kernels of the user's own: tables of products, and functions."""

import pickle

import numpy as np
import pytest

import hinge
from hinge._units import Units

GAMMA = 0.5


def near(X, Y):
    """The rbf kernel."""
    return np.exp(-GAMMA * ((X[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2))


def rings(n, seed):
    random = np.random.default_rng(seed)
    ring, turn = np.arange(n) % 3, 6.28 * random.random(n)
    radius = 1 + ring + 0.4 * random.normal(size=n)
    return np.float32(np.c_[radius * np.cos(turn), radius * np.sin(turn)]).astype(float), ring


X, RING = rings(90, 1)
NEW, NEW_RING = rings(60, 2)
LABELS = {
    "MulticlassClassifier": (["a", "b", "c"], {}),
    "TaxonomyClassifier": (["a/x", "a/y", "b"], {}),
    "BinaryClassifier": (["no", "no", "yes"], {"measure": "f1"}),
}


def learned(name, kernel, rows, **parameters):
    classes, own = LABELS[name]
    return getattr(hinge, name)(kernel=kernel, C=10.0, gap=1e-5, max_passes=1e6, **{**own, **parameters}).fit(rows, np.array(classes)[RING])


def same_optimum(a, b, rounding):
    """Within both relative gaps."""
    return abs(a.summary_.primal - b.summary_.primal) <= (a.summary_.gap + b.summary_.gap + rounding) * b.summary_.primal


@pytest.mark.parametrize("map", ["greedy", "none"])
@pytest.mark.parametrize("name", LABELS)
def test_table_and_function_have_the_optimum_of_the_built_in_kernel(name, map):
    rows = learned(name, "rbf", X, kernel_gamma=GAMMA, kernel_map="none")
    for model, new in ((learned(name, "precomputed", near(X, X), kernel_map=map), near(NEW, X)), (learned(name, near, X, kernel_map=map), NEW)):
        if map == "none":
            assert model.summary_.solver == "gram"
        assert same_optimum(model, rows, 1e-5)
        assert np.mean(model.predict(new) == rows.predict(NEW)) > 0.95
        np.testing.assert_allclose(model.decision_function(new), rows.decision_function(NEW), atol=0.05 * np.abs(rows.decision_function(NEW)).max())
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(new), model.predict(new))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_same_answers_as_scikit_learns_svc_of_the_same_table(kernel):
    svm = pytest.importorskip("sklearn.svm")
    products = (lambda A, B: A @ B.T) if kernel == "linear" else near
    two = RING > 0
    theirs = svm.SVC(kernel="precomputed", C=2.0, tol=1e-4).fit(products(X, X), two)
    ours = hinge.BinaryClassifier(kernel="precomputed", kernel_map="none", measure="error", C=2.0, gap=1e-5, max_passes=1e6, bias=10.0).fit(products(X, X), two)
    assert np.mean(ours.predict(products(NEW, X)) == theirs.predict(products(NEW, X))) > 0.95


def test_inputs_may_be_anything(tmp_path):
    words = ["abab", "aabb", "bbaa", "cdcd", "ccdd", "ddcc"]

    def shared(A, B):
        assert all(isinstance(a, str) for a in [*A, *B])
        return np.array([[float(len(set(a) & set(b))) for b in B] for a in A])

    for given in (words, np.array(words, dtype=object)):
        model = hinge.MulticlassClassifier(kernel=shared, kernel_map="none", C=10.0).fit(given, [0, 0, 0, 1, 1, 1])
        assert model.predict(["ab", "dc"]).tolist() == [0, 1]
        again = pickle.loads(pickle.dumps(hinge.MulticlassClassifier(kernel=letters, C=10.0).fit(given, [0, 0, 0, 1, 1, 1])))
        assert again.predict(["ab", "dc"]).tolist() == [0, 1]
        assert len(again._compared.inputs) < len(words)  # those that tell nothing new are left out
        model.save(tmp_path / "model")
        assert hinge.load(tmp_path / "model").predict(shared(["ab", "dc"], words)).tolist() == [0, 1]


def letters(A, B):
    return np.array([[float(len(set(a) & set(b))) for b in B] for a in A])


def test_function_is_asked_for_what_predictions_need_alone():
    asked = []

    def told(A, B):
        asked.append((len(A), len(B)))
        return near(A, B)

    model = learned("MulticlassClassifier", told, X, kernel_map="none")
    model.predict(NEW)
    assert asked[0] == (90, 90) and asked[1][0] == 60 and asked[1][1] < 90


def test_what_was_fitted_stays_when_parameters_change_or_a_fit_fails():
    model = learned("MulticlassClassifier", near, X, kernel_map="none")
    before = model.predict(NEW)
    with pytest.raises(ValueError, match="gave the shape"):
        model.set_params(kernel=lambda A, B: 1.0).fit(X[:50], RING[:50])
    assert np.array_equal(model.predict(NEW), before)
    model.set_params(kernel="linear", kernel_map="greedy").fit(X, RING)
    assert model.predict(NEW).shape == (60,)


def test_files_predict_from_products(tmp_path):
    for kernel, rows in (("precomputed", near(X, X)), (near, X)):
        model = learned("MulticlassClassifier", kernel, rows, kernel_map="none")
        model.save(tmp_path / "model")
        again = hinge.load(tmp_path / "model")
        assert again.kernel == "precomputed" and again.n_features_in_ == 90
        assert np.array_equal(again.predict(near(NEW, X)), model.predict(NEW if callable(kernel) else near(NEW, X)))
        with pytest.raises(ValueError, match="expecting 90 features"):
            again.predict(NEW)


def test_the_command_line_predicts_from_products(command, tmp_path):
    model = learned("MulticlassClassifier", near, X, kernel_map="none")
    model.save(tmp_path / "model")
    lines = ["? " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row)) + "\n" for row in near(NEW, X)]
    (tmp_path / "new").write_text("".join(lines))
    assert command("predict", tmp_path / "model", tmp_path / "new").split() == model.predict(NEW).tolist()


def test_all_of_ssvm_is_served():
    table = near(X, X)
    costs = np.array([[0, 1, 3], [2, 0, 1], [0.5, 1, 0]])
    weights = np.r_[np.ones(60), np.zeros(15), 2 * np.ones(15)]
    for more in ({"rescaling": "slack"}, {"cost_matrix": costs}, {"class_weights": "balanced"}, {"bias": 0.0}):
        rows = hinge.MulticlassClassifier(kernel="rbf", kernel_gamma=GAMMA, kernel_map="none", C=10.0, gap=1e-5, **more).fit(X, RING, weights)
        own = hinge.MulticlassClassifier(kernel="precomputed", kernel_map="none", C=10.0, gap=1e-5, **more).fit(table, RING, weights)
        assert same_optimum(own, rows, 1e-6)
    path = list(hinge.MulticlassClassifier(kernel=near, kernel_map="none").path(X, RING, [1.0, 10.0]))
    assert [C for C, _ in path] == [1.0, 10.0]
    assert path[1][1].score(NEW, NEW_RING) > 0.6
    started = hinge.MulticlassClassifier(kernel="precomputed", kernel_map="none", C=10.0, warm_start=True).fit(table, RING)
    first = started.summary_.oracle_calls
    assert started.fit(table, RING).summary_.oracle_calls < first


@pytest.mark.parametrize("map", ["greedy", "none"])
def test_folds_cut_rows_and_columns(map):
    table = near(X, X)
    rest = np.arange(90) % 3 != 0
    cut, _, _ = Units(table, RING, {}).chosen(np.flatnonzero(~rest), np.flatnonzero(rest))
    assert np.array_equal(cut, table[np.ix_(~rest, rest)])
    own = hinge.MulticlassClassifierCV(kernel="precomputed", kernel_map=map, Cs=[0.1, 10], cv=3, gap=1e-5).fit(table, RING)
    rows = hinge.MulticlassClassifierCV(kernel=near, kernel_map=map, Cs=[0.1, 10], cv=3, gap=1e-5).fit(X, RING)
    np.testing.assert_allclose(own.cv_results_["scores"], rows.cv_results_["scores"], atol=0.04)
    binary = hinge.BinaryClassifierCV(kernel="precomputed", kernel_map=map, measure="f1", Cs=[0.1, 1], cv=2).fit(table, RING == 0, group=[30, 30, 30])
    assert binary.C_ in (0.1, 1)


def test_scikit_learns_tools_cut_rows_and_columns():
    selection = pytest.importorskip("sklearn.model_selection")
    base = pytest.importorskip("sklearn.base")
    table = near(X, X)
    model = hinge.MulticlassClassifier(kernel="precomputed", kernel_map="none", C=10.0)
    assert base.clone(model).get_params()["kernel"] == "precomputed"
    scores = selection.cross_val_score(model, table, RING, cv=3)
    own = selection.cross_val_score(hinge.MulticlassClassifier(kernel=near, kernel_map="none", C=10.0), X, RING, cv=3)
    np.testing.assert_allclose(scores, own, atol=0.04)
    search = selection.GridSearchCV(model, {"C": [0.1, 10.0]}, cv=3).fit(table, RING)
    assert search.predict(near(NEW, X)).shape == (60,)


@pytest.mark.parametrize("change, sentence", [
    (lambda K: K[:, :80], "90 rows and 80 columns"),
    (lambda K: np.where(np.arange(90) == 4, np.nan, K), "X has nan in column 4 of row 0"),
    (lambda K: K + np.triu(0.1 * np.ones((90, 90)), 1), "kernels are symmetric|too large beside"),
    (lambda K: K - 2 * np.diag(np.arange(90) == 7), "input 7 with itself is -1, below 0"),
    (lambda K: 2 * K - np.eye(90) * 1.9, "positive semidefinite"),
])
def test_tables_of_no_kernel_are_refused(change, sentence):
    model = hinge.MulticlassClassifier(kernel="precomputed", kernel_map="none")
    with pytest.raises(ValueError, match=sentence):
        model.fit(change(near(X, X)), RING)


def test_products_that_are_none_are_refused():
    for map in ("greedy", "none"):  # each two of the inputs could have a kernel, and all of them none
        sign = np.where(RING == 0, 1, -1)
        table = 1.9 * np.eye(90) - 0.9 * np.outer(sign, sign)
        with pytest.raises(ValueError, match="positive semidefinite"):
            hinge.MulticlassClassifier(kernel="precomputed", kernel_map=map, bias=0.0, C=100.0).fit(table, RING == 0)
    fitted = learned("MulticlassClassifier", "precomputed", near(X, X), kernel_map="none")
    with pytest.raises(ValueError, match="90 features"):
        fitted.predict(near(NEW, NEW))
    with pytest.raises(ValueError, match="gave the shape"):
        learned("MulticlassClassifier", lambda A, B: 1.0, X)
    with pytest.raises(ValueError, match="gave nan for row 0 of X and row 0 of Y"):
        learned("MulticlassClassifier", lambda A, B: near(A, B) * np.nan, X)
    with pytest.raises(ValueError, match="serves maxima, not sums"):
        learned("MulticlassClassifier", "precomputed", near(X, X), kernel_map="none", method="crf")
    assert learned("MulticlassClassifier", "precomputed", near(X, X), method="crf").predict_proba(near(NEW, X)).shape == (60, 3)
    with pytest.raises(ValueError, match="X_unlabelled"):
        hinge.MulticlassClassifier(kernel=near).fit(X, RING, X_unlabelled=NEW)
    with pytest.raises(AttributeError, match="made others of them"):
        fitted.coef_
    with pytest.raises(ValueError, match="kernel is <function|kernel"):
        hinge.MultilabelClassifier(kernel=near).fit(X, np.eye(3, dtype=int)[RING])
