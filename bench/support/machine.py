"""What the benchmarks need on a Debian machine, and what that machine is."""

import datetime
import os
import pathlib
import platform
import shutil
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
    ensure_packages("cmake", "ninja-build", "g++", "libfmt-dev", "nlohmann-json3-dev", "libcli11-dev", "zlib1g-dev")
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
    build_hinge()
    return HINGE_BUILD / "bench" / "tagging_speed"


def dlib_sequence():
    """The driver of dlib, compiled with the optimisation of Hinge's release preset."""
    ensure_packages("g++", "libdlib-dev", "libblas3", "liblapack3")
    source, program = PEERS / "dlib_sequence.cpp", BUILD / "dlib_sequence"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        libraries = ["-ldlib", "-lpthread", "-l:libblas.so.3", "-l:liblapack.so.3"]
        call("g++", "-O3", "-std=c++17", source, "-o", program, *libraries)
    return program


def liblinear_train():
    ensure_packages("liblinear-tools")
    return shutil.which("liblinear-train")


def peer_python():
    """A Python with python-crfsuite and scikit-learn, in a virtual environment of its own."""
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        ensure_packages("python3-venv")
        call("python3", "-m", "venv", BUILD / "venv")
        call(python, "-m", "pip", "install", "-q", "python-crfsuite", "scikit-learn")
    return python


def description():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal")) / 2**20
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    commit = subprocess.run(["git", "-C", SOURCE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    return {"date": datetime.date.today().isoformat(), "commit": commit, "processor": model, "cores": os.cpu_count(), "memory_gb": round(memory),
            "system": platform.platform(), "compiler": compiler, "threads": 1, "load": round(os.getloadavg()[0], 2)}
