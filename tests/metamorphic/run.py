#!/usr/bin/env python3
"""Draws data and flags, and tries the laws of laws.py on them.

usage: run.py HINGE TASK|all [LAW...] [--long] [--examples N] [--seed N] [--avoid FLAG...] [--database FOLDER]

A short run draws the same examples each time. --long draws others each time, many more of them, and keeps those that
fail in the database, to be tried first when it is run again.
"""
import argparse
import importlib
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

try:
    import hypothesis
    import hypothesis.configuration
    import numpy  # noqa: F401: evaluate.py needs both
    import scipy  # noqa: F401
except ImportError as trouble:
    print(f"skipped: {trouble}")
    sys.exit(77)

from hypothesis import database, given, settings, strategies as st
from hypothesis.internal.conjecture import engine

import flags
import laws
import machines
from program import Broken, Program

TASKS = ["multiclass", "strings", "multilabel", "taxonomy", "binary", "parse", "sequence", "graph", "sequence-class", "rank", "motif", "cluster", "align", "fold"]
EXAMPLES = {"objective": 120, "outputs": 30, "folds": 16, "files": 8, "copies": 30, "threads": 20, "refusals": 80, "checks": 12, "transduction": 12, "checkpoints": 6,
            "ranks": 4}
LAWS = {**laws.LAWS, "ranks": machines.ranks}
LONG = 25  # times as many
hypothesis.configuration.set_hypothesis_home_dir(tempfile.gettempdir() + "/hinge-laws")  # not in the tree
engine.MAX_SHRINKS = 60  # a failure is worth telling before it is smallest


def check_flags(task, help_):
    """Whether every flag that --help lists can be drawn."""
    unknown = help_.unknown(task.NAME, task.flags(hypothesis.find(task.data(), lambda _: True, settings=settings(database=None))))
    if unknown:
        print(f"--help lists flags that tests/metamorphic does not know: {', '.join(unknown)}. Teach them to flags.py or tasks/.")
    return not unknown


def trial(law, task, binary, help_, options):
    count = options.examples or EXAMPLES[law] * (LONG if options.long else 1)
    kept = database.DirectoryBasedExampleDatabase(options.database) if options.long else None
    served = {"yes": 0, "no": 0}

    @settings(max_examples=count, derandomize=not options.long, database=kept, deadline=None, print_blob=False,
              report_multiple_bugs=False, suppress_health_check=list(hypothesis.HealthCheck),
              phases=[p for p in hypothesis.Phase if p != hypothesis.Phase.explain])
    @given(st.data())
    def run(data):
        with Program(binary) as program:
            LAWS[law](task, program, lambda strategy: data.draw(strategy), help_)
            served["yes" if program.served else "no"] += 1

    if options.seed is not None:
        run = hypothesis.seed(options.seed)(run)
    name = task.__name__.rpartition(".")[2]
    begin = time.monotonic()
    try:
        run()
    except Broken as broken:
        print(f"{name}: the law '{law}' does not hold: {broken}\n")
        return False
    seconds = time.monotonic() - begin
    print(f"{name}: {law} holds in {served['yes'] + served['no']} runs, {served['yes']} of them served ({seconds:.1f} s)")
    return True


def try_laws(name, options):
    task = importlib.import_module("tasks." + name.replace("-", "_"))
    with Program(options.hinge) as program:
        help_ = flags.Help(program, task.NAME)
    if hasattr(task, "prepare"):
        task.prepare(help_)
    known = check_flags(task, help_)
    help_.avoid = options.avoid
    return all([trial(law, task, options.hinge, help_, options) for law in options.law or LAWS] + [known])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hinge")
    parser.add_argument("task", choices=[*TASKS, "all"])
    parser.add_argument("law", nargs="*", choices=[*LAWS, []], default=[])
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--examples", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--avoid", nargs="*", default=[], metavar="FLAG", help="draw no such flag, to look behind a known fault")
    parser.add_argument("--database", default="build/metamorphic")
    options = parser.parse_args()
    tasks = TASKS if options.task == "all" else [options.task]
    return 0 if all([try_laws(task, options) for task in tasks]) else 1


if __name__ == "__main__":
    sys.exit(main())
