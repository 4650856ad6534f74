"""Runs programs in several processes."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import programs

# The tests may run as root and with fewer cores than ranks. Memory that MPI's libraries do not free is no leak of ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=16"}  # a test measures memory
HAS_MPI = bool(shutil.which("mpirun")) and b"MPI_Init" in (programs.BUILD / "train").read_bytes()


def command(ranks, program, *arguments):
    return ["mpirun", "-n", str(ranks), programs.BUILD / program, *map(str, arguments)]


def run(words, stdin=b""):
    return subprocess.run(words, capture_output=True, timeout=600, check=False, env=ENVIRONMENT, input=stdin)


def together(ranks, program, *arguments, stdin=b""):
    """Returns the finished process. Both outputs are text."""
    result = run(command(ranks, program, *arguments), stdin)
    result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
    return result


def kill_last(job):
    """Kills the last rank of a running job with SIGKILL, and returns what the job had printed when all ranks had ended."""
    ranks = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    os.kill(int(ranks[-1]), signal.SIGKILL)
    return job.communicate(timeout=60)[0]


def by_rank(folder, program, first, others):
    """Returns a script that starts the program with options `first` in rank 0 and with options `others` in the other
    ranks."""
    return scripted(folder, f"exec {programs.BUILD / program} {first}", f"exec {programs.BUILD / program} {others}")


def by_place(folder, program, options, first, others):
    """Returns a script with the same options in all ranks. Rank 0 works in the folder `first`, the others in the folder
    `others`."""
    call = f"exec {programs.BUILD / program} {options}"
    return scripted(folder, f"cd {first}; {call}", f"cd {others}; {call}")


def scripted(folder, first, others):
    script = folder / "by-rank.sh"
    script.write_text(f'#!/bin/sh\nif [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then {first}; fi\n{others}\n')
    script.chmod(0o755)
    return ["mpirun", "-n", "2", script]
