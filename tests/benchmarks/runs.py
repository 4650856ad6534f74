"""The scripts of this folder share these functions, which run our programs and the baseline as separate processes."""
import datetime
import json
import os
import shlex
import subprocess
import time
from pathlib import Path

# Both variables replace OpenBLAS's own choice of kernels, so they are removed for both sides.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}


def output(command, stdin=None, cwd=None, **variables):
    """Returns the output of a command. Raises SystemExit with its messages if it fails."""
    result = subprocess.run([str(part) for part in command], env={**ENVIRONMENT, **variables}, cwd=cwd, input=stdin,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"error: {shlex.join(map(str, command))} ended with {result.returncode}:\n{result.stderr}")
    return result.stdout


def last_json(command, **variables):
    """Returns the JSON object in the last line of the output. The variable PEER_T0 gives the command its start time."""
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
    """Returns the caption of a table: processor, number of CPUs, date."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), "unknown")
    return f"{model}, {len(os.sched_getaffinity(0))} CPUs, {datetime.date.today().isoformat()}"


def write_whole(path, text):
    """Writes a file so that it exists completely or not at all."""
    beside = Path(f"{path}.writing")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
