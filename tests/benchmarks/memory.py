#!/usr/bin/env python3
"""Checks that the memory of a long training does not grow: trains, and measures the program's resident memory every minute.

    tests/benchmarks/memory.py                                          # an hour on data/toy
    tests/benchmarks/memory.py --minutes 10 --every 10 -- --hidden 64   # options behind -- go to train

Memory may grow until the end of the second epoch, because each epoch has other batches and the pool keeps memory of the first.
After that it may grow by at most --share, which the 50 MB of a small model need to settle. If it grows by more, the script
ends with 1.
"""
import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def resident(process):
    """Returns the resident memory in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) / 1000


def watch(process, run, minutes, every):
    """Returns the memory at the end of the second epoch, and the largest memory after that."""
    first, most, start = 0, 0, time.monotonic()
    while time.monotonic() - start < 60 * minutes:
        time.sleep(every)
        if process.poll() is not None:
            sys.exit(f"train ended with {process.returncode} before its time")
        metrics = run / "metrics.jsonl"
        epochs = metrics.read_bytes().count(b"\n") if metrics.exists() else 0
        now = resident(process)
        print(f"{(time.monotonic() - start) / 60:6.1f} minutes, {epochs:4} epochs: {now:7.1f} MB", flush=True)
        if epochs >= 2:
            first = first or now
            most = max(most, now)
    return first, most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=PROJECT / "build", help="folder of train")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=60, help="seconds from one look to the next")
    parser.add_argument("--share", type=float, default=.05, help="that memory may grow by")
    parser.add_argument("train", nargs="*", help="options of train")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.build / "train", "--data", PROJECT / "data/toy", "--out", Path(folder) / "run",
                   "--epochs", "1000000", "--color", "never", *arguments.train]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                first, most = watch(process, Path(folder) / "run", arguments.minutes, arguments.every)
            finally:
                process.terminate()
    if not first:
        sys.exit("two epochs take longer than that: give more --minutes, or train a smaller model")
    grown = most / first - 1
    print(f"{first:.1f} MB after two epochs, at most {most:.1f} MB later: grown by {grown:.1%}, allowed are {arguments.share:.1%}")
    sys.exit(grown > arguments.share)


if __name__ == "__main__":
    main()
