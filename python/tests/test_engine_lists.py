"""Lists and samples of every engine, and the engines of alignments and hierarchies, against enumeration."""

import itertools

import numpy as np
import pytest
from test_engines import chain_score, gradient, smooth

from hinge import engines

NGRAMS = [(0, 1, 2), (2, 1, 0), (1, 1, 1), (0, 1, 2, 0)]


def trees_over(i, j):
    """Sets of spans of all binary trees over the words i to j."""
    if i == j:
        yield frozenset([(i, i)])
    for k in range(i, j):
        for left, right in itertools.product(trees_over(i, k), trees_over(k + 1, j)):
            yield left | right | {(i, j)}


def losses_of_trees(rho, t, known, rng):
    """Scores and known spans of two sentences of five words, and the loss of each by enumeration."""
    n, scores = 5, rng.normal(size=(2, 5, 5))
    gold = {(0, 4), (0, 1), (2, 4), (3, 4), *((i, i) for i in range(n))}
    spans = np.zeros((2, n, n), dtype=int) if known == "all" else np.full((2, n, n), -1)
    for i, j in gold if known == "all" else [(2, 4)]:
        spans[:, i, j] = 1
    if known == "some":
        spans[:, 2, 3] = 0
    crosses = lambda i, j: (i < 2 <= j < 4)
    wrong = lambda i, j: (i, j) not in gold if known == "all" else (i, j) == (2, 3) or crosses(i, j)
    trees, losses = list(trees_over(0, n - 1)), []
    for row in scores:
        free = [sum(row[s] + rho * wrong(*s) for s in tree) for tree in trees]
        admitted = [sum(row[s] for s in tree) for tree in trees if not any(wrong(*s) for s in tree)]
        assert len(admitted) == (1 if known == "all" else 2)
        losses.append(smooth(free, t) - smooth(admitted, t))
    return scores, spans, losses


def labelled_trees(rng, words=4, labels=2):
    """Scores (3, words, words, labels) of two sentences and a shorter one, their spans, labels of which some are hidden, and lengths."""
    scores, lengths = rng.normal(size=(3, words, words, labels)), [words, words, words - 1]
    spans, label = np.zeros(scores.shape[:3], dtype=int), rng.integers(-1, labels, size=scores.shape[:3])
    for b, n in enumerate(lengths):
        trees = sorted(map(sorted, trees_over(0, n - 1)))
        for span in trees[b % len(trees)]:
            spans[b][span] = 1
    scores[2, :, words - 1] = scores[1, 2, 0] = np.nan  # of no account
    label[2, 0, words - 1] = 99
    return scores, spans, label, lengths


def structures_of(scores, n):
    """All trees over n words with a label for each span: (spans, labels, score)."""
    for tree in map(sorted, trees_over(0, n - 1)):
        for labels in itertools.product(range(scores.shape[2]), repeat=len(tree)):
            yield tree, labels, sum(scores[span][k] for span, k in zip(tree, labels))


def smooth_trees(structures, hidden, output, latent, errors=lambda tree, labels: 0.0):
    """T over trees and labels that are no hidden ones, of T over those that are."""
    groups = {}
    for tree, labels, score in structures:
        outputs = tuple(k for span, k in zip(tree, labels) if not hidden[span])
        groups.setdefault((tuple(tree), outputs), []).append(score + errors(tree, labels))
    return smooth([smooth(each, latent) for each in groups.values()], output)


def losses_of_labelled_trees(problem, rho, output, latent):
    """By enumeration; spans that are neither 0 nor 1 may stand or not."""
    found = []
    for scores, spans, label, n in zip(*problem):
        gold = [(i, j) for i in range(n) for j in range(i, n) if spans[i, j] > 0]
        crosses = lambda a, b: a[0] < b[0] <= a[1] < b[1] or b[0] < a[0] <= b[1] < a[1]
        wrong = lambda span: span[0] != span[1] and span != (0, n - 1) and (spans[span] == 0 or any(crosses(span, each) for each in gold))
        odd = lambda span, k: wrong(span) or 0 <= label[span] != k
        errors = lambda tree, labels: rho * sum(map(odd, tree, labels))
        structures = list(structures_of(scores, n))
        admitted = [score for tree, labels, score in structures if not any(map(odd, tree, labels))]
        found.append(smooth_trees(structures, label < 0, output, latent, errors) - smooth(admitted, latent))
    return found


WITH_LABELS = [("crf", None), ("ssvm", None), ("softmax-margin", None), ("mssvm", None), ("hcrf", None), ("lssvm", None), ("mssvm", (0.3, 0.7)),
               ("crf", (0.7, 0.3)), ("crf", (0.5, 0.0)), ("ssvm", 0.4)]


@pytest.mark.parametrize("temperature", [0.0, 1.0, 0.3, (0.0, 1.0), (1.0, 0.4), (0.5, 0.0)])
def test_trees_with_labels_are_enumeration(rng, temperature):
    scores, _, label, lengths = labelled_trees(rng)
    scores[0, 0, 1, 1] = scores[1, 1, 2, :] = -np.inf
    output, latent = temperature if isinstance(temperature, tuple) else (temperature, temperature)
    value, counts = engines.trees(scores, lengths, temperature, hidden=label < 0)
    assert counts.shape == scores.shape
    for b, n in enumerate(lengths):
        body = lambda scores: smooth_trees(structures_of(scores.reshape(n, n, 2), n), label[b] < 0, output, latent)
        own = np.where(np.tri(n, k=-1)[..., None] > 0, 0.0, scores[b, :n, :n])
        assert np.isclose(value[b], body(own))
        seen = np.isfinite(own)
        differences = gradient(lambda part: body(np.where(seen, np.place(full := own.copy(), seen, part) or full, own)), own[seen])
        assert np.allclose(counts[b, :n, :n][seen], differences, atol=1e-5)
        assert not counts[b, n:].any() and not counts[b, :, n:].any()


def test_what_trees_with_labels_refuse(rng):
    scores, _, label, lengths = labelled_trees(rng)
    for call, sentence in ((lambda: engines.trees(scores[..., :0]), "no labels"), (lambda: engines.trees(scores, [4, 4, 4]), "example 2"),
                           (lambda: engines.trees(scores, lengths, (0, 1), hidden=label[:1] < 0), "hidden has the shape"),
                           (lambda: engines.trees(scores[..., 0], lengths, hidden=label < 0), "hidden is of labels of spans")):
        with pytest.raises(ValueError, match=sentence):
            call()


@pytest.mark.parametrize("spans, sentence", [
    ({}, None), ({(0, 1): 1}, None), ({(0, 1): 0, (1, 2): 0}, "example 0: no binary tree"), ({(0, 1): 1, (1, 2): 1}, "example 0: no binary tree"),
])
def test_spans_of_no_tree_are_named(spans, sentence):
    from hinge._losses import tree_spans

    said = np.full((1, 3, 3), -1)
    for span, known in spans.items():
        said[0][span] = known
    if sentence is None:
        tree_spans(said, said.shape)
    else:
        with pytest.raises(ValueError, match=sentence):
            tree_spans(said, said.shape)
    flat = np.zeros((2, 4, 4), dtype=int)
    flat[0, 0, 1] = flat[0, 2, 3] = 1
    with pytest.raises(ValueError, match="example 1: no binary tree"):
        tree_spans(flat, flat.shape)
    assert tree_spans(np.zeros((0, 4, 4)), (0, 4, 4)).shape == (0, 4, 4)


def alignments_of(m, n):
    """All ways to pair letters in order, as the partners of the first sequence."""
    for size in range(min(m, n) + 1):
        for a in itertools.combinations(range(m), size):
            for b in itertools.combinations(range(n), size):
                partners = [-1] * m
                for i, j in zip(a, b):
                    partners[i] = j
                yield tuple(partners)


def gaps_of(partners, n, local):
    """(how many gaps begin, how many letters go on in one)."""
    ends = [(-1, -1), *((i, j) for i, j in enumerate(partners) if j >= 0), (len(partners), n)]
    if local:
        ends = ends[1:-1]
    runs = [size for (a, b), (c, d) in zip(ends, ends[1:]) for size in (c - a - 1, d - b - 1) if size]
    return len(runs), sum(runs) - len(runs)


def alignment_score(match, partners, open, extend, local):
    opens, extends = gaps_of(partners, match.shape[1], local)
    return sum(match[i, j] for i, j in enumerate(partners) if j >= 0) + open * opens + extend * extends


def test_spans_that_cannot_be_right():
    from hinge._losses import tree_spans

    spans = np.full((1, 5, 5), -1)
    spans[0, 1, 3], spans[0, 3, 4] = 1, 0
    wrong = {(i, j) for i, j in np.argwhere(tree_spans(spans, (1, 5, 5))[0]) if i <= j}
    assert wrong == {(3, 4), (0, 1), (0, 2), (2, 4)}  # the last three cross the known one
    assert not tree_spans(np.where(spans > 0, 1, -1), (1, 5, 5), [3]).any()


def problems(rng):
    """Of each engine: a score for each structure, its list, and its samples."""
    u, p, steps, g = rng.normal(size=(4, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3, 3)), rng.normal(size=4)
    u[1, 2] = -np.inf
    paths = list(itertools.product(range(3), repeat=4))
    yield ("chain", {s: chain_score(u, p, s) for s in paths}, lambda k: engines.chain_nbest(u, p, k),
           lambda n, t: engines.chain_samples(u, p, n, t))
    yield ("steps", {s: chain_score(u, steps, s) for s in paths}, lambda k: engines.chain_nbest(u, steps, k),
           lambda n, t: engines.chain_samples(u, steps, n, t))
    seen = {s: sum(g[i] * sum(s[t : t + len(x)] == x for t in range(4)) for i, x in enumerate(NGRAMS)) for s in paths}
    yield ("context", {s: chain_score(u, p, s) + seen[s] for s in paths}, lambda k: engines.context_chain_nbest(u, p, NGRAMS, g, k),
           lambda n, t: engines.context_chain_samples(u, p, NGRAMS, g, n, t))
    edges, tables = [[0, 1], [1, 2], [2, 3], [3, 0]], rng.normal(size=(4, 3, 3))
    score = lambda s: sum(u[i, k] for i, k in enumerate(s)) + sum(tables[e][s[a], s[b]] for e, (a, b) in enumerate(edges))
    yield ("graph", {s: score(s) for s in paths}, lambda k: engines.graph_nbest(u, edges, tables, k)[:2],
           lambda n, t: engines.graph_samples(u, edges, tables, n, t))
    spans = rng.normal(size=(5, 5))
    spans[1, 3] = -np.inf
    flat = lambda tree: tuple(int((i, j) in tree) for i in range(5) for j in range(5))
    rows = lambda found: found.reshape(len(found), -1)
    yield ("trees", {flat(tree): sum(spans[s] for s in tree) for tree in trees_over(0, 4)},
           lambda k: (lambda found, value: (rows(found), value))(*engines.trees_nbest(spans, k)),
           lambda n, t: rows(engines.trees_samples(spans, n, t)))
    x = rng.normal(size=5)
    yield ("choice", {(k,): x[k] for k in range(5)}, lambda k: (lambda found, value: (found[:, None], value))(*engines.choice_nbest(x, k)),
           lambda n, t: engines.choice_samples(x, n, t)[:, None])
    sets = [tuple(int(i in chosen) for i in range(5)) for chosen in itertools.combinations(range(5), 2)]
    yield ("top_k", {s: np.dot(s, x) for s in sets}, lambda k: engines.top_k_nbest(x, 2, k), lambda n, t: engines.top_k_samples(x, 2, n, t))
    nodes, parents = rng.normal(size=7), [-1, -1, 0, [0, 1], 1, 3, [3, 4]]
    above = {2: [0, 2], 5: [0, 1, 3, 5], 6: [0, 1, 3, 4, 6]}
    yield ("hierarchy", {(z,): sum(nodes[each] for each in above[z]) for z in above},
           lambda k: (lambda found, value: (found[:, None], value))(*engines.hierarchy_nbest(nodes, parents, k)),
           lambda n, t: engines.hierarchy_samples(nodes, parents, n, temperature=t)[:, None])
    match = rng.normal(size=(3, 4))
    for local in (False, True):
        yield ("alignment", {s: alignment_score(match, s, -0.7, -0.2, local) for s in alignments_of(3, 4)},
               lambda k, local=local: engines.alignment_nbest(match, k, -0.7, -0.2, local),
               lambda n, t, local=local: engines.alignment_samples(match, n, -0.7, -0.2, local, t))


def test_lists_are_enumeration(rng):
    for name, scores, nbest, _ in problems(rng):
        listed = sorted(((value, s) for s, value in scores.items() if value > -np.inf), reverse=True)
        for k in (1, 4, len(listed) + 3):
            found, value = nbest(k)
            assert len(found) == len(value) == min(k, len(listed)), name
            assert [tuple(row) for row in found] == [s for _, s in listed[:k]], name
            assert np.allclose(value, [v for v, _ in listed[:k]], atol=1e-12), name


PAIRS = [(i, j) for j in range(4) for i in range(j)]


def partition_of(links):
    label = list(range(4))
    for i, j in links:
        label = [label[i] if other == label[j] else other for other in label]
    return [sorted(set(label), key=label.index).index(each) for each in label]


def forests():
    """Which of the pairs each forest over four items links."""
    for links in itertools.product((0, 1), repeat=len(PAIRS)):
        chosen = [pair for pair, linked in zip(PAIRS, links) if linked]
        if len(set(partition_of(chosen))) == 4 - len(chosen):
            yield links


def partitions():
    """Which of the pairs each partition of four items has together."""
    return {tuple(int(y[i] == y[j]) for i, j in PAIRS) for y in itertools.product(range(4), repeat=4)}


@pytest.mark.parametrize("engine, best, structures", [(engines.spanning_forest_nbest, engines.spanning_forest, forests),
                                                      (engines.clusters_nbest, engines.clusters, partitions)])
def test_lists_of_links_are_enumeration(rng, engine, best, structures):
    pairs = rng.normal(size=6)
    pairs[2] = -np.inf
    listed = sorted(((sum(v for v, used in zip(pairs, s) if used), s) for s in structures()), reverse=True)
    listed = [(value, s) for value, s in listed if value > -np.inf]
    for k in (1, 5, len(listed) + 2):
        found = engine(pairs, k)
        assert found.exact and len(found.scores) == min(k, len(listed))
        assert [tuple(row) for row in found.pairs] == [s for _, s in listed[:k]]
        assert np.allclose(found.scores, [value for value, _ in listed[:k]], atol=1e-12)
        for row, labels in zip(found.pairs, found.labels):
            assert labels.tolist() == partition_of([pair for pair, used in zip(PAIRS, row) if used])
    value, answer = best(pairs)
    assert value == found.scores[0] and np.array_equal(answer.pairs, found.pairs[0]) and np.array_equal(answer.labels, found.labels[0])


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_samples_are_as_frequent_as_they_are_probable(rng, temperature):
    """Over all structures, chi-square stays within six of its standard deviations."""
    for name, scores, _, draw in problems(rng):
        drawn = [tuple(row) for row in draw(4000, temperature)]
        assert set(drawn) <= {s for s, value in scores.items() if value > -np.inf}, name
        whole = smooth(list(scores.values()), temperature)
        expected = np.array([4000 * np.exp((value - whole) / temperature) for value in scores.values()])
        found = np.array([drawn.count(s) for s in scores], dtype=float)
        rare = expected < 5
        cells = [*zip(found[~rare], expected[~rare]), (found[rare].sum(), expected[rare].sum())]
        chi = sum((f - e) ** 2 / e for f, e in cells if e > 0)
        assert chi < len(cells) + 6 * np.sqrt(2 * len(cells)), (name, chi, len(cells))


@pytest.mark.parametrize("temperature", [0, 1, 0.3])
@pytest.mark.parametrize("local", [False, True])
def test_alignments_are_enumeration(rng, temperature, local):
    match, open, extend, lengths = rng.normal(size=(2, 3, 4)), -0.7, -0.2, [[3, 4], [2, 3]]
    match[0, 1, 1] = -np.inf

    def value(match, gaps, b):
        m, n = lengths[b]
        return smooth([alignment_score(match[:m, :n], s, *gaps, local) for s in alignments_of(m, n)], temperature)

    found, counts = engines.alignment(match, open, extend, lengths, local, temperature)
    assert np.array_equal(found, engines.alignment(match, open, extend, lengths, local, temperature, n_jobs=2)[0])
    for b in range(2):
        gaps = np.array([open, extend])
        assert np.isclose(found[b], value(match[b], gaps, b), atol=1e-10)
        possible = np.where(np.isfinite(match[b]), match[b], -50.0)
        assert np.allclose(counts.match[b], gradient(lambda x: value(x, gaps, b), possible), atol=1e-5)
        assert np.allclose([counts.opens[b], counts.extends[b]], gradient(lambda x: value(match[b], x, b), gaps), atol=1e-5)


@pytest.mark.parametrize("temperature", [0, 1, 0.3])
def test_hierarchies_are_enumeration(rng, temperature):
    parents = [-1, 0, 0, 1, 1, [2, 1]]
    above = [{0}, {0, 1}, {0, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, 2, 5}]
    x = rng.normal(size=(2, 6))
    for answers in (None, [1, 2, 5]):
        value = lambda row: smooth([sum(row[z] for z in above[c]) for c in answers or [3, 4, 5]], temperature)
        found, counts = engines.hierarchy(x, parents, answers, temperature)
        for b in range(2):
            assert np.isclose(found[b], value(x[b]), atol=1e-12)
            assert np.allclose(counts[b], gradient(value, x[b]), atol=1e-5)


def test_best_labels_of_chains_with_steps_and_n_grams(rng):
    u, steps, p, g = rng.normal(size=(3, 4, 3)), rng.normal(size=(3, 3, 3, 3)), rng.normal(size=(3, 3)), rng.normal(size=4)
    lengths = [4, 2, 1]
    for n_jobs in (1, 3):
        label, score = engines.chain_argmax(u, steps, lengths, n_jobs)
        grams, value = engines.context_chain_argmax(u, p, NGRAMS, g, lengths, n_jobs)
        for b, n in enumerate(lengths):
            best, best_score = engines.chain_nbest(u[b, :n], steps[b, : n - 1], 1)
            assert label[b].tolist() == best[0].tolist() + [-1] * (4 - n) and np.isclose(score[b], best_score[0])
            best, best_score = engines.context_chain_nbest(u[b, :n], p, NGRAMS, g, 1)
            assert grams[b].tolist() == best[0].tolist() + [-1] * (4 - n) and np.isclose(value[b], best_score[0])


def test_steps_in_threads_and_single_precision(rng):
    u, steps, hidden = rng.normal(size=(5, 6, 4)), rng.normal(size=(5, 5, 4, 4)), rng.random((5, 6)) < 0.3
    for temperature in (0, 1, (0, 1)):
        value, counts = engines.chain(u, steps, [6, 5, 3, 1, 2], hidden, temperature)
        again, same = engines.chain(u, steps, [6, 5, 3, 1, 2], hidden, temperature, n_jobs=3)
        assert np.array_equal(value, again) and np.array_equal(counts.pairwise, same.pairwise)
        single, soft = engines.chain(u.astype(np.float32), steps.astype(np.float32), [6, 5, 3, 1, 2], hidden, temperature)
        assert single.dtype == soft.pairwise.dtype == np.float32 and np.allclose(single, value, atol=1e-4)
        alone, _ = engines.chain(u[1:2], steps[1], [5], hidden[1:2], temperature)
        assert np.isclose(alone[0], value[1])


def test_a_wide_graph_says_that_its_list_is_not_certain(rng):
    n = 24
    edges = np.array([(i, j) for j in range(n) for i in range(j)])
    found = engines.graph_nbest(rng.normal(size=(n, 4)), edges, rng.normal(size=(len(edges), 4, 4)), 3)
    assert not found.exact and found.labels.shape == (3, n) and np.all(np.isfinite(found.scores))


@pytest.mark.parametrize("call, sentence", [
    (lambda: engines.chain_nbest(np.zeros((2, 2)), np.zeros((2, 2)), 0), "k is 0"),
    (lambda: engines.chain_samples(np.zeros((2, 2)), np.zeros((2, 2)), 2.5), "count is 2.5"),
    (lambda: engines.chain_samples(np.zeros((2, 2)), np.zeros((2, 2)), 2, 0.0), "positive temperature"),
    (lambda: engines.chain_samples(np.full((2, 2), -np.inf), np.zeros((2, 2)), 2), "every structure is forbidden"),
    (lambda: engines.chain_nbest(np.zeros((3, 2)), np.zeros((1, 2, 2)), 1), "where \\(2, 2, 2\\) belongs"),
    (lambda: engines.chain_argmax(np.zeros((1, 3, 2)), np.zeros(2)), "it needs 2 dimensions"),
    (lambda: engines.chain(np.zeros((1, 3, 2)), np.zeros((1, 5, 2, 2))), "where \\(1, 2, 2, 2\\) belongs"),
    (lambda: engines.chain(np.zeros((1, 3, 2)), np.zeros((2, 2, 2)), lengths=[4]), "length of example 0 is 4"),
    (lambda: engines.context_chain_nbest(np.zeros((3, 2)), np.zeros((2, 2)), [(0, 9, 1)], [1.0], 1), "n-gram"),
    (lambda: engines.context_chain(np.zeros((1, 3, 2)), np.zeros((2, 2)), [(0, 2**40, 1)], [1.0]), "1099511627776"),
    (lambda: engines.graph_nbest(np.zeros((2, 2)), [[0, 9]], np.zeros((2, 2)), 1), "edge 0 goes from 0 to 9"),
    (lambda: engines.trees_nbest(np.zeros((2, 3)), 1), "words, words"),
    (lambda: engines.trees_samples(np.full((2, 2), np.nan), 1), "nan"),
    (lambda: engines.top_k_nbest(np.zeros(3), 4, 1), "4 places for 3 items"),
    (lambda: engines.choice_nbest(np.zeros((1, 3)), 1), "1 dimensions"),
    (lambda: engines.alignment(np.zeros((1, 2, 2)), lengths=[[3, 1]]), "a length of example 0 is 3"),
    (lambda: engines.alignment(np.zeros((1, 2, 2)), open=np.nan), "nan"),
    (lambda: engines.alignment_nbest(np.zeros((0, 2)), 1), "empty"),
    (lambda: engines.hierarchy(np.zeros((1, 2)), [-1]), "1 parents for 2 nodes"),
    (lambda: engines.hierarchy(np.zeros((1, 2)), [1, -1]), "parents stand before"),
    (lambda: engines.hierarchy(np.zeros((1, 2)), [-1, 0], [1, 1]), "ascending"),
])
def test_bad_arrays_are_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
