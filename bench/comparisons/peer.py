"""A peer at the loosest setting that comes within the gap of the optimum, and the rows of a table."""

from support import process
from support.table import ratio

ROOM = 1.01  # the optimum is known to a hundredth of the gap


def at_gap(plan, key, gap, first, run, optimum):
    """run(setting) gives a run of the peer, with its "primal". Of the search only runs with the setting it found are timed.
    A peer that is stopped at the plan's limit gives {"stopped": the limit}."""
    searched = {}

    def distance(found):
        return 1 - optimum / found["primal"]

    def tried(setting):
        searched[setting] = run(setting)
        return distance(searched[setting])
    try:
        for _ in range(2):
            setting = plan.settings.loosest(key, gap, first, tried)
            found = process.repeat(plan.peer_repeats, lambda: searched.pop(setting, None) or run(setting))
            if distance(found) <= ROOM * gap:
                break
            plan.settings.forget(key)  # found with other data, another peer or another optimum
        return {**found, "setting": setting, "distance": distance(found)}
    except process.TooLong as late:
        return {"stopped": late.limit}


MEASURED = ("cpu_seconds", "cpu_spread", "repeats", "peak_mb", "primal", "relative_gap", "distance", "setting", "accuracy", "f1", "dimension", "stopped")
SHOWN = {"who": "who", "cpu_seconds": "CPU s, median", "cpu_spread": "least, largest", "repeats": "runs", "peak_mb": "peak MB", "primal": "objective",
         "relative_gap": "gap proven", "distance": "from the optimum", "setting": "tolerance found"}
RATIOS = {"time_ratio": "time / Hinge", "memory_ratio": "memory / Hinge"}


def row(who, run, ours, **what):
    """What was measured of a run, beside the run of Hinge that it is compared with."""
    line = {**what, "who": who, **{key: run[key] for key in MEASURED if key in run}}
    if run is ours:
        return line
    if "stopped" in run:
        return {**line, "time_ratio": f"more than {run['stopped'] / ours['cpu_seconds']:.0f}x"}
    return {**line, "time_ratio": ratio(run["cpu_seconds"], ours["cpu_seconds"]), "memory_ratio": ratio(run["peak_mb"], ours["peak_mb"])}


def rounds(run):
    return run["oracle_calls"] / run["n"]
