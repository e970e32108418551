"""What the benchmarks need on a Debian machine, and what that machine is."""

import datetime
import os
import pathlib
import platform
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PEERS = SOURCE / "bench" / "peers"
BUILD = SOURCE / "build" / "bench"
BUILD.mkdir(parents=True, exist_ok=True)
HINGE_BUILD = BUILD / "hinge"
DATA = pathlib.Path(os.environ.get("HINGE_DATA", SOURCE.parent / "shared" / "data"))


def data(name):
    """The path of a file of real data; raises MissingData when it is not there."""
    path = DATA / name
    if not path.exists():
        raise MissingData(f"skipped: no data at {path} (set HINGE_DATA)")
    return path


class MissingData(Exception):
    pass


def call(*command):
    subprocess.run([str(part) for part in command], check=True)


def ensure_packages(*packages):
    """Installs those of the Debian packages that are missing; needs root then."""
    status = "dpkg-query -W -f='${db:Status-Status}' "
    missing = [p for p in packages if subprocess.run(status + p, shell=True, capture_output=True, text=True).stdout != "installed"]
    if missing:
        call("apt-get", "update", "-qq")
        call("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)


def build_hinge():
    """Builds Hinge as users do (preset release), and what measures it."""
    ensure_packages("cmake", "ninja-build", "g++", "libfmt-dev", "nlohmann-json3-dev", "libcli11-dev", "libre2-dev", "zlib1g-dev")
    configure = ["cmake", "--preset", "release", "-B", HINGE_BUILD, "-DHINGE_TESTS=OFF", "-DHINGE_BENCH=ON"]
    subprocess.run([str(part) for part in configure], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    call("cmake", "--build", HINGE_BUILD, "--target", "hinge_cli", "tagging_speed")


def hinge():
    """The command line program."""
    if "HINGE" in os.environ:
        return pathlib.Path(os.environ["HINGE"])
    build_hinge()
    return HINGE_BUILD / "bin" / "hinge"


def tagging_speed():
    """Of the same build as hinge()."""
    if "HINGE" in os.environ:
        return pathlib.Path(os.environ["HINGE"]).parents[1] / "bench" / "tagging_speed"
    build_hinge()
    return HINGE_BUILD / "bench" / "tagging_speed"


# Peers that are compiled here may use all that this processor has; Hinge's release preset chooses while it runs.
OPTIMISED = ("-O3", "-march=native")


def compiled(program, sources, *command):
    """program, made again by the command when one of its sources is newer."""
    if not program.exists() or any(program.stat().st_mtime < source.stat().st_mtime for source in sources):
        call(*command, "-o", program)
    return program


def source_of(package):
    """The folder with the sources of a package of the Python index, unpacked."""
    folder = BUILD / "sources" / package
    if not folder.exists():
        peer_python()
        call(BUILD / "venv" / "bin" / "python", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", BUILD / "sources", package)
        archive = next((BUILD / "sources").glob(package.replace("-", "?") + "-*.tar.gz"))
        unpacked = BUILD / "sources" / "unpacked" / package
        unpacked.mkdir(parents=True, exist_ok=True)
        call("tar", "xzf", archive, "-C", unpacked, "--strip-components=1")
        unpacked.rename(folder)
    return folder


def dlib_sequence():
    ensure_packages("g++", "libdlib-dev", "libopenblas0-pthread")
    source = PEERS / "dlib_sequence.cpp"
    libraries = ["-ldlib", "-lpthread", "-l:libblas.so.3", "-l:liblapack.so.3"]
    return compiled(BUILD / "dlib_sequence", [source], "g++", *OPTIMISED, "-std=c++17", source, *libraries)


def crfsuite_library():
    """Flags and sources of CRFsuite with its vector instructions on, as its own configure script sets them."""
    root = source_of("python-crfsuite")
    crfsuite, optimizer = root / "crfsuite", root / "liblbfgs"
    folders = (crfsuite / "include", crfsuite / "lib/cqdb/include", optimizer / "include", crfsuite / "frontend")
    sources = [*(crfsuite / "lib/crf/src").glob("*.c"), crfsuite / "lib/cqdb/src/cqdb.c", crfsuite / "lib/cqdb/src/lookup3.c", optimizer / "lib/lbfgs.c"]
    return crfsuite / "frontend", ["gcc", *OPTIMISED, "-std=gnu99", "-w", "-DUSE_SSE", "-DHAVE_EMMINTRIN_H", "-DHAVE_XMMINTRIN_H", *(f"-I{folder}" for folder in folders), *sources]


def crfsuite():
    """CRFsuite's own program."""
    frontend, command = crfsuite_library()
    return compiled(BUILD / "crfsuite", [], *command, *frontend.glob("*.c"), "-lm")


def crfsuite_tagging():
    frontend, command = crfsuite_library()
    source = PEERS / "crfsuite_tagging.c"
    return compiled(BUILD / "crfsuite_tagging", [source], *command, source, frontend / "iwa.c", "-lm")


def liblinear_multiclass():
    source, library = PEERS / "liblinear_multiclass.cpp", source_of("liblinear-official") / "cpp-source"
    sources = [source, library / "linear.cpp", library / "newton.cpp", *(library / "blas").glob("*.c")]
    return compiled(BUILD / "liblinear_multiclass", [source], "g++", *OPTIMISED, "-w", f"-I{library}", *sources)


def cut_bench():
    build_hinge()
    call("cmake", "--build", HINGE_BUILD, "--target", "cut_bench")
    return HINGE_BUILD / "bench" / "cut_bench"


def peer_python(*packages):
    """A Python with scikit-learn and other packages, in a virtual environment of its own."""
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        ensure_packages("python3-venv")
        call("python3", "-m", "venv", BUILD / "venv")
        call(python, "-m", "pip", "install", "-q", "scikit-learn")
    if packages:
        call(python, "-m", "pip", "install", "-q", *packages)
    return python


def python_with(module, package):
    """That Python, with one more package of the Python index."""
    python = peer_python()
    if subprocess.run([str(python), "-c", f"import {module}"], capture_output=True).returncode != 0:
        call(python, "-m", "pip", "install", "-q", package)
    return python


def description():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal")) / 2**20
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return {"date": datetime.date.today().isoformat(), "processor": model, "cores": os.cpu_count(), "memory_gb": round(memory),
            "system": platform.platform(), "compiler": compiler, "threads": 1, "load": round(os.getloadavg()[0], 2)}
