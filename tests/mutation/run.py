#!/usr/bin/env python3
"""Puts one fault after the other into a copy of the tree and says which unit tests fail: tests/mutation/run.py [NAME ...]

Ends with 1 when a fault goes unnoticed, or when its place is no longer found. Takes minutes, so ./test only checks the places (--places).
"""
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mutations import MUTATIONS

SOURCE = Path(__file__).resolve().parents[2]
COPY = SOURCE / "build" / "mutation" / "tree"
BUILD = SOURCE / "build" / "mutation" / "build"
JOBS = str(os.cpu_count())


def mutated(mutation, text):
    count = text.count(mutation.before)
    if count != 1:
        sys.exit(f"{mutation.file}: '{mutation.before}' stands there {count} times, but must once: bring tests/mutation/mutations.py up to date.")
    return text.replace(mutation.before, mutation.after)


def copy_tree():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in filter(None, names):
        source, target = SOURCE / name, COPY / name
        if not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def build():
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", *launcher], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run(["cmake", "--build", BUILD, "--target", "hinge_tests", "-j", JOBS], capture_output=True, text=True)


def failures(limit):
    """The names of the unit tests that fail; the last one also where it ends the process or does not end."""
    log = BUILD / "tests.log"
    with open(log, "w") as out:
        try:
            status = subprocess.run([BUILD / "hinge_tests"], cwd=BUILD, timeout=limit, stdout=out, stderr=subprocess.STDOUT).returncode
        except subprocess.TimeoutExpired:
            status = None
    said = log.read_text(errors="replace")
    failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", said, re.M)
    if status not in (0, 1):
        failed.insert(0, re.findall(r"^\[ RUN      \] (\S+)", said, re.M)[-1] + (" (no end)" if status is None else " (crash)"))
    return list(dict.fromkeys(name for name in failed if not name.isdigit()))


def main(wanted):
    if wanted == ["--places"]:
        for mutation in MUTATIONS:
            mutated(mutation, (SOURCE / mutation.file).read_text())
        print(f"{len(MUTATIONS)} places found")
        return 0
    copy_tree()
    if build().returncode != 0:
        sys.exit("the tree does not build as it is.")
    start = time.monotonic()
    broken = failures(3600)
    if broken:
        sys.exit(f"without any fault these fail already: {', '.join(broken)}.")
    limit = 60 + 5 * (time.monotonic() - start)
    unnoticed = 0
    print("| fault | file | failing unit tests | the first |\n|---|---|---|---|", flush=True)
    for mutation in MUTATIONS:
        if wanted and mutation.name not in wanted:
            continue
        path = COPY / mutation.file
        text = path.read_text()
        path.write_text(mutated(mutation, text))
        built = build()
        failed = ["(does not compile)"] if built.returncode != 0 else failures(limit)
        path.write_text(text)
        unnoticed += not failed or built.returncode != 0
        first = failed[0] if failed else "**unnoticed**"
        print(f"| {mutation.name} | {Path(mutation.file).name} | {len(failed)} | {first} |", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
