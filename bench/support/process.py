"""Runs one program and says what it cost."""

import os
import statistics
import subprocess
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


def run(command, **options):
    """Raises CalledProcessError, with what the program wrote, when it fails."""
    command = [str(part) for part in command]
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}, **options)
    output = child.stdout.read()
    _, status, use = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command, output)
    return Cost(output, use.ru_utime + use.ru_stime, time.monotonic() - start, use.ru_maxrss / 1024)


def repeat(times, work):
    """The run of work() whose "cpu_seconds" is the median of `times`, with all of them under "all_cpu_seconds"."""
    runs = sorted((work() for _ in range(times)), key=lambda r: r["cpu_seconds"])
    middle = dict(runs[(len(runs) - 1) // 2])
    middle["all_cpu_seconds"] = [round(r["cpu_seconds"], 4) for r in runs]
    middle["cpu_seconds"] = statistics.median(r["cpu_seconds"] for r in runs)
    return middle
