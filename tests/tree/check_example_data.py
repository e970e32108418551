"""The generators in examples/data write exactly the files that are committed beside them."""
import pathlib
import subprocess
import sys
import tempfile

data = pathlib.Path(sys.argv[1]) / "examples" / "data"
generators = sorted(data.glob("make_*.py"))
found = not generators
for generator in generators:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, generator, folder], check=True)
        for made in sorted(pathlib.Path(folder).iterdir()):
            committed = data / made.name
            if not committed.is_file() or committed.read_bytes() != made.read_bytes():
                print(f"{committed.name} is not what {generator.name} writes: run it and commit the result")
                found = True
sys.exit(1 if found else 0)
