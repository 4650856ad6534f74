"""Runs our programs, and the peer if there is one, as processes of their own; what the scripts of this folder share."""
import datetime
import json
import os
import shlex
import subprocess
import time
from pathlib import Path

# Both replace OpenBLAS's own choice of kernels, so neither side sees them.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}


def output(command, stdin=None, cwd=None, **variables):
    """What a command prints. SystemExit, with what it says, if it fails."""
    result = subprocess.run([str(part) for part in command], env={**ENVIRONMENT, **variables}, cwd=cwd, input=stdin,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"error: {shlex.join(map(str, command))} ended with {result.returncode}:\n{result.stderr}")
    return result.stdout


def last_json(command, **variables):
    """The JSON object in the last line that a command prints. PEER_T0 tells it when it was started."""
    printed = output(command, PEER_T0=repr(time.time()), **variables)
    try:
        return json.loads(printed.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise SystemExit(f"error: the last line of {' '.join(map(str, command))} is not JSON") from None


def find_bench(build, name="bench"):
    program = Path(build) / name
    if not program.exists():
        raise SystemExit(f"error: there is no {program}; build it with: cmake --build {build} --target {name}")
    return program


def machine():
    """For a table's caption: processor, number of them, date."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), "unknown")
    return f"{model}, {len(os.sched_getaffinity(0))} CPUs, {datetime.date.today().isoformat()}"


def write_whole(path, text):
    """The file appears whole or not at all."""
    beside = Path(f"{path}.writing")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
