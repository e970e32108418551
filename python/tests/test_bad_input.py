"""Bad input: a ValueError or TypeError that says which example and what belongs there; never a crash."""

import numpy as np
import pytest
from cases import CASES, case

import hinge

TAGGER, ROWS, GRAPHS = hinge.SequenceTagger, hinge.MulticlassClassifier, hinge.GraphLabeller
A, E = np.eye(3), np.array([[0, 1], [1, 2]])

BAD = [
    # sequences
    (lambda: TAGGER().fit([], []), "empty"),
    (lambda: TAGGER().fit([[["a"]]], [["x"], ["y"]]), "1 sequences, but y has 2"),
    (lambda: TAGGER().fit([[["a"]], [["b"]]], [["x"]]), "2 sequences, but y has 1"),
    (lambda: TAGGER().fit([[["a"], ["b"]]], [["x"]]), "sequence 0 has 2 positions, but 1 labels"),
    (lambda: TAGGER().fit([[["a"]], [["b"]]], [["x"], ["x", "y"]]), "sequence 1 has 1 positions, but 2 labels"),
    (lambda: TAGGER().fit([[["a"]], []], [["x"], []]), "sequence 1 is empty"),
    (lambda: TAGGER().fit([["a", "b"]], [["x", "y"]]), "token of sequence 0 is a str"),
    (lambda: TAGGER().fit(["words"], [["x"]]), "sequence 0 is a str"),
    (lambda: TAGGER().fit([3], [["x"]]), "sequence 0 is a int"),
    (lambda: TAGGER().fit(3, [["x"]]), "X is a int"),
    (lambda: TAGGER().fit([[["a"]]], 3), "y is a int"),
    (lambda: TAGGER().fit([[["a"]]], [3]), "labels of sequence 0"),
    (lambda: TAGGER().fit([[[1]]], [["x"]]), "a int among its attributes"),
    (lambda: TAGGER().fit([[{"a": object()}]], [["x"]]), "value that is a object"),
    (lambda: TAGGER().fit([[{1: 1.0}]], [["x"]]), "key"),
    (lambda: TAGGER().fit([[{"a": float("nan")}]], [["x"]]), "nan of 'a' at position 0"),
    (lambda: TAGGER().fit([[{"a": 1e300}]], [["x"]]), "finite"),
    (lambda: TAGGER().fit([[{"a": {"b": "c"}}]], [["x"]]), "inside a dict"),
    (lambda: TAGGER().fit([[["a"]]], [[["x", "y"]]]), "where one label belongs"),
    (lambda: TAGGER().fit([[["a"], ["b"]]], [["x", 1]]), "several types"),
    (lambda: TAGGER().fit([[["a"]]], [[float("nan")]]), "nan"),
    (lambda: TAGGER().fit([A, np.eye(2)], [[0, 1, 2], [0, 1]]), "sequence 1 has 2 columns where those before have 3"),
    (lambda: TAGGER().fit([np.zeros(3)], [[0, 1, 2]]), "no table"),
    (lambda: TAGGER().fit([np.array([[1, np.nan]])], [[0]]), "nan in column 1 of row 0"),
    (lambda: TAGGER().fit([np.array([["a"]])], [[0]]), "no table"),
    (lambda: TAGGER().fit(A, [0, 1, 2], lengths=[1, 1]), "lengths sum to 2"),
    (lambda: TAGGER().fit([[["a"]]], [["x"]], sample_weight=[1, 2]), "2 sample weights"),
    (lambda: TAGGER().fit([[["a"]]], [["x"]], sample_weight=[-1]), "0 or more"),
    (lambda: TAGGER().fit([[["a"]]], [["x"]], sample_weight=[0]), "nothing is left"),
    (lambda: TAGGER().fit([[["a"]]], None), "requires y"),
    (lambda: TAGGER().fit([[["a"]], [["b"]]], [[None], [None]]), "label"),
    (lambda: TAGGER(templates="U:%x[0,3]").fit([["word"]], [["x"]]), "column"),
    (lambda: TAGGER(templates="U:%x[0,0]").fit([[("a", "b"), ("c",)]], [["x", "y"]]), "token 1 of sequence 0"),
    (lambda: TAGGER(order=9).fit([[["a"]]], [["x"]]), "order"),
    # rows
    (lambda: ROWS().fit(np.zeros((0, 3)), []), "0 sample|empty"),
    (lambda: ROWS().fit(np.zeros(3), [0, 1, 2]), "1D|dimensions"),
    (lambda: ROWS().fit([[0, 1], [2, np.nan]], [0, 1]), "nan in column 1 of row 1.*NaN"),
    (lambda: ROWS().fit([[0, 1], [np.inf, 2]], [0, 1]), "inf in column 0 of row 1"),
    (lambda: ROWS().fit([[1, 2], [3]], [0, 1]), "row 1 of X has 1 numbers where those before have 2"),
    (lambda: ROWS().fit([["a", "b"], ["c", "d"]], [0, 1]), "row 0 of X is not made of numbers: are X and y swapped"),
    (lambda: ROWS().fit(A, [0, 1]), "3 rows, but y has 2"),
    (lambda: ROWS().fit((row for row in A), [0, 1, 2]), "X is a generator, where a table"),
    (lambda: ROWS().fit(A, [0, 0, 0]), "one class|only one|classes"),
    (lambda: ROWS().fit(A, [0, 1, "a"]), "several types|type"),
    (lambda: ROWS().fit(A, [None] * 3), "all None"),
    (lambda: ROWS().fit(A, None), "requires y"),
    (lambda: ROWS().fit([0, 1, 2], A), "1D|dimensions"),  # X and y swapped
    (lambda: ROWS().fit(A, [0, 1, 2]).predict(np.zeros((2, 5))), "5 features"),
    (lambda: ROWS().fit(A, [0, 1, 2], sample_weight=[1]), "sample weights"),
    (lambda: hinge.Ranker().fit(A, [0, 1, 2], qid=[1, 2, 1]), "stand together"),
    (lambda: hinge.Ranker().fit(A, [0, 1, 2], group=[1, 1]), "group sums to 2"),
    (lambda: hinge.Ranker().fit(A, [0, 1, 2], group=[4, -1]), "group has the number -1"),
    (lambda: hinge.Ranker().fit(A, [0, 1]), "3 rows, but y"),
    (lambda: ROWS(cost_matrix=np.ones((2, 2))).fit(A, [0, 1, 2]), "cost_matrix has the shape \\(2, 2\\), where 3 classes need"),
    (lambda: ROWS(cost_matrix=np.ones((3, 3))).fit(A, [0, 1, 2]), "0 on its diagonal"),
    (lambda: ROWS(cost_matrix=1 - A).fit(A, ["a", "b c", "d"]), "the class 'b c' cannot be told apart"),
    (lambda: ROWS(c=1), "did you mean 'C'"),
    (lambda: hinge.Ranker().fit(A, [0, -1, 2]), "grade"),
    (lambda: hinge.BinaryClassifier().fit(A, [0, 1, 2]), "class"),
    (lambda: hinge.MultilabelClassifier().fit(A, np.full((3, 2), 7)), "0, 1 and -1"),
    (lambda: hinge.MultilabelClassifier().fit(A, [{0}, {1}]), "3 rows, but y has 2"),
    (lambda: hinge.TaxonomyClassifier().fit(A, ["a", "a", "a"]), "class"),
    # graphs
    (lambda: GRAPHS().fit([], []), "empty"),
    (lambda: GRAPHS().fit([A], [[0, 1, 2]]), "graph 0 is a ndarray"),
    (lambda: GRAPHS().fit([(A, E)], [[0, 1]]), "graph 0 has 3 nodes, but 2 labels"),
    (lambda: GRAPHS().fit([(A, [[0, 7]])], [[0, 1, 2]]), "from 0 to 7, but the graph has 3 nodes"),
    (lambda: GRAPHS().fit([(A, [[0, -1]])], [[0, 1, 2]]), "from 0 to -1"),
    (lambda: GRAPHS().fit([(A, [[0.5, 1]])], [[0, 1, 2]]), "edges of graph 0"),
    (lambda: GRAPHS().fit([(A, [[0, 0]])], [[0, 1, 2]]), "graph 0"),
    (lambda: GRAPHS().fit([(A, [[0, 1], [1, 0]])], [[0, 1, 2]]), "graph 0"),
    (lambda: GRAPHS().fit([(A, [[0, 2**40]])], [[0, 1, 2]]), "1099511627776"),
    (lambda: GRAPHS().fit([(A, np.array([[0, 2**64 - 1]], dtype=np.uint64))], [[0, 1, 2]]), "18446744073709551615"),
    (lambda: GRAPHS().fit([(A, E, np.zeros((3, 1)))], [[0, 1, 2]]), "2 edges, but 3 rows"),
    (lambda: GRAPHS().fit([(A, E), (np.eye(2), E[:1])], [[0, 1, 2], [0, 1]]), "graph 1 has 2 columns"),
    (lambda: GRAPHS().fit([(np.full((3, 3), np.nan), E)], [[0, 1, 2]]), "nan"),
    (lambda: GRAPHS().fit([([[1, 2], [3]], E)], [[0, 1]]), "node features of graph 0"),
    (lambda: GRAPHS().fit([(A, E)], [[0, 1, 2], [0]]), "1 graphs, but y has 2"),
    # the others
    (lambda: hinge.MotifFinder(length=3).fit(["ACGT", "AXGT"], [1, 0]), "X"),
    (lambda: hinge.MotifFinder(length=9).fit(["ACGT", "AGGT"], [1, 0]), "short|9"),
    (lambda: hinge.MotifFinder().fit("ACGT", [1]), "one string"),
    (lambda: hinge.MotifFinder().fit([1, 2], [1, 0]), "sequence 0 is a int"),
    (lambda: hinge.MotifFinder().fit(["ACGT"], [7]), "label 7"),
    (lambda: hinge.MotifFinder(length=3).fit(["ACGT", "AGGT"], [1, 1]), "without the motif"),
    (lambda: hinge.SequenceClassifier().fit([np.zeros(3)], ["a"]), "sequence 0 has 1 dimensions"),
    (lambda: hinge.SequenceClassifier().fit([np.zeros((2, 2)), np.zeros((2, 3))], ["a", "b"]), "channels"),
    (lambda: hinge.SequenceClassifier().fit([np.zeros((0, 2)), np.zeros((2, 2))], ["a", "b"]), "sequence 0"),
    (lambda: hinge.SequenceClassifier().fit([np.full((2, 2), np.nan)] * 2, ["a", "b"]), "finite"),
    (lambda: hinge.SequenceClassifier().fit([A], ["a", "b"]), "1 sequences, but y has 2"),
    (lambda: hinge.Clusterer().fit([{"pairs": np.zeros((5, 2)), "n": 4}], [[0, 0, 1, 1]]), "5 rows of pairs for 4"),
    (lambda: hinge.Clusterer().fit([{"pairs": np.zeros((6, 2)), "n": 4}], [[0, 0, 1]]), "document 0"),
    (lambda: hinge.Clusterer().fit([7], [[0]]), "document 0 is a int"),
    *((lambda n=n: hinge.Clusterer().fit([{"pairs": np.zeros((1, 1)), "n": n}], [[0, 0]]), "document 0 has .* for the number of its items")
      for n in (-2, np.int64(-2), 2**70, 2.5, "2", True)),
    (lambda: hinge.Clusterer().fit([{"items": [1, 2], "n": 2}], [[0, 0]]), "item 0 of document 0 is a int"),
    # sets where one label belongs
    (lambda: hinge.TaxonomyClassifier().fit(A, ["a/b", {"a/b", "c"}, "c"]), "row 1 has the set .* give one label, the class above them"),
    (lambda: hinge.BinaryClassifier().fit(A, [0, {0, 1}, 1]), "row 1 has the set .* BinaryClassifier does not learn from sets"),
    (lambda: hinge.SequenceClassifier().fit([A, A], ["a", {"a", "b"}]), "sequence 1 has the set .* does not learn from sets"),
    (lambda: hinge.Clusterer().fit([{"pairs": np.full((1, 1), np.nan), "n": 2}], [[0, 0]]), "nan"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_is_refused_with_a_sentence(number):
    call, sentence = BAD[number]
    with pytest.raises((ValueError, TypeError), match=sentence):
        call()


def odd_inputs(X, y):
    """What people give by mistake, crossed with every estimator."""
    n = len(X)
    for odd in (None, 3, "text", b"bytes", {"a": 1}, [], [None] * n, [object()] * n, [[]] * n, [[1, 2], *[[3]] * (n - 1)], X[:-1], X[:0], y,
                np.zeros(n), np.zeros((n, 2, 2)), np.full((n, 3), np.nan), np.ones((n, 3), dtype=complex), np.array([["a", "b"]] * n),
                ["\ud800"] * n):
        yield (odd, y), {}
    for odd in (None, 3, "text", b"bytes", {"a": 1}, [], [None] * n, [object() for _ in range(n)], [float("nan")] * n, [10**30] * n, y[:-1], X,
                [(1, "a", None, {1})[i % 4] for i in range(n)], np.zeros((n, 2, 2)), [[[]]] * n, ["\ud800"] * n):
        yield (X, odd), {}
    for odd in ("a", [1.0] * (n + 1), [float("nan")] * n, [-1] * n, np.ones((n, 2)), [0] * n):
        yield (X, y), {"sample_weight": odd}


ODD_PARAMETERS = [("C", "x"), ("C", float("nan")), ("C", [1, 2]), ("gap", -1), ("gap", "x"), ("max_passes", []), ("max_passes", -3), ("n_jobs", 1.5),
                  ("random_state", "x"), ("random_state", -5), ("random_state", 2**80), ("time_limit", -1), ("solver", 3), ("solver", "lbfsg"),
                  ("method", "crff"), ("solver_options", 3), ("solver_options", {"x": "y"}), ("callback", 3), ("restarts", -1),
                  ("output_temperature", -2), ("latent_temperature", "x"), ("init", "nothing")]


@pytest.mark.parametrize("name", sorted(CASES))
@pytest.mark.filterwarnings("ignore")
def test_mistakes_raise_what_python_raises_for_them(name):
    """ValueError or TypeError with a sentence, or a model; nothing else, and no message of the interpreter's own."""
    estimator, X, y = case(name)
    for (a, b), keywords in odd_inputs(X, y):
        try:
            CASES[name][0]().fit(a, b, **keywords)
        except (ValueError, TypeError) as error:
            assert "object is not iterable" not in str(error) and "std::" not in str(error), error
    estimator.fit(X, y)
    for (a, _), _ in list(odd_inputs(X, y))[:19]:
        try:
            estimator.predict(a)
        except (ValueError, TypeError) as error:
            assert "object is not iterable" not in str(error) and "std::" not in str(error), error
    for key, value in ODD_PARAMETERS:
        with pytest.raises((ValueError, TypeError)):
            CASES[name][0]().set_params(**{key: value}).fit(X, y)


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_failed_fit_leaves_what_was_learned(name):
    estimator, X, y = case(name)
    before = estimator.fit(X, y).weights_
    with pytest.raises((ValueError, TypeError)):
        estimator.fit(X, y[:-1])
    assert np.array_equal(estimator.weights_, before)


class Clears:
    """A number, or a label, that empties what holds it when it is asked."""

    def __init__(self, held):
        self.held = held

    def __float__(self):
        self.held.clear()
        return 1.0

    def __str__(self):
        self.held.clear()
        return "odd"


def test_code_of_others_may_empty_what_is_read():
    """What was there when it was read is what counts; nothing ends the interpreter."""
    token = {f"name {i}" * 9: f"text {i}" * 9 for i in range(50)}
    token["odd"] = Clears(token)
    inner = {f"name {i}" * 9: 1.0 for i in range(50)}
    inner["odd"] = Clears(inner)
    sequence = [{f"name {i}" * 9: 1.0} for i in range(50)]
    sequence[3] = {"odd": Clears(sequence)}
    labels = [f"label {i % 2}" * 9 for i in range(49)]
    labels.insert(2, Clears(labels))
    other = [{"a": 1.0}, {"b": 1.0}]
    for X, y in (([[token, {}], other], ["xy", "xy"]), ([[{"inner": inner}, {}], other], ["xy", "xy"]),
                 ([sequence, other], ["xy" * 25, "xy"])):
        assert hinge.SequenceTagger().fit(X, list(map(list, y))).classes_.tolist() == ["x", "y"]
    with pytest.raises(TypeError, match="several types"):
        hinge.SequenceTagger().fit([[["a"]] * 50], [labels])


def test_columns_beyond_31_bits():
    sparse = pytest.importorskip("scipy.sparse")
    wide = sparse.csr_matrix((np.ones(2), np.array([0, 2**31 - 2], dtype=np.int64), np.array([0, 1, 2])),
                             shape=(2, 2**31 - 1))
    assert ROWS().fit(wide, [0, 1]).predict(wide).tolist() == [0, 1]
    wider = sparse.csr_matrix((np.ones(2), np.array([0, 2**40], dtype=np.int64), np.array([0, 1, 2])), shape=(2, 2**41))
    with pytest.raises(ValueError, match="column"):
        ROWS().fit(wider, [0, 1])


def test_numbers_in_sparse_rows_that_are_none_are_named():
    sparse = pytest.importorskip("scipy.sparse")
    X = np.eye(4)
    X[2, 3] = np.nan
    for form in (sparse.csr_matrix, sparse.coo_matrix):
        with pytest.raises(ValueError, match="nan in column 3 of row 2"):
            ROWS().fit(form(X), [0, 1, 0, 1])


def test_layouts_of_arrays_do_not_matter(rng):
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 2, 20)
    expected = ROWS().fit(X, y).weights_
    locked = X.copy()
    locked.flags.writeable = False
    for other in (np.asfortranarray(X), locked, np.repeat(X, 2, axis=0)[::2], X.tolist()):
        assert np.array_equal(ROWS().fit(other, y).weights_, expected)
    sparse = pytest.importorskip("scipy.sparse")
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array):
        assert np.array_equal(ROWS().fit(form(X), y).weights_, expected)


def test_sparse_sequences_of_every_layout_are_read_by_rows(rng):
    """Square ones too, whose columns would pass for rows."""
    sparse = pytest.importorskip("scipy.sparse")
    X, y = [rng.normal(size=(3, 3)) for _ in range(6)], [[0, 1, 0]] * 6
    expected = hinge.SequenceTagger().fit(X, y).weights_
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csc_array, sparse.lil_matrix):
        assert np.array_equal(hinge.SequenceTagger().fit([form(x) for x in X], y).weights_, expected)
        joined = hinge.SequenceTagger().fit(form(np.vstack(X)), np.ravel(y), lengths=[3] * 6)
        assert np.array_equal(joined.weights_, expected)


@pytest.mark.parametrize("name", ["SequenceTagger", "TreeParser", "SequenceAligner", "RnaFolder"])
@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3"])
def test_numbers_of_answers_are_whole_and_positive(name, k):
    estimator, X, y = case(name)
    model = estimator.fit(X[:4], y[:4])
    with pytest.raises(ValueError, match="give a whole number from 1 on"):
        model.predict_nbest(X[:1], k=k)


def test_repeated_fits_do_not_grow():
    resource = pytest.importorskip("resource")
    estimator, X, y = case("SequenceTagger")
    for _ in range(3):
        estimator.fit(X, y).predict_proba(X)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(60):
        estimator.fit(X, y).predict_proba(X)
        with pytest.raises(ValueError):
            estimator.fit(X, y[:-1])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 8 * 1024  # kB


def test_optional_packages_are_named(monkeypatch, rows):
    import sys

    X, y = rows
    summary = ROWS().fit(X, y).summary_
    for package, call in (("pandas", summary.to_frame), ("matplotlib.pyplot", summary.plot)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=f"pip install {package.split('.')[0]}"):
            call()


ENGINES = [
    (lambda e: e.top_k(np.zeros((1, 3)), 2**40), "there are 1099511627776 places for 3 items"),
    (lambda e: e.top_k(np.zeros((1, 3)), -1), "k is -1"),
    (lambda e: e.hierarchy(np.zeros((1, 3)), [[2**40], [], []]), "node 0 has the parent 1099511627776"),
    (lambda e: e.hierarchy(np.zeros((1, 3)), [-1, 0, 0], answers=[2**40]), "answers has the node 1099511627776: give nodes from 0 to 2"),
    (lambda e: e.hierarchy(np.zeros((1, 3)), ["a", 0, 0]), "parents has a: give whole numbers"),
    (lambda e: e.chain_nbest(np.zeros((3, 2)), np.zeros((2, 2)), 2**80), "no list is so long"),
    (lambda e: e.chain(np.zeros((2, 3, 2)), np.zeros((2, 2)), n_jobs=2**40), "n_jobs is 1099511627776"),
    (lambda e: e.chain(np.zeros((2, 3, 2)), np.zeros((2, 2)), n_jobs=-5), "n_jobs is -5"),
    (lambda e: e.chain_samples(np.zeros((3, 2)), np.zeros((2, 2)), 2, random_state=-1), "random_state is -1"),
    (lambda e: e.clusters(np.zeros((1, 2, 3))), "pairs has the shape"),
    (lambda e: e.context_chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), [(0, 0, 0)], [1.0], None, np.array([[0, 1, 0]]), (1.0, 0.5)),
     "need one temperature, or 0 for outputs"),
    *((call, "count is 1125899906842624, of [0-9]+ numbers each") for call in (
        lambda e: e.chain_samples(np.zeros((3, 2)), np.zeros((2, 2)), 2**50),
        lambda e: e.context_chain_samples(np.zeros((3, 2)), np.zeros((2, 2)), [(0, 0, 0)], [1.0], 2**50),
        lambda e: e.graph_samples(np.zeros((3, 2)), [(0, 1)], np.zeros((2, 2)), 2**50),
        lambda e: e.trees_samples(np.zeros((3, 3)), 2**50),
        lambda e: e.choice_samples(np.zeros(3), 2**50),
        lambda e: e.top_k_samples(np.zeros(3), 2, 2**50),
        lambda e: e.hierarchy_samples(np.zeros(3), [-1, 0, 0], 2**50),
        lambda e: e.alignment_samples(np.zeros((3, 3)), 2**50))),
]


@pytest.mark.parametrize("number", range(len(ENGINES)))
def test_engines_refuse_numbers_out_of_range(number):
    call, sentence = ENGINES[number]
    with pytest.raises((ValueError, TypeError), match=sentence):
        call(hinge.engines)


def test_pairs_of_a_fold_that_cross_are_named():
    with pytest.raises(ValueError, match="letters 0 and 5 of sequence 0 crosses another"):
        hinge.RnaFolder().fit(["GGGAAACCC"], [[5, -1, -1, 7, -1, 0, -1, 3, -1]])


NUMBERS = [
    *((lambda e, t=t: e.chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), temperature=t), "temperature is")
      for t in ("a", np.array([0.0, 1.0, 2.0]), None, [1, "a"], 1j, float("nan"))),
    (lambda e: e.chain(np.zeros((1, 3, 2), complex), np.zeros((2, 2))), "unary has complex numbers"),
    (lambda e: e.chain_loss(np.zeros((1, 3, 2)), np.zeros((2, 2)), np.zeros((1, 3), int), rho=np.nan), "rho is nan"),
    (lambda e: e.top_k(np.zeros((1, 3)), [np.nan]), "k has a place"),
    (lambda e: e.graph(np.zeros((3, 2)), [[0, 1]], np.zeros((2, 2)), max_cells=-3), "max_cells is -3"),
]


@pytest.mark.parametrize("number", range(len(NUMBERS)))
def test_engines_refuse_what_is_no_real_number(number):
    call, sentence = NUMBERS[number]
    with pytest.raises(ValueError, match=sentence):
        call(hinge.engines)


def test_temperatures_may_be_an_array():
    scores, tables = np.random.default_rng(0).normal(size=(1, 3, 2)), np.zeros((2, 2))
    assert hinge.engines.chain(scores, tables, temperature=np.array([0.0, 1.0]))[0] == hinge.engines.chain(scores, tables, temperature=(0, 1))[0]
    assert hinge.engines.chain(scores, tables, temperature=np.float32(1))[0] == hinge.engines.chain(scores, tables)[0]


def test_tables_of_objects_and_of_other_orders_of_bytes():
    X, y = [np.eye(3)] * 4, [[0, 1, 0]] * 4
    expected = TAGGER().fit(X, y).weights_
    for kind in (object, ">f8", np.float16, bool, np.longdouble):
        assert np.array_equal(TAGGER().fit([x.astype(kind) for x in X], y).weights_, expected)
    with pytest.raises(ValueError, match="no table of numbers"):
        TAGGER().fit([np.array([["1", "2"]])], [[0]])


WHOLE = [
    (lambda e: e.chain_loss(np.zeros((1, 3, 2)), np.zeros((2, 2)), np.full((1, 3), 2**64 - 1, dtype=np.uint64)), "labels has 18446744073709551615"),
    (lambda e: e.chain_loss(np.zeros((1, 3, 2)), np.zeros((2, 2)), [[0, 1.9, 1]]), "labels has 1.9"),
    (lambda e: e.chain_loss(np.zeros((1, 3, 2)), np.zeros((2, 2)), np.full((1, 3), np.nan)), "labels has nan"),
    (lambda e: e.chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), lengths=[1.5]), "lengths has 1.5"),
    (lambda e: e.graph(np.zeros((3, 2)), [[0.9, 1.7]], np.zeros((2, 2))), "edges has 0.9"),
    (lambda e: e.graph(np.zeros((3, 2)), [[0, 1, 1, 2]], np.zeros((2, 2))), r"edges has the shape \(1, 4\)"),
    (lambda e: e.graph(np.zeros((3, 2)), np.array([[0, 2**64 - 1]], dtype=np.uint64), np.zeros((2, 2))), "edges has 18446744073709551615"),
    (lambda e: e.context_chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), [(0, 0, 0.5)], [1.0]), "ngrams has 0.5"),
    (lambda e: e.hierarchy(np.zeros((1, 3)), [-1, 0.5, 0]), "parents has 0.5"),
    (lambda e: e.hierarchy(np.zeros((1, 3)), [-1, 0, 0], answers=[1.5]), "answers has 1.5"),
    (lambda e: TAGGER().fit(A, [0, 1, 2], lengths=[1.5, 1.5]), "lengths has 1.5"),
    (lambda e: hinge.Ranker().fit(A, [0, 1, 2], group=[1.5, 1.5]), "group has 1.5"),
]


@pytest.mark.parametrize("number", range(len(WHOLE)))
def test_numbers_of_things_are_not_cast(number):
    call, sentence = WHOLE[number]
    with pytest.raises(ValueError, match=sentence):
        call(hinge.engines)


def test_whole_numbers_may_be_floats():
    scores, tables = np.random.default_rng(0).normal(size=(1, 3, 2)), np.zeros((2, 2))
    assert hinge.engines.chain_loss(scores, tables, [[0.0, 1.0, -1.0]], lengths=[3.0])[0] == \
        hinge.engines.chain_loss(scores, tables, [[0, 1, -1]])[0]
    assert hinge.engines.graph(scores[0], [], tables)[0] == hinge.engines.graph(scores[0], np.zeros((0, 2), int), tables)[0]


@pytest.mark.parametrize("form", ["table", "sparse"])
def test_numbers_that_single_precision_lacks_are_named(form):
    sparse = pytest.importorskip("scipy.sparse")
    X = np.eye(4)
    X[2, 3] = 1e300
    shaped = sparse.csr_matrix(X) if form == "sparse" else X
    for call in (lambda: ROWS().fit(shaped, [0, 1, 0, 1]), lambda: hinge.Ranker().fit(shaped, [0, 1, 0, 1]),
                 lambda: hinge.BinaryClassifier().fit(shaped, [0, 1, 0, 1]),
                 lambda: ROWS().fit(np.eye(4), [0, 1, 0, 1]).predict(shaped),
                 lambda: ROWS().fit(shaped, [0, 1, 0, 1], sample_weight=[0, 1, 1, 1])):
        with pytest.raises(ValueError, match=r"1e\+300 in column 3 of row 2"):
            call()


def test_messages_have_the_numbers_of_what_was_given():
    """Where something before has no weight."""
    weights = [0, 1, 1]
    for call, sentence in (
            (lambda: TAGGER().fit([[["a"]], [["b"]], [["c"], ["d"]]], [["x"], ["y"], ["x"]], sample_weight=weights), "sequence 2 has 2 positions"),
            (lambda: GRAPHS().fit([(A, E), (A, E), (A, [[0, 7]])], [[0, 1, 2]] * 3, sample_weight=weights), "graph 2 goes from 0 to 7"),
            (lambda: hinge.SequenceClassifier().fit([A, A, A[:, :2]], ["a", "b", "a"], sample_weight=weights), "sequence 2 has 2 channels"),
            (lambda: hinge.Clusterer().fit([{"pairs": np.zeros((1, c)), "n": 2} for c in (1, 1, 2)], [[0, 1]] * 3, sample_weight=weights),
             "document 2 have 2 columns, where those before have 1"),
            (lambda: hinge.SequenceClassifier().fit([A, A, np.full((2, 3), 1e300)], ["a", "b", "a"], sample_weight=weights), "sequence 2 has 1e"),
            (lambda: hinge.MotifFinder(length=3).fit(["ACGT", "ACGT", "AXGT"], [1, 1, 0], sample_weight=weights), "sequence 2"),
            (lambda: hinge.Clusterer().fit([{"pairs": np.zeros((1, 1)), "n": 2}] * 3, [[0, 1], [0, 1], [0]], sample_weight=weights), "document 2"),
            (lambda: hinge.RnaFolder().fit(["GC", "GC", "GC"], ["..", "..", "("], sample_weight=weights), "sequence 2")):
        with pytest.raises(ValueError, match=sentence):
            call()


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, TypeError])
def test_what_inner_generators_raise_comes_through(error):
    def broken(first):
        yield first
        raise error("mine")

    for X, y in (([broken(["a"])], [["x", "y"]]), ([[["a"], ["b"]]], [broken("x")])):
        with pytest.raises(error, match="mine"):
            TAGGER().fit(X, y)
    with pytest.raises(error, match="mine"):
        TAGGER(templates="U:%x[0,0]").fit([[broken("word"), ("b",)]], [["x", "y"]])


def test_inner_generators_are_read():
    X, y = [[["a"], ["b"]], [["b"]]], [["x", "y"], ["y"]]
    read = TAGGER().fit(((token for token in x) for x in X), ((label for label in labels) for labels in y))
    assert np.array_equal(read.weights_, TAGGER().fit(X, y).weights_)


def test_tasks_want_lists_and_tasks():
    for call in (lambda: hinge.Learner(hinge.Task()).fit(None, [1]), lambda: hinge.Learner(hinge.Task()).fit("abc", "abc"),
                 lambda: hinge.check_task(3, [1], [1])):
        with pytest.raises(TypeError, match="where a"):
            call()


def test_paths_are_of_text_or_bytes(tmp_path):
    model = ROWS().fit(A, [0, 1, 2])
    model.save(bytes(tmp_path / "bytes.model"))
    assert np.array_equal(hinge.load(str(tmp_path / "bytes.model")).weights_, hinge.load(bytes(tmp_path / "bytes.model")).weights_)
    with open(tmp_path / "bytes.model", "rb") as file, pytest.raises(TypeError, match="PathLike"):
        hinge.load(file)
