"""Starts hinge by mpirun on this machine, as tests and benchmarks do: several ranks on few cores, also as root."""
import os
import shutil
import subprocess
import sys

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",  # two ranks alone would each keep to one core, whatever else runs there
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",  # which containers do not allow
    "OMPI_MCA_btl_base_warn_component_unused": "0",
}


def environment():
    return dict(os.environ, **ENVIRONMENT)


def command(ranks, *arguments):
    return ["mpirun", "--oversubscribe", "-n", str(ranks), *arguments]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def require(hinge):
    """Ends the test as skipped where there is no mpirun, or no MPI in this build."""
    if shutil.which("mpirun") is None:
        skip("there is no mpirun: install openmpi-bin")
    done = subprocess.run(command(2, hinge, "--version"), env=environment(), capture_output=True, text=True, timeout=120)
    if "has no MPI" in done.stderr:
        skip("this build of hinge has no MPI: install libopenmpi-dev and configure again")
    if done.returncode != 0:
        skip(f"mpirun does not start two processes here: {done.stderr.strip()[:200]}")
