"""Hinge through its command line: what a user would type, with the summary it writes."""

import json
import tempfile
import pathlib

from support import machine, process


class Hinge:
    def __init__(self):
        self.program = machine.hinge()
        self.scratch = tempfile.TemporaryDirectory(prefix="hinge-bench-")
        self.folder = pathlib.Path(self.scratch.name)

    def train(self, task, *flags, model="model"):
        """Trains on one thread. The summary, with "process_cpu_seconds" (reading and writing too), "peak_mb" and the run "log"."""
        summary, log = self.folder / "summary.json", self.folder / "log.jsonl"
        cost = process.run([self.program, "train", task, *flags, "--model", self.path(model), "--threads", 1,
                            "--summary", summary, "--log", log, "--quiet"])
        result = json.loads(summary.read_text())
        result["process_cpu_seconds"] = cost.cpu_seconds
        result["peak_mb"] = cost.peak_mb
        result["log"] = [json.loads(line) for line in log.read_text().splitlines()]
        return result

    def evaluate(self, *flags, model="model"):
        return json.loads(process.run([self.program, "evaluate", self.path(model), *flags, "--json"]).output)

    def predict(self, *flags, model="model"):
        return process.run([self.program, "predict", self.path(model), *flags, "--output", self.folder / "predictions"])

    def path(self, name):
        return self.folder / name


def cpu_seconds_to(result, primal):
    """Processor seconds of the solver until its best objective was at most `primal`; None when it never was.
    The log has elapsed seconds, which are scaled by what the processor worked in them."""
    rate = result["cpu_seconds"] / result["seconds"]
    return next((round_["seconds"] * rate for round_ in result["log"] if round_["primal"] is not None and round_["primal"] <= primal), None)
