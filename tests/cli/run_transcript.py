"""Runs command-line transcripts: run_transcript.py HINGE EXAMPLES FILE...

A transcript is a list of cases, each in a fresh folder:

    == what the case shows
    -- NAME                a file with the lines that follow; printf escapes (\\r, \\0) are understood, and a last
                           line of "\\c" means: no newline at the end
    $ command              run by sh; `hinge` is the program under test, $EXAMPLES the folder examples/data
    exit N                 expected exit code (0 when not said)
    out LINE               a line of standard output; "..." stands for anything, {LOW..HIGH} for a number between the two. A line that claims
                           a figure gives its bounds: "..." in place of a number is a figure that nobody checks
    err LINE               a line of standard error
    file NAME              that file is there and not empty
    no file NAME           that file is not there

Exit code 2 always means: nothing on standard output, exactly one line on standard error that begins with "hinge: " apart from
notes on the data, and no file that was not there before or is not what it was. No other exit code may leave a .partial file.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


class Case:
    def __init__(self, name, line):
        self.name, self.line, self.steps = name, line, []


def parse(path):
    cases, body = [], None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith("== "):
            cases.append(Case(line[3:], number))
            body = None
        elif line.startswith("-- "):
            body = []
            cases[-1].steps.append(("put", line[3:], body))
        elif line.startswith("$ "):
            cases[-1].steps.append(("run", line[2:], {"exit": 0, "checks": []}))
            body = None
        elif body is not None:
            if line:
                body.append(line)
        elif line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            run = cases[-1].steps[-1][2]
            if word == "exit":
                run["exit"] = int(rest)
            elif word in ("out", "err", "file", "no"):
                run["checks"].append((word, rest))
            else:
                sys.exit(f"{path}:{number}: cannot read '{line}'")
    return cases


def write(folder, name, lines):
    text = "\n".join(lines) + "\n"
    if lines and lines[-1] == "\\c":
        text = "\n".join(lines[:-1])
    (folder / name).write_bytes(text.encode().decode("unicode_escape").encode("latin-1"))


BOUNDS = re.compile(r"\{(-?[\d.e+-]*\d)\.\.(-?[\d.e+-]*\d)\}")
NUMBER = r"(?<![\d.])(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"  # a whole one, also behind "..."


def matches(pattern, text):
    bounds = [(float(low), float(high)) for low, high in BOUNDS.findall(pattern)]
    pieces = re.split(r"(\.\.\.|\{[^{}]*\d\.\.[^{}]*\d\})", pattern)
    expression = "".join(".*" if p == "..." else NUMBER if BOUNDS.fullmatch(p) else re.escape(p) for p in pieces)
    for line in text.split("\n"):
        found = re.fullmatch(expression, line)
        if found and all(low <= float(n) <= high for n, (low, high) in zip(found.groups(), bounds)):
            return True
    return False


def snapshot(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def run_case(case, hinge, examples):
    problems = []
    with tempfile.TemporaryDirectory(prefix="hinge-cli-") as name:
        folder = pathlib.Path(name)
        environment = dict(os.environ, EXAMPLES=str(examples), PATH=f"{hinge.parent}:{os.environ['PATH']}")
        for kind, what, detail in case.steps:
            if kind == "put":
                write(folder, what, detail)
                continue
            before = snapshot(folder)
            done = subprocess.run(["sh", "-c", what], cwd=folder, env=environment, capture_output=True, timeout=300)
            out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
            after = snapshot(folder)

            def problem(text):
                problems.append(f"{text}\n    $ {what}\n    exit {done.returncode}\n    out: {out}\n    err: {err}")

            if done.returncode != detail["exit"]:
                problem(f"expected exit code {detail['exit']}")
            if detail["exit"] == 2:
                told = [line for line in err.split("\n") if line.startswith("hinge: ")]
                if len(told) != 1 or not told[0].endswith("."):
                    problem("expected one sentence")
                if out:
                    problem("expected nothing on standard output")
                if after != before:
                    problem(f"expected no change of files, found {sorted(after)}")
            if any(left.endswith(".partial") for left in after):
                problem("a temporary file was left")
            for word, text in detail["checks"]:
                if word == "out" and not matches(text, out) or word == "err" and not matches(text, err):
                    problem(f"expected on {word}: {text}")
                if word == "file" and not after.get(text):
                    problem(f"expected the file {text}")
                if word == "no" and text.removeprefix("file ") in after:
                    problem(f"did not expect the {text}")
    return problems


def main():
    hinge, examples = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failed = count = 0
    for path in map(pathlib.Path, sys.argv[3:]):
        for case in parse(path):
            count += 1
            for problem in run_case(case, hinge, examples):
                failed += 1
                print(f"{path.name}:{case.line}: {case.name}: {problem}\n")
    print(f"{count} cases, {failed} problems")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
