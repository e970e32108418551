"""Says how many tests were skipped and why: skipped.py JUNIT.xml, as `ctest --output-junit` writes it.

A test that skips says why in its output: "skipped: no data" (googletest), "skipped 'no terminal'" (a case of unittest), or ends with
exit code 77 and its last line.
"""
import collections
import re
import sys
import xml.etree.ElementTree as tree

REASON = re.compile(r"^skipped: (.+)$", re.M)
CASE = re.compile(r"\.\.\. skipped '(.+)'$", re.M)


def reasons(case):
    """Why this test, or cases within it, did not run; empty where all did."""
    output = case.findtext("system-out") or ""
    if case.find("skipped") is not None:
        last = output.strip().split("\n")[-1]
        return [REASON.search(output)[1] if REASON.search(output) else last or "no reason given"]
    return CASE.findall(output)


def main():
    cases = list(tree.parse(sys.argv[1]).getroot().iter("testcase"))
    skipped = collections.Counter(reason for case in cases for reason in reasons(case))
    if not skipped:
        print(f"Skipped: none of {len(cases)} tests.")
        return
    why = ", ".join(f"{count} {reason}" for reason, count in skipped.most_common())
    print(f"Skipped: {sum(skipped.values())} of {len(cases)} tests ({why}).")


if __name__ == "__main__":
    main()
