"""Programs in several processes."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import programs

# As root, on fewer cores than ranks; what MPI's own libraries leave behind is no leak of ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=16"}  # a test measures memory
HAS_MPI = bool(shutil.which("mpirun")) and b"MPI_Init" in (programs.BUILD / "train").read_bytes()


def command(ranks, program, *arguments):
    return ["mpirun", "-n", str(ranks), programs.BUILD / program, *map(str, arguments)]


def run(words, stdin=b""):
    return subprocess.run(words, capture_output=True, timeout=600, check=False, env=ENVIRONMENT, input=stdin)


def together(ranks, program, *arguments, stdin=b""):
    """The finished process; both outputs are text."""
    result = run(command(ranks, program, *arguments), stdin)
    result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
    return result


def kill_last(job):
    """Ends the last rank of a job under way with signal 9, and gives what was printed to the end of all."""
    ranks = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    os.kill(int(ranks[-1]), signal.SIGKILL)
    return job.communicate(timeout=60)[0]


def by_rank(folder, program, first, others):
    """A script that starts the program with other options in the first rank than in the others."""
    return scripted(folder, f"exec {programs.BUILD / program} {first}", f"exec {programs.BUILD / program} {others}")


def by_place(folder, program, options, first, others):
    """The same options in all, but the first rank works in another folder than the others."""
    call = f"exec {programs.BUILD / program} {options}"
    return scripted(folder, f"cd {first}; {call}", f"cd {others}; {call}")


def scripted(folder, first, others):
    script = folder / "by-rank.sh"
    script.write_text(f'#!/bin/sh\nif [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then {first}; fi\n{others}\n')
    script.chmod(0o755)
    return ["mpirun", "-n", "2", script]
