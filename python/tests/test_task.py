"""Tasks written in Python."""

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import hinge


class Event(hinge.Task):
    """Where an event begins and ends: the interval whose rows sum highest."""

    dimension = 3

    def loss(self, y, s):
        both = max(0, min(y[1], s[1]) - max(y[0], s[0]))
        return 1 - both / (y[1] - y[0] + s[1] - s[0] - both)

    def features(self, x, s):
        return x[s[0] : s[1]].sum(axis=0)

    def structures(self, x):
        return [(a, b) for a in range(len(x)) for b in range(a + 1, len(x) + 1)]

    def predict(self, x, w):
        return max(self.structures(x), key=lambda s: self.features(x, s) @ w)

    def most_violating(self, x, y, w):
        return max(self.structures(x), key=lambda s: self.features(x, s) @ w + self.loss(y, s))

    def most_violating_slack(self, x, y, w):
        return max(self.structures(x),
                   key=lambda s: self.loss(y, s) * (1 + (self.features(x, s) - self.features(x, y)) @ w))


class Classes(hinge.FactoredTask):
    """Multiclass classification by parts."""

    engine = "choice"

    def __init__(self, features, classes):
        self.shape = (classes, features)
        self.dimension = features * classes

    def score(self, x, w):
        return {"unary": (w.reshape(self.shape) @ x)[None]}

    def features(self, x, counts):
        return np.outer(counts.unary[0], x).ravel()

    def loss_parts(self, x, y):
        return {"unary": (np.arange(self.shape[0]) != y)[None]}

    def admitted(self, x, y):
        return {"unary": (np.arange(self.shape[0]) == y)[None]}


class Machine(hinge.FactoredTask):
    """A chain whose labels may be hidden (-1)."""

    engine = "chain"

    def __init__(self, features, labels):
        self.d, self.k = features, labels
        self.dimension = features * labels + labels * labels

    def score(self, x, w):
        n = self.d * self.k
        return {"unary": x @ w[:n].reshape(self.d, self.k), "pairwise": w[n:].reshape(self.k, self.k)}

    def features(self, x, counts):
        return np.concatenate([(x.T @ counts.unary).ravel(), counts.pairwise.ravel()])

    def loss_parts(self, x, y):
        return {"unary": (np.arange(self.k) != y[:, None]) & (y[:, None] >= 0)}

    def admitted(self, x, y):
        return {"unary": (y[:, None] < 0) | (np.arange(self.k) == y[:, None])}

    def hidden(self, x, y):
        return y < 0


class Ring(Machine):
    """The same on a ring, which is a graph."""

    engine = "graph"

    def score(self, x, w):
        n = len(x)
        return {**super().score(x, w), "edges": [[i, (i + 1) % n] for i in range(n)]}

    def features(self, x, counts):
        return np.concatenate([(x.T @ counts.unary).ravel(), counts.pairwise.sum(axis=0).ravel()])


def events(rng, count=12):
    X, y = [], []
    for _ in range(count):
        n = int(rng.integers(4, 8))
        a = int(rng.integers(0, n - 2))
        b = a + int(rng.integers(1, n - a))
        x = 0.3 * rng.normal(size=(n, 3))
        x[:, 0] -= 0.5
        x[a:b, 0] += 1
        X.append(x)
        y.append((a, b))
    return X, y


def chains(rng, hide=0.0, count=12):
    X = [rng.normal(size=(int(rng.integers(3, 6)), 2)) for _ in range(count)]
    y = [(x[:, 0] > 0).astype(int) + (x[:, 1] > 1) for x in X]
    return X, [np.where(rng.random(len(each)) < hide, -1, each) for each in y]


@pytest.mark.parametrize("solver", ["frank_wolfe", "n_slack", "one_slack", "bundle"])
def test_a_plain_task_is_learned_by_every_solver(rng, solver):
    X, y = events(rng)
    learner = hinge.Learner(Event(), solver=solver, C=1.0, gap=1e-3).fit(X, y)
    assert learner.summary_.converged and learner.summary_.gap <= 1e-3
    w, task = learner.coef_, Event()
    objective = 0.5 * w @ w + sum(max(task.loss(label, s) + (task.features(x, s) - task.features(x, label)) @ w
                                      for s in task.structures(x)) for x, label in zip(X, y))
    assert np.isclose(objective, learner.summary_.primal, rtol=1e-9), "C multiplies the sum"
    assert learner.score(X, y) > -0.5 and len(learner.predict(X)) == len(X)


def test_slack_rescaling(rng):
    X, y = events(rng)
    assert hinge.Learner(Event(), C=1.0, rescaling="slack").fit(X, y).summary_.converged


def test_a_task_of_parts_is_what_the_library_has(rng):
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    for method in ("crf", "ssvm", "softmax-margin"):
        ours = hinge.Learner(Classes(3, 3), method=method, C=0.5, gap=1e-8).fit(X, y)
        library = hinge.MulticlassClassifier(method=method, C=0.5, gap=1e-8, bias=0).fit(X.astype(np.float32), y)
        assert np.isclose(ours.summary_.primal, library.summary_.primal, rtol=1e-5)
        assert np.allclose(ours.coef_.reshape(3, 3), library.coef_, atol=1e-2)
        assert np.mean(np.array(ours.predict(X)) == library.predict(X.astype(np.float32))) > 0.9  # rows may tie


@pytest.mark.parametrize("method", ["ssvm", "crf", "lssvm", "mssvm", "hcrf", "epsilon"])
@pytest.mark.parametrize("kind", [Machine, Ring])
def test_tasks_of_parts_with_every_method(rng, kind, method):
    X, y = chains(rng, 0.3 if method in ("lssvm", "mssvm", "hcrf") else 0.0)
    learner = hinge.Learner(kind(2, 3), method=method, C=0.3, gap=1e-2).fit(X, y)
    assert np.isfinite(learner.summary_.primal) and learner.score(X, y) > -2.5
    assert np.allclose(learner.predict_proba(X)[0].unary.sum(axis=1), 1)
    again = hinge.Learner(kind(2, 3), method=method, C=0.3, gap=1e-2, n_jobs=3).fit(X, y)
    assert np.array_equal(again.coef_, learner.coef_), "threads change no bit"


def test_chain_task_is_the_tagger(rng):
    X, y = chains(rng)
    X = [x.astype(np.float32).astype(float) for x in X]
    ours = hinge.Learner(Machine(2, 3), method="crf", C=1.0, gap=1e-9).fit(X, y)
    tagger = hinge.SequenceTagger(method="crf", C=1.0, gap=1e-9).fit(X, y)
    assert np.isclose(ours.summary_.primal, tagger.summary_.primal, rtol=1e-7)


def test_check_passes_for_sound_tasks(rng):
    X, y = events(rng, 4)
    assert hinge.check_task(Event(), X, y).comparisons > 50
    X, y = chains(rng, 0.3, 4)
    for kind in (Machine, Ring):
        report = hinge.check_task(kind(2, 3), X, y)
        assert report.passed and report.comparisons > 50
    assert hinge.check_task(Classes(3, 3), rng.normal(size=(4, 3)), [0, 1, 2, 0]).passed


def test_check_names_what_is_wrong(rng):
    X, y = events(rng, 4)

    class Lazy(Event):
        def most_violating(self, x, y, w):
            return self.predict(x, w)

    class Costly(Event):
        def loss(self, y, s):
            return 1.0

    class Nonlinear(Machine):
        def score(self, x, w):
            return super().score(x, w ** 3)

    with pytest.raises(ValueError, match="enumeration"):
        hinge.check_task(Lazy(), X, y)
    with pytest.raises(ValueError, match="where 0 belongs"):
        hinge.check_task(Costly(), X, y)
    with pytest.raises(ValueError, match="example"):
        hinge.check_task(Nonlinear(2, 3), *chains(rng, count=3))
    assert not hinge.check_task(Lazy(), X, y, fail=False).passed


def test_exceptions_of_a_task_come_through(rng):
    X, y = events(rng)

    class Mine(Exception):
        pass

    class Failing(Event):
        calls = 0

        def most_violating(self, x, y, w):
            self.calls += 1
            if self.calls > 20:
                raise Mine("after twenty")
            return super().most_violating(x, y, w)

    class FailingParts(Machine):
        calls = 0

        def features(self, x, counts):
            self.calls += 1
            if self.calls > 20:
                raise Mine("of parts")
            return super().features(x, counts)

    with pytest.raises(Mine, match="after twenty"):
        hinge.Learner(Failing(), C=1.0).fit(X, y)
    for jobs in (1, 3):
        with pytest.raises(Mine, match="of parts"):
            hinge.Learner(FailingParts(2, 3), method="crf", n_jobs=jobs).fit(*chains(rng))


@pytest.mark.parametrize("method, returned, error, sentence", [
    ("features", np.zeros(4), ValueError, "4 numbers, but dimension is 3"),
    ("features", "no", TypeError, "returned a str"),
    ("features", np.array([0, np.nan, 1]), ValueError, "nan"),
    ("features", (np.array([7]), np.array([1.0])), ValueError, "index 7"),
    ("features", (np.array([0, 1]), np.array([1.0])), ValueError, "one length"),
    ("loss", "much", TypeError, "loss of example"),
    ("loss", -1.0, ValueError, "0 or more"),
    ("loss", np.nan, ValueError, "nan"),
    ("dimension", 0, ValueError, "dimension"),
    ("dimension", "three", ValueError, "dimension"),
])
def test_what_a_task_returns_is_looked_at(rng, method, returned, error, sentence):
    class First(Event):
        def predict(self, x, w):
            return 0, 1

        def most_violating(self, x, y, w):
            return 0, 1

    task = First()
    setattr(task, method, returned if method == "dimension" else lambda *arguments: returned)
    with pytest.raises(error, match=sentence):
        hinge.Learner(task).fit(*events(rng))


@pytest.mark.parametrize("method, returned, error, sentence", [
    ("score", {"unary": np.zeros(3)}, TypeError, "unary"),
    ("score", {"pairwise": np.zeros((3, 3))}, TypeError, "unary"),
    ("score", None, TypeError, "unary"),
    ("score", {"unary": np.full((3, 3), np.nan)}, ValueError, "nan"),
    ("score", {"unary": np.zeros((3, 3)), "pairwise": np.zeros((2, 2))}, ValueError, "pairwise"),
    ("admitted", {"unary": np.zeros((3, 3))}, ValueError, "admits no state"),
    ("admitted", {"unary": np.ones((2, 2))}, ValueError, "shape"),
    ("loss_parts", {"unary": np.full((3, 3), -np.inf)}, ValueError, "loss_parts"),
    ("hidden", np.zeros(2, dtype=bool), ValueError, "hidden"),
    ("features", np.zeros(2), ValueError, "dimension is 15"),
])
def test_what_a_task_of_parts_returns_is_looked_at(method, returned, error, sentence):
    task = Machine(2, 3)
    setattr(task, method, lambda *arguments: returned)
    with pytest.raises(error, match=sentence):
        hinge.Learner(task, method="crf").fit([np.zeros((3, 2))], [np.array([0, 1, 2])])


def test_methods_that_need_more_are_refused(rng):
    X, y = events(rng)
    with pytest.raises(ValueError, match="FactoredTask"):
        hinge.Learner(Event(), method="crf").fit(X, y)
    with pytest.raises(TypeError, match="hinge.Task"):
        hinge.Learner(object()).fit(X, y)
    with pytest.raises(NotImplementedError, match="predict"):
        hinge.Task().predict(1, 2)


def test_latent_tasks(rng):
    class Place(hinge.LatentTask):
        """A class, and the hidden place that shows it."""

        dimension = 2

        def structures(self, x):
            return [(c, t) for c in (0, 1) for t in range(len(x))]

        def features(self, x, s):
            return x[s[1]] if s[0] else np.zeros(2)

        def loss(self, y, s):
            return float(y != s[0])

        def predict(self, x, w):
            return max(self.structures(x), key=lambda s: self.features(x, s) @ w)

        def most_violating(self, x, y, w):
            return max(self.structures(x), key=lambda s: self.features(x, s) @ w + self.loss(y, s))

        def complete(self, x, y, w):
            return max((s for s in self.structures(x) if s[0] == y), key=lambda s: self.features(x, s) @ w)

    y = [i % 2 for i in range(20)]
    X = [np.c_[rng.normal(size=5) - 2, np.ones(5)] for _ in y]
    for x, label in zip(X, y):
        if label:
            x[int(rng.integers(5)), 0] = 2
    learner = hinge.Learner(Place(), method="lssvm", C=1.0, init="random:1", restarts=5, random_state=6).fit(X, y)
    assert learner.score(X, y) > -0.3


def test_sample_weights_and_warm_start(rng):
    X, y = events(rng)
    weights = np.ones(len(X))
    weights[0], weights[1] = 0, 2
    one = hinge.Learner(Event(), C=1.0, gap=1e-6).fit(X, y, sample_weight=weights)
    other = hinge.Learner(Event(), C=1.0, gap=1e-6).fit(X[1:] + [X[1]], y[1:] + [y[1]])
    assert np.allclose(one.coef_, other.coef_, atol=1e-2)
    calls = one.summary_.oracle_calls
    assert one.set_params(warm_start=True).fit(X, y, sample_weight=weights).summary_.oracle_calls <= calls


def test_paths_of_a_task_are_warm_started(rng):
    X, y = events(rng)
    path = list(hinge.Learner(Event(), gap=1e-4).path(iter(X), iter(y), [1.0, 0.1]))
    assert [C for C, _ in path] == [0.1, 1.0]
    for C, model in path:
        alone = hinge.Learner(Event(), C=C, gap=1e-4).fit(X, y)
        assert model.C == C and not model.warm_start
        assert np.isclose(model.summary_.primal, alone.summary_.primal, rtol=2e-4)
        assert np.array_equal(model.weights_, model.coef_)


def test_weights_of_a_task_are_saved_and_loaded(rng, tmp_path):
    X, y = events(rng)
    learner = hinge.Learner(Event(), C=1.0).fit(X, y)
    learner.save(tmp_path / "event")
    again = hinge.Learner(Event()).load(tmp_path / "event")
    assert np.array_equal(again.coef_, learner.coef_) and again.predict(X) == learner.predict(X)
    assert again.summary_.primal == learner.summary_.primal
    with pytest.raises(ValueError, match="3 weights, where the task has 15"):
        hinge.Learner(Machine(2, 3)).load(tmp_path / "event")
    with pytest.raises(AttributeError, match="its task decodes"):
        learner.set_decoding("joint")
    with pytest.raises(ValueError, match="not fitted"):
        hinge.Learner(Event()).weights_


def test_several_trainings_at_once(rng):
    """The lock is let go, so that threads of Python run beside each other."""
    X, y = events(rng)
    expected = hinge.Learner(Event(), C=1.0).fit(X, y).coef_
    found = []
    threads = [threading.Thread(target=lambda: found.append(hinge.Learner(Event(), C=1.0).fit(X, y).coef_))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(w, expected) for w in found)


INTERRUPTED = """
    import os, signal, sys, threading, time
    import numpy as np, hinge
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job has not
    {task}
    def press():
        for _ in range({times}):
            time.sleep(0.4)
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=press, daemon=True).start()
    try:
        {fit}
        print("kept", model.summary_.termination, model.summary_.message)
    except KeyboardInterrupt:
        print("raised")
"""
SLOW_LIBRARY = """
rng = np.random.default_rng(0)
X, y = rng.normal(size=(4000, 200)), rng.integers(0, 30, 4000)
"""
SLOW_TASK = """
    class Slow(hinge.Task):
        dimension = 2
        def loss(self, y, s): return float(y != s)
        def features(self, x, s): return np.array([x * s, 1.0 - s])
        def predict(self, x, w): return int(self.features(x, 1) @ w > self.features(x, 0) @ w)
        def most_violating(self, x, y, w):
            time.sleep({pause})
            return max((0, 1), key=lambda s: self.features(x, s) @ w + self.loss(y, s))
"""


def interrupted(task, fit, times):
    program = textwrap.dedent(INTERRUPTED).replace("{task}", textwrap.dedent(task)).replace("{times}", str(times)) \
        .replace("{fit}", fit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ctrl_c_keeps_the_best_so_far():
    told = interrupted(SLOW_LIBRARY, "model = hinge.MulticlassClassifier(C=1e4, gap=1e-12).fit(X, y)", 1)
    assert told.startswith("kept stopped") and "Ctrl-C" in told
    task = SLOW_TASK.replace("{pause}", "0.01")
    told = interrupted(task, "model = hinge.Learner(Slow(), gap=1e-12, C=1e4, solver='subgradient').fit("
                             "list(np.linspace(-1, 1, 50)), [i % 2 for i in range(50)])", 1)
    assert told.startswith("kept stopped")


def test_a_second_ctrl_c_raises():
    task = SLOW_TASK.replace("{pause}", "30")
    told = interrupted(task, "model = hinge.Learner(Slow()).fit([0.5, -0.5], [1, 0])", 2)
    assert told.startswith("raised")


NESTED = """
    import os, signal, warnings
    import numpy as np, hinge
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 20)), rng.integers(0, 5, 300)
    told = []
    def callback(progress):
        told.append(1)
        if len(told) == {pressed}:
            for _ in range({times}):
                os.kill(os.getpid(), signal.SIGINT)
        if len(told) == 1:
            hinge.MulticlassClassifier().fit(X[:50], y[:50])
    try:
        model = hinge.MulticlassClassifier(C=1e3, gap=1e-9, callback=callback).fit(X, y)
        print("kept", model.summary_.termination, model.summary_.message)
    except KeyboardInterrupt:
        print("raised")
"""


@pytest.mark.parametrize("pressed, times, expected", [(1, 1, "kept stopped Stopped by Ctrl-C"), (2, 1, "kept stopped Stopped by Ctrl-C"),
                                                      (2, 2, "raised")])
def test_a_training_inside_another_leaves_ctrl_c_to_that_one(pressed, times, expected):
    """Pressed before the inner one, once or twice after it."""
    program = textwrap.dedent(NESTED).replace("{pressed}", str(pressed)).replace("{times}", str(times))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(expected), done.stdout + done.stderr


class Odd(Event):
    @property
    def dimension(self):
        raise ZeroDivisionError("mine")


class OddParts(Machine):
    dimension = property(lambda self: 1 / 0)

    def __init__(self):
        pass


def test_attributes_of_a_task_that_raise_do_not_end_the_interpreter(rng):
    for task, data in ((Odd(), events(rng)), (OddParts(), chains(rng))):
        with pytest.raises(ZeroDivisionError):
            hinge.Learner(task).fit(*data)


def test_scores_of_other_numbers_of_labels(rng):
    X, y = events(rng)
    model = hinge.Learner(Event(), C=1.0).fit(X, y)
    with pytest.raises(ValueError, match="12 inputs, but y has 2 labels"):
        model.score(X, y[:2])
    with pytest.raises(ValueError, match="X is empty"):
        model.score([], [])
    assert model.score(iter(X), iter(y)) == model.score(X, y)


def test_graphs_with_many_edges_are_read_at_once(rng):
    """60 thousand edges: looked at in pairs they would take minutes."""
    class Long(Machine):
        engine = "graph"

        def score(self, x, w):
            return {**super().score(x, w), "edges": np.stack([np.arange(len(x) - 1), np.arange(1, len(x))], axis=1)}

    long = Long(2, 2)
    long._solved(rng.normal(size=(60000, 2)), np.ones(long.dimension), 0.0)


def test_determined_may_say_it_in_any_way(rng):
    class Says(Event):
        def determined(self, y):
            return np.bool_(True)

    X, y = events(rng)
    assert np.array_equal(hinge.Learner(Says(), C=1.0).fit(X, y).coef_, hinge.Learner(Event(), C=1.0).fit(X, y).coef_)


def test_threads_of_a_plain_task(rng):
    """With an interpreter's lock one, which is said; without as many as are asked for, and the same bits."""
    X, y = events(rng)
    one = hinge.Learner(Event(), C=1.0).fit(X, y).coef_
    if hinge._core.free_threads:
        assert np.array_equal(hinge.Learner(Event(), C=1.0, n_jobs=3).fit(X, y).coef_, one)
        return
    with pytest.warns(UserWarning, match="tasks in Python run on one thread"):
        assert np.array_equal(hinge.Learner(Event(), C=1.0, n_jobs=3).fit(X, y).coef_, one)


def test_weights_that_a_task_keeps_stay_as_they_were(rng):
    class Keeping(Event):
        def __init__(self):
            self.kept = []

        def most_violating(self, x, y, w):
            self.kept.append((w, w.copy()))
            return super().most_violating(x, y, w)

    task = Keeping()
    hinge.Learner(task, C=1.0).fit(*events(rng))
    assert len(task.kept) > 20 and all(np.array_equal(w, copy) and not w.flags.writeable for w, copy in task.kept)


def test_structures_are_not_kept(rng):
    """Repeated fits hold no more objects than one."""
    import gc

    X, y = events(rng)
    learner = hinge.Learner(Event(), C=1.0)
    learner.fit(X, y)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(5):
        learner.fit(X, y)
    gc.collect()
    assert len(gc.get_objects()) < before + 50




@pytest.mark.parametrize("task, method", [(Machine(2, 2), "features"), (Machine(2, 2), "score"), (Machine(2, 2), "admitted"), (Event(), "features"),
                                          (Event(), "loss")])
def test_messages_have_the_numbers_of_what_was_given(rng, task, method):
    """Where examples before have no weight."""
    if isinstance(task, Machine):
        X, y = chains(rng, count=4)
    else:
        X, y = events(rng, 4)
    own, bad = getattr(type(task), method), X[2] if method != "loss" else y[2]

    class Wrong(type(task)):
        pass

    odd = np.full((1, 1, 1, 1), np.nan) if isinstance(task, Machine) else np.nan if method == "loss" else np.full(3, np.nan)
    setattr(Wrong, method, lambda self, x, *rest: odd if x is bad else own(self, x, *rest))
    task.__class__ = Wrong
    for weights in (None, [0, 1, 1, 1], [0, 0, 1, 1]):
        with pytest.raises((ValueError, TypeError), match=f"{method} of example 2 "):
            hinge.Learner(task).fit(X, y, sample_weight=weights)
