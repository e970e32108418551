import os
import pathlib
import subprocess

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def command():
    """Runs the command line; what it prints."""
    program = os.environ.get("HINGE_COMMAND")
    if not program:
        pytest.skip("HINGE_COMMAND does not name the command line")

    def run(*arguments: str) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def source():
    return pathlib.Path(__file__).parents[2]


def sentences(rng, count=30, kinds=("DET", "NOUN", "VERB")):
    """Sentences whose words tell their labels most of the time."""
    X, y = [], []
    for _ in range(count):
        labels = [str(rng.choice(kinds)) for _ in range(rng.integers(1, 7))]
        words = [label.lower() if rng.random() < 0.8 else "odd" for label in labels]
        X.append([{"word": word, "length": float(len(word)), "first": t == 0} for t, word in enumerate(words)])
        y.append(labels)
    return X, y


@pytest.fixture
def tagged(rng):
    return sentences(rng)


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(80, 5))
    return X, np.array(["ant", "bee", "cow"])[np.argmax(X[:, :3] + 0.3 * rng.normal(size=(80, 3)), axis=1)]
