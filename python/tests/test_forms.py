"""Graphs, clusters, sets, motifs and rankings in the forms that people have."""

import numpy as np
import pytest
from cases import case

import hinge


def graphs(rng, count=10, features=False):
    X, y = [], []
    for _ in range(count):
        n = int(rng.integers(3, 6))
        labels = rng.integers(0, 2, n)
        edges = np.array([[i, i + 1] for i in range(n - 1)])
        same = (labels[edges[:, 0]] == labels[edges[:, 1]]).astype(float)[:, None]
        nodes = np.c_[labels + 0.8 * rng.normal(size=n), np.ones(n)]
        X.append((nodes, edges, same) if features else (nodes, edges))
        y.append(labels.tolist())
    return X, y


def test_networkx_says_the_same(rng):
    networkx = pytest.importorskip("networkx")
    for features in (False, True):
        X, y = graphs(rng, features=features)
        theirs = []
        for x, labels in zip(X, y):
            graph = networkx.Graph()
            for i, row in enumerate(x[0]):
                graph.add_node(f"node {i}", features=row, label=labels[i])
            for e, (a, b) in enumerate(x[1]):
                graph.add_edge(f"node {a}", f"node {b}", **({"features": x[2][e]} if features else {}))
            theirs.append(graph)
        ours = hinge.GraphLabeller(method="crf").fit(X, y)
        assert np.array_equal(hinge.GraphLabeller(method="crf").fit(theirs, y).weights_, ours.weights_)
        assert np.array_equal(hinge.GraphLabeller(method="crf").fit(theirs, "label").weights_, ours.weights_)
        assert list(ours.predict(theirs)) == list(ours.predict(X))
    theirs[0].nodes["node 0"].pop("features")
    with pytest.raises(ValueError, match="graph 0 has nodes without"):
        ours.predict(theirs)


def test_edge_features_help_and_direction_counts(rng):
    X, y = graphs(rng, 30, features=True)
    plain = hinge.GraphLabeller(C=1.0).fit([x[:2] for x in X], y).score([x[:2] for x in X], y)
    assert hinge.GraphLabeller(C=1.0).fit(X, y).score(X, y) > plain
    both = [hinge.GraphLabeller(method="crf", directed=directed).fit(X, y) for directed in (False, True)]
    assert len(both[1].weights_) > len(both[0].weights_)


def test_hidden_and_given_nodes(rng):
    X, y = graphs(rng, 30)
    for nobody in (None, -1):
        hidden = [[nobody if i and rng.random() < 0.3 else label for i, label in enumerate(labels)] for labels in y]
        model = hinge.GraphLabeller(method="hcrf", C=1.0).fit(X, hidden)
        assert model.classes_.tolist() == [0, 1] and model.score(X, y) > 0.6
    given = [[1, *[None] * (len(labels) - 1)] for labels in y]
    assert all(labels[0] == 1 for labels in model.predict(X, given=given))
    assert all(p[0, 1] == 1 for p in model.predict_proba(X, given=given))
    assert all(np.allclose(p.sum(axis=1), 1) for p in model.predict_proba(X))


def test_items_with_fields():
    pandas = pytest.importorskip("pandas")
    names = [["Ann", "Bob", "Ann"], ["Eve", "Joe", "Joe"], ["Kim", "Kim", "Lee"]]
    lists = [[{"text": name} for name in each] for each in names]
    frames = [pandas.DataFrame({"text": each}) for each in names]
    model = hinge.Clusterer(comparators=["equal:text"], C=1.0).fit(lists, names)
    again = hinge.Clusterer(comparators=["equal:text"], C=1.0).fit(frames, names)
    assert np.array_equal(model.weights_, again.weights_)
    assert [p.tolist() for p in model.predict(lists)] == [[0, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert model.score(lists, names) == 1


def test_sets_tables_and_unknown_labels(rng):
    X = rng.normal(size=(40, 3))
    table = (X > 0).astype(int)
    sets = [{"abc"[l] for l in range(3) if row[l]} for row in table]
    by_table, by_sets = hinge.MultilabelClassifier().fit(X, table), hinge.MultilabelClassifier().fit(X, sets)
    assert np.array_equal(by_table.weights_, by_sets.weights_)
    assert [{"abc"[l] for l in range(3) if row[l]} for row in by_table.predict(X)] == by_sets.predict(X)
    assert by_sets.classes_.tolist() == ["a", "b", "c"]
    unknown = np.where(rng.random(table.shape) < 0.2, -1, table)
    assert hinge.MultilabelClassifier(method="hcrf", C=1.0).fit(X, unknown).score(X, table, metric="micro_f1") > 0.7


def test_queries_by_name_or_size(rng):
    X, grades = rng.normal(size=(12, 2)), rng.integers(0, 3, 12).astype(float)
    by_name = hinge.Ranker().fit(X, grades, qid=["a"] * 4 + ["b"] * 8)
    by_size = hinge.Ranker().fit(X, grades, group=[4, 8])
    assert np.array_equal(by_name.weights_, by_size.weights_)
    assert np.allclose(by_name.predict(X), X.astype(np.float32) @ by_name.coef_, atol=1e-6)
    grades[3] = np.nan  # nobody judged it
    assert hinge.Ranker().fit(X, grades, group=[4, 8]).score(X, grades, group=[4, 8], metric="map") > 0
    weighted = hinge.Ranker(C=1.0).fit(X, grades, group=[4, 8], sample_weight=[0, 1])
    alone = hinge.Ranker(C=1.0).fit(X[4:], grades[4:])
    assert np.array_equal(weighted.weights_, alone.weights_)


def test_motifs_show_themselves():
    estimator, X, y = case("MotifFinder")
    estimator.fit(X, y)
    profile = estimator.profile(X)
    assert profile["counts"].shape == (6, 4) and profile["letters"] == "ACGT"
    assert profile["logo"].startswith("<svg") and "MEME version" in profile["meme"]
    assert profile["sites"] == sum(estimator.predict(X) == 1)
    assert np.allclose(estimator.predict_proba(X).sum(axis=1), 1)
    assert np.array_equal(estimator.decision_function(X) > 0, estimator.predict(X) == 1)


def test_samples_of_binary_rows(rng):
    X = rng.normal(size=(30, 2))
    y = X[:, 0] > 0.5
    model = hinge.BinaryClassifier(measure="f1", C=10.0).fit(X, y, group=[10, 20])
    assert model.classes_.tolist() == [False, True] and model.score(X, y) > 0.8
    assert np.array_equal(model.decision_function(X) > 0, model.predict(X))
    with pytest.raises(AttributeError, match="decision_function"):
        model.predict_proba(X)


def test_costs_of_confusions_as_a_table(rows, tmp_path):
    X, y = rows
    costs = np.array([[0, 1, 5], [2, 0, 1], [0.5, 1, 0]])
    by_table = hinge.MulticlassClassifier(cost_matrix=costs).fit(X, y)
    (tmp_path / "costs").write_text("ant bee cow\n" + "".join(f"{name} {' '.join(map(str, row))}\n" for name, row in zip(("ant", "bee", "cow"), costs)))
    by_file = hinge.MulticlassClassifier(cost_matrix=str(tmp_path / "costs")).fit(X, y)
    assert np.array_equal(by_table.weights_, by_file.weights_)
    assert not np.array_equal(by_table.weights_, hinge.MulticlassClassifier().fit(X, y).weights_)
    found = by_table.predict(X)
    order = {name: k for k, name in enumerate(by_table.classes_)}
    assert np.isclose(by_table.evaluate(X, y)["loss"], np.mean([costs[order[a], order[b]] for a, b in zip(y, found)]))
    again = hinge.MulticlassClassifier(**by_table.get_params()).fit(X, y)
    assert again.cost_matrix is costs and np.array_equal(again.weights_, by_table.weights_)
    numbers = hinge.MulticlassClassifier(cost_matrix=costs.tolist(), classes=[10, 9, 2]).fit(X, [9 if label == "ant" else 10 for label in y])
    assert numbers.classes_.tolist() == [2, 9, 10]
    by_table.save(tmp_path / "model")
    assert np.array_equal(hinge.load(tmp_path / "model").predict(X), found)
