"""Lines of prose have at most 160 characters; tables, code and comments may have more."""
import pathlib
import subprocess
import sys

MOST = 160
source = pathlib.Path(sys.argv[1])
pages = subprocess.run(["git", "ls-files", "*.md"], cwd=source, capture_output=True, text=True)
if pages.returncode:
    print("this is not a checkout of git")
    sys.exit(77)
found = []
for name in pages.stdout.split():
    code = False
    for number, line in enumerate((source / name).read_text().splitlines(), 1):
        code ^= line.startswith("```")
        if len(line) > MOST and not code and not line.startswith(("|", "    ", "<!--")):
            found.append(f"{name}:{number}: {len(line)} characters: wrap it")
print("\n".join(found))
sys.exit(1 if found else 0)
