"""Runs every command of the manual: run_docs.py HINGE EXAMPLES PAGE...

Each page is run from top to bottom in one fresh folder that holds the files of examples/data: its ```sh blocks by `sh -e`, with
`hinge` on the PATH, where mpirun may make more processes than there are cores; a page that needs it is skipped where there is none. A block behind a line "<!-- output of: COMMAND -->" must be exactly what that command prints;
HINGE_UPDATE_DOCS=1 writes it there instead.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "ranks"))
import mpi  # noqa: E402

SHELL = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
OUTPUT = re.compile(r"^<!-- output of: (.*?) -->\n```text\n(.*?)^```$", re.S | re.M)


def run_page(page, hinge, examples):
    text = page.read_text()
    problems = []
    if "mpirun -n" in text:
        mpi.require(str(hinge))
    with tempfile.TemporaryDirectory(prefix="hinge-docs-") as name:
        for file in examples.iterdir():
            if file.is_file():
                shutil.copy(file, name)
        environment = dict(mpi.environment(), OMPI_MCA_rmaps_base_oversubscribe="1", PATH=f"{hinge.parent}:{os.environ['PATH']}")

        def shell(command):
            return subprocess.run(["sh", "-e", "-c", command], cwd=name, env=environment, text=True, timeout=300,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        for block in SHELL.findall(text):
            done = shell(block)
            if done.returncode != 0:
                problems.append(f"{page.name}: exit code {done.returncode} from\n{block}\n{done.stdout}")

        def refresh(match):
            output = shell(match[1]).stdout
            if output != match[2]:
                problems.append(f"{page.name}: `{match[1]}` prints something else now; run again with HINGE_UPDATE_DOCS=1")
            return f"<!-- output of: {match[1]} -->\n```text\n{output}```"

        updated = OUTPUT.sub(refresh, text)
        if os.environ.get("HINGE_UPDATE_DOCS") and updated != text:
            page.write_text(updated)
    return problems


def main():
    hinge, examples = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    problems = [p for page in sys.argv[3:] for p in run_page(pathlib.Path(page), hinge, examples)]
    print("\n\n".join(problems) or f"{len(sys.argv) - 3} pages run")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
