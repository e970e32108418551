"""bench/results: what was measured, by which command, at which commit."""

import json
import os
import shlex
import subprocess
import sys

from support import machine

FOLDER = machine.SOURCE / "bench" / "results"
# Files that a run writes, and that no measurement depends on.
WRITTEN = ("bench/results/", "bench/README.md")


def git(*words):
    done = subprocess.run(["git", "-C", str(machine.SOURCE), *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"results name a commit, and git does not know one here ({done.stderr.strip()}); use --no-results")
    return done.stdout


class Results:
    """Refuses before anything is measured what could not be recorded honestly: a tree with changes, or a program from elsewhere."""

    def __init__(self, keep=True):
        self.keep = keep
        if not keep:
            return
        if "HINGE" in os.environ:
            sys.exit("HINGE names a program whose commit is not known; use --no-results")
        changed = [line for line in git("status", "--porcelain").splitlines() if not line[3:].startswith(WRITTEN)]
        if changed:
            sys.exit("commit first, or use --no-results; results name a commit, and these files differ from it:\n" + "\n".join(changed))
        self.commit = git("rev-parse", "HEAD").strip()

    def write(self, name, facts):
        if not self.keep:
            return
        if git("rev-parse", "HEAD").strip() != self.commit:
            sys.exit(f"{name} is not recorded: another commit was checked out while it was measured")
        FOLDER.mkdir(exist_ok=True)
        head = {"made_by": shlex.join([os.path.relpath(sys.argv[0], machine.SOURCE), *sys.argv[1:]]), "commit": self.commit, "machine": machine.description()}
        (FOLDER / f"{name}.json").write_text(json.dumps({**head, **facts}, indent=1) + "\n")


def read(name):
    """What is recorded under a name; None when nothing is."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None
