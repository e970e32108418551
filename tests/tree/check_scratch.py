"""Room that loops use again is in the workspace of a worker (hinge/core/workspace.h), where it has a name and an end: no other file has static thread_local objects."""
import pathlib
import sys

source = pathlib.Path(sys.argv[1])
found = []
for folder in ("hinge", "cli"):
    for path in sorted((source / folder).rglob("*")):
        if path.suffix in (".h", ".cpp") and path.name != "workspace.cpp":
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if "static thread_local" in line:
                    found.append(f"{path.relative_to(source)}:{number}: use scratch<Type, struct Name>() of hinge/core/workspace.h")
print("\n".join(found))
sys.exit(1 if found else 0)
