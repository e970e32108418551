"""What is wrong with a task is one error that names the member: contract_test.py COMPILER SOURCE [FLAG...]

Each case takes one member from a sound task, makes it not const, or gives it other parameters.
"""
import pathlib
import subprocess
import sys
import tempfile

COMPILER, SOURCE, FLAGS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]

COMMON = {
    "dimension": "hinge::Index dimension() const { return 1; }",
    "loss": "double loss(const Label& y, const Structure& s) const { return y != s; }",
    "determined": "bool determined(const Label&) const { return true; }",
    "structure": "Structure structure(const Label& y) const { return y; }",
}
PLAIN = {
    **COMMON,
    "features": "void features(const Input&, const Structure&, hinge::SparseSink&) const {}",
    "predict": "Structure predict(const Input&, hinge::Weights) const { return 0; }",
    "most_violating": "Structure most_violating(const Input&, const Label&, hinge::Weights) const { return 0; }",
}
FACTORED = {
    **COMMON,
    "score": "void score(const Input&, hinge::Weights, hinge::Choice::Scores&) const {}",
    "add_loss": "void add_loss(const Label&, double, hinge::Choice::Scores&) const {}",
    "forbid": "void forbid(const Label&, hinge::Choice::Scores&) const {}",
    "features": "template <class Sink> void features(const Input&, const hinge::Choice::Counts&, Sink&) const {}",
}
TYPES = "using Input = int; using Label = hinge::Index; using Structure = hinge::Index;"


def program(members, engine, use):
    return f"""#include "hinge/{'learn' if use == 'learn' else 'oracle/task_contract'}.h"
#include "hinge/inference/choice.h"
struct Task {{ {TYPES} {"using Engine = hinge::Choice;" if engine else ""} {" ".join(members.values())} }};
void use() {{ {"hinge::learn(Task{}, std::vector<hinge::Example<Task>>{}, {})" if use == "learn" else "hinge::require_task<Task>()"}; }}
"""


def cases():
    for engine, members in ((False, PLAIN), (True, FACTORED)):
        for name, text in members.items():
            yield name, engine, {key: value for key, value in members.items() if key != name}, "contract"
        for name in ("loss", "features"):
            yield name, engine, {**members, name: members[name].replace(" const {", " {")}, "contract"
        yield "loss", engine, {**members, "loss": "double loss(const char*, const Structure&) const { return 0; }"}, "contract"
    for name in ("most_violating", "loss"):
        yield name, False, {key: value for key, value in PLAIN.items() if key != name}, "learn"


def compile_text(text, folder):
    file = folder / "task.cpp"
    file.write_text(text)
    done = subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", f"-I{SOURCE}", *FLAGS, str(file)], capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if "error:" in line]


problems, count = [], 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for engine, members in ((False, PLAIN), (True, FACTORED)):
        problems += [f"a sound task: {line}" for line in compile_text(program(members, engine, "learn"), folder)]
    for member, engine, members, use in cases():
        count += 1
        errors = compile_text(program(members, engine, use), folder)
        if len(errors) != 1 or f" {member}(" not in errors[0]:
            problems.append(f"{'parts' if engine else 'plain'}, {member}, {use}: {len(errors)} errors\n  " + "\n  ".join(errors[:5]))
print("\n".join(problems) or f"{count} broken tasks, each refused in one line")
sys.exit(1 if problems else 0)
