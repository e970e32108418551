"""No committed file names a place that only one machine has."""
import pathlib
import re
import subprocess
import sys

MACHINE_PATH = re.compile(rb"(?<![\w.~-])/(?:work|root|home/\w+|Users/\w+|tmp/hinge)(?![\w-])")

source = pathlib.Path(sys.argv[1])
try:
    listing = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, check=True).stdout
except (OSError, subprocess.CalledProcessError):
    print("skipped: not a git working tree")
    sys.exit(77)

found = False
for name in filter(None, listing.decode().split("\0")):
    if not (source / name).is_file():
        continue
    for number, line in enumerate((source / name).read_bytes().splitlines(), 1):
        if match := MACHINE_PATH.search(line):
            print(f"{name}:{number}: names {match[0].decode()}")
            found = True
sys.exit(1 if found else 0)
