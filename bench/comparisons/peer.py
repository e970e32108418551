"""A peer at the loosest setting that comes within the gap of the optimum, and the rows of a table."""

import json
import math

from support import process
from support.table import ratio

# dlib's objective is within C epsilon of the optimum when it stops, and in truth nearer: where the search for epsilon begins, in units
# of gap * optimum / C.
PROMISED = 2.25
ROOM = 1.01  # the optimum is known to a hundredth of the gap


def at_gap(plan, key, gap, first, run, optimum):
    """run(setting) gives a run of the peer, with its "primal". Of the search only runs with the setting it found are timed.
    A peer that is stopped at the plan's limit gives {"stopped": the processor seconds it had trained by then, if it says when it began}."""
    searched, at = {}, []

    def distance(found):
        return 1 - optimum / found["primal"]

    def tried(setting):
        at[:] = [setting]
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
        began = json.loads(late.cost.output.splitlines()[0])["began"] if late.cost.output else None
        return {"stopped": late.cost.cpu_seconds - began if began is not None else None, "setting": at[0] if at else setting}


MEASURED = ("cpu_seconds", "cpu_spread", "repeats", "peak_mb", "primal", "relative_gap", "distance", "setting", "accuracy", "f1", "dimension", "stopped")
SHOWN = {"who": "who", "cpu_seconds": "CPU s, median", "cpu_spread": "least, largest", "repeats": "runs", "peak_mb": "peak MB", "primal": "objective",
         "relative_gap": "gap proven", "distance": "from the optimum", "setting": "tolerance found", "stopped": "stopped after CPU s"}
RATIOS = {"time_ratio": "time / Hinge", "memory_ratio": "memory / Hinge"}


def row(who, run, ours, **what):
    """What was measured of a run, beside the run of Hinge that it is compared with."""
    line = {**what, "who": who, **{key: run[key] for key in MEASURED if key in run}}
    if run is ours:
        return line
    if "stopped" in run:
        return {**line, "time_ratio": f"more than {math.floor(run['stopped'] / ours['cpu_seconds'])}x" if run["stopped"] else None}
    return {**line, "time_ratio": ratio(run["cpu_seconds"], ours["cpu_seconds"]), "memory_ratio": ratio(run["peak_mb"], ours["peak_mb"])}


def rounds(run):
    return run["oracle_calls"] / run["n"]
