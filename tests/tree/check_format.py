"""C++ sources are as clang-format-16 would write them."""
import pathlib
import shutil
import subprocess
import sys

if not shutil.which("clang-format-16"):
    print("skipped: clang-format-16 is not installed")
    sys.exit(77)
source = pathlib.Path(sys.argv[1])
folders = ["hinge", "cli", "python", "examples", "bench", "tests", "fuzz"]
files = [p for f in folders for p in sorted((source / f).rglob("*")) if p.suffix in (".h", ".cpp")]
sys.exit(subprocess.run(["clang-format-16", "--dry-run", "--Werror", *files]).returncode)
