"""A figure that claims a measurement is in bench/results, and every commit named there is in this history.

bench/README.md: tables between `<!-- bench/tables: NAME -->` and `<!-- end -->` are what `bench/tables` writes. Elsewhere a section
says where its figures are from, `<!-- figures: NAME ... -->` (files of bench/results; lines below each other add up),
and each number with a decimal point, and each
`mean ± error`, is looked for there: as it stands or in percent, rounded as it is printed, among the values, the means, standard errors and extremes of
lists, and differences of two lists, paired. A paragraph whose figures are from elsewhere,
with the table that follows it, says so above: `<!-- not in results: why -->`; so does a row that begins with "paper".
README.md and docs/: the same, for numbers with a unit of measurement (%, x, times, seconds, bytes).
"""
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

SOURCE = pathlib.Path(sys.argv[1])
RESULTS = SOURCE / "bench" / "results"
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
PAIR = re.compile(rf"({NUMBER}) ± (\.?{NUMBER})")
DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+(?![\w.]*\d)")
MEASURED = re.compile(rf"(?<![\w.=-])({NUMBER})\s?(?:%|x\b|×|times\b|CPU\b|s\b|seconds\b|ms\b|ns\b|µs\b|MB\b|GB\b)")
NOT_A_FIGURE = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\b\d+(?:\.\d+)?e-?\d+|[=≤<>] ?\.?\d[\d.]*(?:, \d[\d.]*)*")
ELSEWHERE, FROM = re.compile(r"<!-- not in results: .+ -->"), re.compile(r"<!-- figures: (.+) -->")
SHORT = 6  # lists whose elements are shown one by one


class Pool:
    """Every number, and every mean with its standard error, that a results file yields."""

    def __init__(self, names):
        self.numbers, self.pairs = [], []
        for name in names:
            self.lists = []
            self.walk(json.loads((RESULTS / f"{name}.json").read_text()))
            self.differences()

    def walk(self, value, key=None):
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, dict):
            for inner, part in value.items():
                if inner != "machine":
                    self.walk(part, inner)
        elif isinstance(value, list) and (key in ("rows", "tables", "precision", "ndcg") or not value):
            for part in value:
                self.walk(part)
        elif isinstance(value, list):
            self.columns(value, key)
        elif isinstance(value, (int, float)):
            self.numbers.append(value)
        else:
            self.pairs += [(number(a), number(b)) for a, b in PAIR.findall(value)]
            self.numbers += [number(found) for found in re.findall(NUMBER, value)]

    def columns(self, values, key):
        """A list of runs: its columns' means, errors and extremes, and its elements when they are few."""
        runs = values if isinstance(values[0], dict) else [{key: value} for value in values]
        for column in runs[0]:
            numbers = [run.get(column) for run in runs]
            if not all(isinstance(x, (int, float)) for x in numbers):
                continue
            self.summarise(numbers)
            self.numbers += [statistics.mean(numbers), min(numbers), max(numbers), *(numbers if len(numbers) <= SHORT else [])]
            self.lists.append((column, numbers))

    def summarise(self, numbers):
        mean = statistics.mean(numbers)
        if len(numbers) > 1:
            self.pairs.append((mean, statistics.stdev(numbers) / math.sqrt(len(numbers))))

    def differences(self):
        for i, (name, one) in enumerate(self.lists):
            for other_name, other in self.lists[:i]:
                if name == other_name and len(one) == len(other):
                    apart = [a - b for a, b in zip(one, other)]
                    self.summarise(apart)
                    self.numbers += apart if len(apart) <= SHORT else []

    def has(self, text):
        return any(same(known, text, scale) for known in self.numbers for scale in (1, 100))

    def has_pair(self, mean, error):
        return any(same(pair[0], mean, scale) and same(pair[1], error, scale) for pair in self.pairs for scale in (1, 100))


def number(text):
    return float(text.replace(",", ""))


def same(known, text, scale):
    """Rounded as the text is. Signs are in words or as −, and are not compared."""
    digits = len(text.partition(".")[2])
    return abs(abs(scale * known) - number(text)) <= 0.5000001 * 10.0 ** -digits


def paragraphs(text):
    """(first line, lines) of each run of lines without a blank one, without code."""
    block, first, code = [], 0, False
    for at, line in enumerate(text.splitlines() + [""], 1):
        if line.startswith("```"):
            code = not code
        if code or line.startswith(("```", "    ")):
            continue
        if line.strip():
            first = first if block else at
            block.append(line)
        elif block:
            yield first, block
            block = []


def unfounded(name, every_decimal):
    """Lines of a page with a figure that is neither in the results its section names nor marked as from elsewhere."""
    text = re.sub(r"<!-- bench/tables: \S+ -->.*?<!-- end -->", lambda match: "\n" * match[0].count("\n"), (SOURCE / name).read_text(), flags=re.S)
    pool, skip = Pool([]), False
    for first, lines in paragraphs(text):
        if lines[0].startswith("## "):
            pool = Pool([])
        skip, marked = skip and lines[0].startswith("|"), False
        for at, line in enumerate(lines, first):
            if found := FROM.match(line):
                named = (named if at > first and FROM.match(lines[at - first - 1]) else []) + found[1].split()
                pool = Pool(named)
            elif ELSEWHERE.match(line):
                marked = True
            elif not (marked or skip or line.startswith(("#", "| paper"))):
                yield from ((f"{name}:{at}", figure) for figure in figures_missing(line, pool, every_decimal))
        skip = marked and not lines[-1].startswith("|")  # and the table it announces


def figures_missing(line, pool, every_decimal):
    line = NOT_A_FIGURE.sub(" ", line)
    for mean, error in PAIR.findall(line):
        if not pool.has_pair(mean, error if error[0] != "." else "0" + error):
            yield f"{mean} ± {error}"
    line = PAIR.sub(" ", line)
    for text in DECIMAL.findall(line) if every_decimal else MEASURED.findall(line):
        if not pool.has(text):
            yield text


def commits(value):
    """(commit, note) of every "commit" in a results file."""
    if isinstance(value, dict):
        if "commit" in value:
            yield value["commit"], value.get("note")
        for part in value.values():
            yield from commits(part)
    elif isinstance(value, list):
        for part in value:
            yield from commits(part)


def git(*words):
    return subprocess.run(["git", "-C", str(SOURCE), *words], capture_output=True, text=True)


def commit_faults():
    for path in sorted(RESULTS.glob("*.json")):
        named = list(commits(json.loads(path.read_text())))
        if not named:
            yield f"{path.name} names no commit"
        for commit, note in named:
            if commit is None and not note:
                yield f"{path.name} names no commit, and no note says why"
            elif commit is not None and git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
                yield f"{path.name} names {commit}, which is not in this history"


def main():
    faults = [f"{place}: {figure} is not in the results that its section names" for place, figure in unfounded("bench/README.md", True)]
    for page in ["README.md", *sorted(f"docs/{path.name}" for path in (SOURCE / "docs").glob("*.md"))]:
        faults += [f"{place}: {figure} is not in bench/results, and no mark says where it is from" for place, figure in unfounded(page, False)]
    tables = subprocess.run([sys.executable, SOURCE / "bench" / "tables", "--check"], capture_output=True, text=True)
    faults += (tables.stdout + tables.stderr).splitlines() if tables.returncode != 0 else []
    shallow = git("rev-parse", "--is-shallow-repository").stdout.strip()
    if shallow == "false":
        faults += commit_faults()
    if faults:
        print(*faults, sep="\n")
        return 1
    if shallow != "false":
        print("skipped: the commits of results, since the git history is not here")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
