"""Writes a test for the example on top of every public header: python header_examples.py OUT SOURCE HEADER...

The example is the last indented block of the comment that opens the header. It is compiled and run, and where a line `const double best = ...` ends in a
number after `//`, best must be that number.
"""

import re
import sys
from pathlib import Path


def example(header):
    comment = []
    for line in Path(header).read_text().splitlines():
        if not line.startswith("//"):
            break
        comment.append(line[2:])
    block = []
    for line in reversed(comment):
        if not line.startswith("     "):
            break
        block.append(line[5:])
    if not block:
        sys.exit(f"{header} does not open with an example: end its first comment with a few indented lines of code.")
    return list(reversed(block))


def test(source, header):
    lines = example(f"{source}/{header}")
    checks = []
    for line in lines:
        if found := re.search(r"const double best = .*//\s*(-?[\d.]+)", line):
            checks.append(f"EXPECT_DOUBLE_EQ(best, {found[1].rstrip('.')});")
    name = "".join(word.capitalize() for word in re.split(r"[/_]", header.removesuffix(".h").removeprefix("hinge/")))
    body = "\n".join("  " + line for line in lines + checks)
    return f"TEST_F(HeaderExample, {name}) {{\n{body}\n}}\n"


def main():
    out, source, *headers = sys.argv[1:]
    includes = "\n".join(f'#include "{header}"' for header in headers)
    tests = "\n".join(test(source, header) for header in headers)
    Path(out).write_text(f'// Made by tests/docs/header_examples.py.\n#pragma GCC diagnostic ignored "-Wunused-variable"\n#include "tests/docs/header_examples.h"\n\n{includes}\n\n{tests}')


main()
