"""The package itself: what it needs, how fast it is there, what type checkers see."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

import hinge


def run(program, *flags):
    done = subprocess.run([sys.executable, *flags, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_import_needs_numpy_alone():
    told = run("import sys, hinge; print(sorted({name.split('.')[0] for name in sys.modules}))").stdout
    for package in ("sklearn", "scipy", "pandas", "matplotlib", "torch", "jax", "networkx"):
        assert f"'{package}'" not in told


def test_import_is_fast():
    """At most 0.15 s of the processor besides NumPy, the best of a few: the machine may be busy."""
    program = "import numpy, time; t = time.process_time(); import hinge; print(time.process_time() - t)"
    assert min(float(run(program).stdout) for _ in range(3)) < 0.15


def test_works_without_scikit_learn():
    run("""
import sys
sys.modules["sklearn"] = sys.modules["scipy"] = None
del sys.modules["sklearn"], sys.modules["scipy"]
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "scipy", "pandas"): raise ImportError(name)
sys.meta_path.insert(0, Blocked())
import numpy as np, hinge, pickle
X, y = np.eye(4), np.array(["a", "b", "a", "b"])
model = hinge.MulticlassClassifier().fit(X, y)
assert model.predict(X).tolist() == y.tolist() and model.predict_proba(X).shape == (4, 2)
assert pickle.loads(pickle.dumps(model)).score(X, y) == 1
for bad, sentence in ((np.zeros(3), "dimensions"), (np.full((4, 1), np.nan), "NaN"), (np.zeros((0, 2)), "empty")):
    try:
        hinge.MulticlassClassifier().fit(bad, y)
        raise SystemExit("was taken")
    except ValueError as error:
        assert sentence in str(error), error
try:
    model.predict(np.zeros((1, 9)))
    raise SystemExit("was taken")
except ValueError as error:
    assert "expecting 4 features" in str(error)
try:
    hinge.Ranker().predict(X)
    raise SystemExit("was taken")
except hinge.NotFittedError:
    pass
""")


def newer_python():
    """One from 3.12 on, of this or another installation; None where there is none."""
    versions = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv") / "versions"
    named = [shutil.which(f"python3.{minor}") for minor in range(12, 20)]
    for python in [sys.executable, *filter(None, named), *map(str, sorted(versions.glob("3.*/bin/python")))]:
        asked = "import sys, sysconfig; sys.exit(sys.version_info < (3, 12) or bool(sysconfig.get_config_var('Py_GIL_DISABLED')))"
        if subprocess.run([python, "-c", asked], capture_output=True).returncode == 0:
            return python
    return None


def test_the_module_has_the_stable_interface(tmp_path):
    """Of this Python, or as it would be built for a newer one: nothing is compiled."""
    if sys.version_info >= (3, 12):
        assert hinge._core.__file__.endswith(".abi3.so")
        return
    python = newer_python()
    if python is None:
        pytest.skip("the stable interface begins with Python 3.12, which is not here")
    root = pathlib.Path(__file__).parents[2]
    assert "_core.abi3.so" in build_rules(tmp_path, python, f"-DHINGE_BUILD={root / 'build' / 'release'}")


def build_rules(folder, python, *options):
    """What would be run to build the module for a Python."""
    nanobind = pytest.importorskip("nanobind")
    cmake = shutil.which("cmake", path=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    if cmake is None:
        pytest.skip("there is no cmake")
    (folder / "nanobind").symlink_to(pathlib.Path(nanobind.__file__).parent)
    done = subprocess.run([cmake, "-S", str(pathlib.Path(__file__).parents[1]), "-B", str(folder / "build"), f"-DPython_EXECUTABLE={python}",
                           *options], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.returncode == 0, done.stdout + done.stderr
    return "".join(path.read_text() for path in (folder / "build").rglob("*") if path.name in ("build.ninja", "link.txt", "flags.make"))


def test_warnings_of_other_compilers_are_no_errors(tmp_path):
    """Of whoever installs the package."""
    rules = build_rules(tmp_path, sys.executable)
    assert "-Wall" in rules and "-Werror" not in rules


def test_stubs_are_there_and_current():
    folder = pathlib.Path(hinge.__file__).parent
    assert (folder / "py.typed").exists() and "class Model" in (folder / "_core.pyi").read_text()
    script = pathlib.Path(__file__).parent / "make_stubs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_mypy_is_content(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text("""
import hinge
import numpy as np
tagger = hinge.SequenceTagger(method="crf", C=1.0, order=1).fit([[["a"]]], [["x"]])
labels: np.ndarray = tagger.predict([[["a"]]])
weights: np.ndarray = hinge.MulticlassClassifier(bias=1.0).fit(np.eye(2), [0, 1]).weights_
""")
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"),
                           "-p", "hinge"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import hinge\nhinge.SequenceTagger(metod='crf')\n")
    for name, expected in (("use.py", 0), ("wrong.py", 1)):
        done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir",
                               str(tmp_path / "cache"), name], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == expected, done.stdout


def test_version_is_the_library_s(source):
    assert f'"{hinge.__version__}"' in (source / "hinge" / "version.h").read_text()
    readme = (source / "README.md").read_text()
    assert "pip install ." in readme


def test_doctests():
    import doctest

    for module in (hinge, hinge.engines):
        assert doctest.testmod(module).failed == 0 and doctest.testmod(module).attempted > 0


def test_the_source_distribution_has_all_sources(tmp_path, monkeypatch):
    pytest.importorskip("scikit_build_core")
    root = pathlib.Path(__file__).parents[2]
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(str(root / "python" / "backend"))
    import hinge_backend

    name = hinge_backend.build_sdist(str(tmp_path))
    with tarfile.open(tmp_path / name) as archive:
        there = {each.split("/", 1)[1] for each in archive.getnames() if "/" in each}
    sources = [str(path.relative_to(root)) for folder in ("hinge", "cmake", "python/src", "python/hinge", "python/backend", "examples/data")
               for path in (root / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert [source for source in [*sources, "CMakeLists.txt", "pyproject.toml", "LICENSE"] if source not in there] == []


def test_headers_come_as_packages_where_there_are_none(monkeypatch):
    pytest.importorskip("scikit_build_core")
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parents[2] / "python" / "backend"))
    import hinge_backend

    assert hinge_backend.finds("vector") and not hinge_backend.finds("no/such.h")
    monkeypatch.setattr(hinge_backend, "finds", lambda header: header.startswith("fmt"))
    assert hinge_backend._headers() == ["nlohmann-json>=3.11"]
