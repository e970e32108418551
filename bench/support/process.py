"""Runs one program and says what it cost."""

import json
import os
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass

# One thread everywhere: the linear algebra inside peers would otherwise take all cores.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


@dataclass
class Cost:
    output: str
    cpu_seconds: float  # user and system time of the process
    seconds: float
    peak_mb: float  # never below the few MB of this script, which the system counts into its children


class TooLong(Exception):
    """A program was stopped at its limit."""

    def __init__(self, limit, cost):
        super().__init__(f"stopped after {limit:g} s")
        self.cost = cost


def run(command, limit=None, output=subprocess.PIPE, **options):
    """Raises CalledProcessError, with what the program wrote, when it fails, and TooLong after `limit` seconds."""
    command = [str(part) for part in command]
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=output, text=True, env={**os.environ, **ONE_THREAD}, **options)
    stopped = threading.Event()

    def stop():
        stopped.set()
        child.kill()
    timer = threading.Timer(limit or 0, stop)
    if limit:
        timer.start()
    text = child.stdout.read() if child.stdout else ""
    _, status, use = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    cost = Cost(text, use.ru_utime + use.ru_stime, time.monotonic() - start, use.ru_maxrss / 1024)
    if stopped.is_set():
        raise TooLong(limit, cost)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command, text)
    return cost


def last_line(command, **options):
    """What a peer says of itself in its last line, as JSON."""
    return json.loads(run(command, **options).output.splitlines()[-1])


def repeat(times, work):
    """The run of work() whose "cpu_seconds" is the median of `times`, with "repeats" and the least and largest under "cpu_spread"."""
    runs = sorted((work() for _ in range(times)), key=lambda r: r["cpu_seconds"])
    middle = dict(runs[(len(runs) - 1) // 2])
    seconds = [r["cpu_seconds"] for r in runs]
    return {**middle, "cpu_seconds": statistics.median(seconds), "cpu_spread": [round(seconds[0], 4), round(seconds[-1], 4)], "repeats": times}
