#!/usr/bin/env python3
"""Runs the Slurm script of docs/several-machines.md on two hosts of this machine, and prints the log of the job.

    SOFTALIGN_BUILD=build tests/network/slurm.py > slurm.log        # root; needs slurm-wlm, munge and control groups v1

Each host (hosts.py) runs one slurmd, and host a also runs slurmctld. The script gets two nodes instead of four, one processor
per task, the toy corpus and four epochs. The build must not be in /tmp. docs/measured/slurm.log is the output of 2026-11-29,
with shorter paths and without the last lines.
"""
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))
import hosts  # noqa: E402

CONTROLLERS = "freezer cpuset cpuacct memory cpu devices"  # of control groups, which slurmd wants to see
CONFIGURATION = """ClusterName=two
SlurmctldHost=host-a({net}.1)
SlurmUser=root
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=host-a NodeAddr={net}.1 CPUs={cpus}
NodeName=host-b NodeAddr={net}.2 CPUs={cpus}
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def job(folder):
    """Returns the script of the page, for two hosts, the toy corpus and a short training."""
    page = (PROJECT / "docs/several-machines.md").read_text(encoding="utf-8")
    script = re.search(r"#!/bin/bash\n#SBATCH.*?(?=```)", page, re.S)[0]
    for old, new in (("--nodes=4", "--nodes=2"), ("--cpus-per-task=16", "--cpus-per-task=1"), ("my/corpus", "data/toy"),
                     ("build/train", str(Path(os.environ["SOFTALIGN_BUILD"]).resolve() / "train") + " --epochs 4"),
                     ("runs/mine", str(folder / "run"))):
        if old not in script:
            sys.exit(f"docs/several-machines.md: the Slurm script has no {old}")
        script = script.replace(old, new)
    return script


def run(folder):
    for name in ("state", "spool-host-a", "spool-host-b", "tmp-a", "tmp-b"):
        (folder / name).mkdir()
    (folder / "slurm.conf").write_text(CONFIGURATION.format(net=hosts.NET, folder=folder, cpus=os.cpu_count()))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
    (folder / "job.sh").write_text(job(folder))
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o400)
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    daemons = []
    start = lambda *words: daemons.append(subprocess.Popen([*map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))  # noqa: E731
    start("munged", "--foreground", "--force", "--key-file", folder / "munge.key", "--socket", folder / "munge.socket",
          "--pid-file", folder / "munge.pid", "--log-file", folder / "munge.log", "--seed-file", folder / "munge.seed")
    time.sleep(1)
    try:
        with hosts.Hosts() as network:
            start(*network.on("a", "slurmctld", "-D"))
            time.sleep(3)
            for host in "ab":
                # Two hosts share the files of one machine. But Slurm's PMIx needs a /tmp of its own on each host.
                start(*network.on(host, "sh", "-c", f"mount --bind {folder}/tmp-{host} /tmp && mount -t tmpfs none /sys/fs/cgroup && "
                                  f"for c in {CONTROLLERS}; do mkdir /sys/fs/cgroup/$c; mount -t cgroup -o $c none /sys/fs/cgroup/$c; done; "
                                  f"exec slurmd -D -N host-{host}"))
            time.sleep(5)
            for command in (["sinfo", "-N"], ["sbatch", "--wait", "-o", folder / "job.log", folder / "job.sh"], ["cat", folder / "job.log"],
                            ["scontrol", "show", "job", "1"]):
                print("$", *(Path(word).name for word in map(str, command)), flush=True)
                if subprocess.run(network.on("a", *command), cwd=PROJECT, check=False).returncode:
                    sys.exit(f"{command[0]} failed; the logs are in {folder}")
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()  # until then, it may remove its own files


if __name__ == "__main__":
    if hosts.missing():
        sys.exit(hosts.missing())
    work = Path(f"/var/tmp/softalign-slurm-{os.getpid()}")
    work.mkdir()
    run(work)
    shutil.rmtree(work)
