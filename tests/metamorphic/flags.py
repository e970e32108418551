"""Random flags, drawn from what `--help` lists. A flag that is listed there and not known here is a failure: teach it below."""
import re

from hypothesis import strategies as st

import kernels

FLAG = re.compile(r"^  (?:-\w,)?--([\w-]+)(?: (\S+))?(?:  +|$)")
HEADING = re.compile(r"^([\w-]+):$")


def listed(text):
    """{group: {flag: what it takes, or None}} of a help text."""
    groups, group = {}, None
    for line in text.splitlines():
        if heading := HEADING.match(line):
            group = groups.setdefault(heading[1], {})
        elif (flag := FLAG.match(line)) and group is not None:
            group[flag[1]] = flag[2]
    return {name: flags for name, flags in groups.items() if flags}


def solvers(text):
    """The names in the list of solvers of a help text."""
    part = text[text.index("solvers (") :]
    return [line.split()[0] for line in part[: part.index("\n\n")].splitlines()[1:]]


def number(*values):
    return st.sampled_from([str(v) for v in values])


SWITCH = st.sampled_from([None, False])  # a flag without a value: --flag, or --no-flag

# Flags that are drawn for any training. Those of files, C, method and solver are drawn by `training` below.
LEARNING = {
    "rescaling": st.sampled_from(["margin", "slack"]),
    "epsilon": number(0.001, 0.1, 1, 2),
    "output-temperature": number(0, 0.01, 0.5, 1, 2),
    "latent-temperature": number(0, 0.5, 1, 2),
    "init": st.sampled_from(["zero", "random", "random:0.5", "supervised", "drawn"]),
    "restarts": number(1, 2, 3),
    "anneal": number(0, 1, 3),
    "l1": number(0, 0.01, 0.5),
    "time-limit": number(0, 10, 1e-4),
    "threads": number(0, 1, 3),
    "shards": number(0, 1, 3, 64),
    "seed": number(0, 1, 2, 18446744073709551615),
}
OWN = {"C", "method", "solver", "inner"}
# Drawn by the law `transduction` alone: methods that learn from unlabelled files and rules, and their flags.
TRANSDUCTIVE = ["transductive", "codl", "pr", "ge"]
TRANSDUCTION = {
    "C1": number(0, 1, 10),
    "C2": number(0.1, 1, 10),
    "mu": number(0.1, 1, 4),
    "anneal-mu": number(0, 2),
    "rule-beam": number(1, 20),
    "rule-features": SWITCH,
    "labels-as-constraints": None,
    "rule-rounds": number(1, 2),
    "self-share": number(0.1, 1),
    "self-best": number(2, 5),
}
FILES = {"data", "unlabelled", "rules", "model", "validation", "select", "summary", "log", "checkpoint", "checkpoint-every", "resume",
         "share-data", "quiet"}
# Drawn together, by kernels.py: most of them belong to one kernel or map.
KERNEL = {"kernel", "kernel-gamma", "kernel-degree", "kernel-offset", "kernel-map", "kernel-size", "kernel-seed", "kernel-memory",
          "kernel-length", "kernel-decay"}
SOLVER = {
    "gap": number(1, 0.1, 0.001, 1e-6, 1e-9),
    "max-passes": number(1, 2, 5, 50),
    "batch": number(1, 2, 8),
    "plane-age": number(1, 10),
    "chosen": number(1, 3, 500),
    "accuracy": number(0.01, 0.1, 0.9),
    "prune-age": number(1, 50),
    "cache": number(0, 1, 5),
    "cache-share": number(0.1, 0.5, 1),
    "proximity": number(0.1, 10),
    "average": SWITCH,
    "warm-passes": number(1, 10),
    "evaluate-every": number(1, 5),
    "gradient-norm": number(0, 1e-3),
    "memory": number(1, 2, 10),
    "room": st.sampled_from(["full", "small", "short"]),
    "decrease": number(0, 1e-4, 0.1),
    "max-rounds": number(1, 2, 200),
    "step": number(0.02, 0.1),
    "decay": number(0, 1),
    "inner-steps": number(1, 3),
    "max-steps": number(1, 10, 100),
    "keep": st.sampled_from(["last", "best"]),
}


def arguments(flag, value):
    """--flag, --flag=value, or --flag with several values."""
    if value is None or value is False:
        return ["--" + ("no-" if value is False else "") + flag]
    return ["--" + flag, *value] if isinstance(value, list) else [f"--{flag}={value}"]


class Help:
    """What the program lists for one task, asked once."""

    def __init__(self, program, task):
        self.text = program.run("train", task, "--help").out
        self.solvers = solvers(self.text)
        self.chooses_C = " auto" in self.text[self.text.index("-C,--C") : self.text.index("  --method")]
        self.methods = listed(self.text)["learning"]["method"].split("|")
        self.of_solver = {}
        self.avoid = []
        self.groups = {}
        for name in self.solvers:
            groups = listed(program.run("train", task, "--help", "--solver", name).out)
            self.groups.update(groups)
            self.of_solver[name] = {f for g in (name, "cccp") for f in groups.get(g, {})}
        self.of_task = self.groups.get(task, {})

    def unknown(self, task, of_task):
        """Flags that the harness could not draw."""
        known = {"files": FILES, "learning": OWN | set(LEARNING), "transduction": set(TRANSDUCTION), task: set(of_task) | KERNEL}
        return [f"--{flag} of {group}" for group, flags in self.groups.items()
                for flag in flags if flag not in known.get(group, SOLVER)]


@st.composite
def training(draw, help_, task_flags, always=(), searching=True):
    """Flags of one training run as a list of (flag, value); `always` are those of the task that every run has."""
    flags = [("C", draw(number(0.1, 1, 3, 10, 100, 1e-5, 1e5, *["auto"] * help_.chooses_C)))]
    method = draw(st.sampled_from([m for m in help_.methods if m not in TRANSDUCTIVE]))
    if method != "ssvm":
        flags.append(("method", method))
    solver = draw(st.one_of(st.none(), st.sampled_from(help_.solvers)))
    if solver:
        flags.append(("solver", solver))
    if solver == "cccp" and draw(st.booleans()):
        flags.append(("inner", draw(st.sampled_from(help_.solvers))))
    usual = "lbfgs" if method in ("crf", "hcrf", "softmax-margin", "epsilon") else "frank_wolfe"
    own = sorted(f for f in help_.of_solver[solver or usual] if f in SOLVER)
    if "gap" in own:
        # Sums over what is hidden have a new plane wherever they are asked: below 1e-6 a dozen examples may take minutes.
        gap = draw(SOLVER["gap"])
        flags.append(("gap", "1e-06" if method == "mssvm" and float(gap) < 1e-6 else gap))
    for flag in draw(st.lists(st.sampled_from(own), max_size=2, unique=True)) if own else ():
        if flag != "gap":
            flags.append((flag, draw(SOLVER[flag])))
    common = sorted(f for f in LEARNING if searching or f not in ("restarts", "anneal", "init"))
    for flag in draw(st.lists(st.sampled_from(common), max_size=2, unique=True)):
        value = draw(LEARNING[flag])
        flags.append((flag, value))
    own = sorted(f for f in help_.of_task if task_flags.get(f) is not None and f not in always)
    for flag in [*always, *(draw(st.lists(st.sampled_from(own), max_size=3, unique=True)) if own else ())]:
        flags.append((flag, draw(task_flags[flag] if help_.of_task[flag] else SWITCH)))
    if "kernel" in help_.of_task and "kernel" not in always and draw(st.integers(0, 3)) == 0:
        flags = [(flag, value) for flag, value in flags if flag != "feature-names"] + draw(kernels.flags())
    return [(flag, value) for flag, value in flags if flag not in help_.avoid]


def line(flags):
    return [argument for flag, value in flags for argument in arguments(flag, value)]
