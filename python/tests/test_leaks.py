"""Repeated fits keep nothing: neither memory nor objects of Python."""

import gc
import subprocess
import sys

import numpy as np
import pytest
from cases import CASES, case

import hinge


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


@pytest.mark.parametrize("name", sorted(CASES))
def test_fits_keep_no_memory(name):
    """After a few fits, which grow buffers, forty more add less than what one model and its data take many times over."""
    estimator, X, y = case(name)
    estimator.set_params(max_passes=3) if "max_passes" in estimator.get_params() else None

    def rounds(count):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(count):
                estimator.fit(X, y).predict(X)
        gc.collect()
        return resident()

    before = rounds(15)
    after = rounds(40)
    assert after - before < 4, f"{after - before:.1f} MB more"


def test_engines_and_errors_keep_no_memory():
    u, p = np.random.default_rng(0).normal(size=(8, 50, 10)), np.zeros((10, 10))

    def rounds(count):
        for _ in range(count):
            hinge.engines.chain(u, p)
            hinge.engines.trees(u[:, :10, :10])
            with pytest.raises(ValueError):
                hinge.engines.chain(u, p[:3])
            with pytest.raises(ValueError):
                hinge.SequenceTagger().fit([[["a"]], [["b"]]], [["x"], ["y", "z"]])
        gc.collect()
        return resident()

    before = rounds(100)
    assert rounds(600) - before < 4


def test_no_object_is_left_at_the_end():
    """nanobind tells at the end which of its objects are left."""
    program = """
import sys; sys.path.insert(0, sys.argv[1])
import warnings; warnings.simplefilter("ignore")
from cases import CASES, case
for name in sorted(CASES):
    estimator, X, y = case(name)
    estimator.fit(X, y).predict(X)
    try:
        estimator.fit(X, y[:1])
    except (ValueError, TypeError):
        pass
"""
    import pathlib

    done = subprocess.run([sys.executable, "-c", program, str(pathlib.Path(__file__).parent)], capture_output=True, text=True)
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr
