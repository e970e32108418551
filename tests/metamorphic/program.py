"""Runs the hinge program in a folder of its own, and remembers how, so that a failure can be repeated by hand.

What holds of every run is checked at every run: the exit code is 0, or 2 with one sentence and no file.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "ranks"))
import mpi  # noqa: E402

SECONDS = 120  # a run on a dozen examples that takes longer hangs


class Broken(AssertionError):
    """A law that does not hold. The message ends with what repeats it."""


class Run:
    """What a run left: its exit code and what it wrote."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def ok(self):
        return self.code == 0


class Program:
    """One folder of files, and the commands that ran there."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hinge-law-"))
        self.commands = []
        self.given = set()  # files that we wrote
        self.served = False  # whether some run was

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        self.given.add(name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def derive(self, name, content, command):
        """Writes a file that a command makes of others."""
        (self.folder / name).write_bytes(content)
        self.commands.append(command)

    def read(self, name):
        return (self.folder / name).read_text(errors="replace")

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def has(self, name):
        return (self.folder / name).exists()

    def run(self, *arguments, stdin=None, makes=(), ranks=0):
        """Runs the program, by mpirun where there are ranks; `makes` are the files that it leaves if and only if it exits 0."""
        arguments = [str(a) for a in arguments]
        line = mpi.command(ranks, self.binary, *arguments) if ranks else [self.binary, *arguments]
        shown = [*line[: line.index(self.binary)], "hinge", *map(quoted, arguments)]
        self.commands.append(" ".join(shown) + (f" < {stdin}" if stdin else ""))
        try:
            with open(self.folder / stdin if stdin else os.devnull, "rb") as file:
                done = subprocess.run(line, cwd=self.folder, stdin=file, capture_output=True, timeout=SECONDS, check=False,
                                      env=mpi.environment() if ranks else None)
        except subprocess.TimeoutExpired:
            self.fail(f"takes longer than {SECONDS} seconds")
        run = Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        self.check(run, makes, "--quiet" in arguments and not ranks)  # mpirun adds words of its own
        self.served |= run.ok
        return run

    def check(self, run, makes, quiet):
        if run.code not in (0, 2):
            self.fail(f"ends with code {run.code}:\n{run.err}")
        if run.code == 2:
            lines = [line for line in run.err.splitlines() if line.startswith("hinge: ") or quiet]  # else notes come before
            if len(lines) != 1 or not lines[0].startswith("hinge: ") or not lines[0].endswith((".", ".)", "?")):
                self.fail(f"refuses, but not in one sentence:\n{run.err}")
        for name in makes:
            if run.ok and not self.has(name):
                self.fail(f"exits 0 without the file {name}")
            if not run.ok and self.has(name):
                self.fail(f"exits 2 and leaves the file {name}:\n{run.err}")
        if list(self.folder.glob("*.part*")) or list(self.folder.glob("*.tmp*")):
            self.fail("leaves a temporary file behind")

    def json(self, name):
        try:
            return json.loads(self.read(name))
        except json.JSONDecodeError as trouble:
            return self.fail(f"{name} is no JSON: {trouble}")

    def weights(self, model):
        """The weights of a model that are not 0, by the names of their features."""
        run = self.run("inspect", model, "--json", "--top", "1000000000")
        if not run.ok:
            self.fail(f"the model cannot be inspected:\n{run.err}")
        shown = json.loads(run.out)
        named = {}
        for entry in shown["positive"] + shown["negative"]:
            if entry["feature"] in named:
                self.fail(f"two weights are called '{entry['feature']}'")
            named[entry["feature"]] = entry["weight"]
        return named

    def fail(self, message):
        raise Broken(f"{message}\n\nTo repeat it:\n{self.script()}")

    def script(self):
        """Shell commands that make the files and run the program again."""
        parts = []
        for path in sorted(self.folder.iterdir()):
            content = path.read_bytes()
            if path.name not in self.given:
                continue  # written by the program
            try:
                text = content.decode()
            except UnicodeDecodeError:
                text = "\0"
            if not all(c.isprintable() or c in "\n\t" for c in text):
                parts.append(f"echo {base64.b64encode(content).decode()} | base64 -d > {path.name}")
                continue
            parts.append(f"cat > {path.name} <<'END'\n{text}{'' if text.endswith(chr(10)) else chr(10)}END")
        return "\n".join(parts + self.commands)


def quoted(text):
    return text if text and all(c.isalnum() or c in "-_./:=,+" for c in text) else "'" + text.replace("'", "'\\''") + "'"
