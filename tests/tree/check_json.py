"""JSON has one parser, which bounds its depth: parse_json of core/json_text.h. (Tests parse what they wrote themselves.) No header includes the library."""
import pathlib
import re
import sys

PARSER = re.compile(r"[jJ]son::(parse|sax_parse|accept|from_\w+)\b|>>\s*json")

source = pathlib.Path(sys.argv[1])
found = []
for folder in ("hinge", "cli", "fuzz", "bench", "examples"):
    for path in sorted((source / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp") or path.stem.endswith("_test") or path.name == "json_text.cpp":
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if path.suffix == ".h" and folder in ("hinge", "cli") and line.startswith("#include <nlohmann/json.hpp>"):
                found.append(f"{path.relative_to(source)}:{number}: hold a JsonValue of hinge/core/json_value.h, or include json_fwd.hpp")
            if PARSER.search(line):
                found.append(f"{path.relative_to(source)}:{number}: use parse_json of hinge/core/json_text.h")
print("\n".join(found))
sys.exit(1 if found else 0)
