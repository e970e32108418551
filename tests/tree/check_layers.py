"""Layers include only themselves and earlier ones (tests and benchmarks, which link everything, may look anywhere)."""
import pathlib
import re
import sys

# "" is the front door: the headers that stand in hinge/ itself.
LAYERS = ["core", "inference", "oracle", "tasks", "rules", "learning", "solvers", "training", "parallel", "model", "watch", "report", ""]
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]*)"')


def offences(source):
    for path in sorted((source / "hinge").rglob("*")):
        if path.suffix not in (".h", ".cpp") or path.stem.endswith(("_test", "_bench")):
            continue
        layer = path.relative_to(source / "hinge").parent.parts[0] if path.parent != source / "hinge" else ""
        if layer not in LAYERS:
            yield f"{path.relative_to(source)}: '{layer}' is no layer: add it to DESIGN's list and to this test"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            included = INCLUDE.match(line)
            if not included:
                continue
            parts = included[1].split("/")
            where = f"{path.relative_to(source)}:{number}"
            if parts[0] != "hinge" or len(parts) < 2:
                yield f'{where}: "{included[1]}" must be named from the root, as "hinge/layer/file.h"'
                continue
            included_layer = parts[1] if len(parts) > 2 else ""
            if included_layer not in LAYERS:
                yield f"{where}: '{included_layer}' is no layer"
            elif LAYERS.index(included_layer) > LAYERS.index(layer):
                yield f"{where}: {layer} must not include {included[1]}, which comes later"


found = list(offences(pathlib.Path(sys.argv[1])))
print("\n".join(found))
sys.exit(1 if found else 0)
