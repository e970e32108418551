"""What every peer reports of itself: processor seconds of a block, the peak of its memory, one line of JSON."""

import json
import resource


def cpu_seconds():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(work):
    """The result of work() and the processor seconds it took."""
    start = cpu_seconds()
    result = work()
    return result, cpu_seconds() - start


def report(**facts):
    print(json.dumps(facts))
