"""Ranks on separate hosts, over TCP: hosts_test.py HINGE EXAMPLES

The hosts are network namespaces of this machine on a bridge of their own; nothing outside is touched. Where namespaces cannot be made
(not root, a container without the right), the test is skipped.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import mpi  # noqa: E402
from model_file import read_model  # noqa: E402

HOSTS = 2
CASES = (  # sums of all weights, planes of batches, moves of examples that one host alone has
    "sequence recipes.train --method crf --solver lbfgs", "sequence recipes.train --solver frank_wolfe --batch 16 --gap 0.05",
    "parse garden.train --method crf --solver soft_dual --batch 8 --gap 0.05 --shards 16 --share-data")
TAG = f"hg{os.getpid() % 10000}"  # of names, so that two tests at once do not meet
NETWORK = f"10.{64 + os.getpid() % 64}.{os.getpid() // 64 % 250}"


def run(line):
    return subprocess.run(line.split(), capture_output=True, text=True)


def make_hosts():
    """Returns what went wrong."""
    lines = [f"ip link add {TAG}b type bridge", f"ip addr add {NETWORK}.254/24 dev {TAG}b", f"ip link set {TAG}b up"]
    for host in range(1, HOSTS + 1):
        lines += [f"ip netns add {TAG}n{host}", f"ip link add {TAG}v{host} type veth peer name eth0 netns {TAG}n{host}",
                  f"ip link set {TAG}v{host} master {TAG}b up", f"ip -n {TAG}n{host} addr add {NETWORK}.{host}/24 dev eth0",
                  f"ip -n {TAG}n{host} link set eth0 up", f"ip -n {TAG}n{host} link set lo up"]
    for line in lines:
        if (done := run(line)).returncode != 0:
            return f"`{line}`: {done.stderr.strip()}"
    return ""


def remove_hosts():
    for host in range(1, HOSTS + 1):
        run(f"ip netns del {TAG}n{host}")
    run(f"ip link del {TAG}b")


def compare(hinge, folder, tcp, what):
    learn = [hinge, "train", *what, "--quiet", "--model"]
    subprocess.run([*learn, "one"], cwd=folder, check=True)
    done = subprocess.run(mpi.command(HOSTS, *tcp, *learn, "several"), cwd=folder, env=mpi.environment(), capture_output=True, text=True, timeout=240)
    if done.returncode != 0:
        sys.exit(f"{' '.join(what)}: exit code {done.returncode}: {done.stderr[-2000:]}")
    one, several = (read_model(folder / name)[1]["weights"].tobytes() for name in ("one", "several"))
    if one != several:
        sys.exit(f"{' '.join(what)}: other weights on two hosts than on one")


def main():
    hinge, examples = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    mpi.require(hinge)
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        mpi.skip("there is no `ip` or `unshare` to make hosts with")
    try:
        if problem := make_hosts():
            mpi.skip(f"hosts cannot be made here: {problem}")
        with tempfile.TemporaryDirectory(prefix="hinge-hosts-") as name:
            folder = pathlib.Path(name)
            for data in "recipes.train", "garden.train":
                shutil.copy(examples / data, folder)
            agent = folder / "agent"  # in place of ssh: a host, then a command
            agent.write_text(f'#!/bin/bash\nhost=${{1##*.}}; shift\nexec ip netns exec {TAG}n$host unshare --uts bash -c "hostname {TAG}n$host; $*"\n')
            agent.chmod(0o755)
            tcp = ["--mca", "plm_rsh_agent", str(agent), "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24",
                   "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24", "--mca", "plm_rsh_no_tree_spawn", "1",
                   "--host", ",".join(f"{NETWORK}.{host}" for host in range(1, HOSTS + 1))]
            for what in CASES:
                compare(hinge, folder, tcp, what.split())
    finally:
        remove_hosts()
    print(f"{HOSTS} hosts over TCP have the bits of one process")


if __name__ == "__main__":
    main()
