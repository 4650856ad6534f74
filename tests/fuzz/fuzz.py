#!/usr/bin/env python3
"""Runs libFuzzer on every reader of files, under the address and undefined-behaviour sanitizers.

    cmake --preset fuzz && cmake --build build-fuzz --target fuzz      # needs clang and libomp-dev
    tests/fuzz/fuzz.py --seconds 600                                   # each reader
    tests/fuzz/fuzz.py --only grammar

Inputs that reach new code are kept in build-fuzz/corpus/READER, and are the seeds of the next run. A file that makes a reader
fail, take ten seconds or take 2 GB is kept as build-fuzz/READER-..., and the script ends with 1.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build-fuzz"
# problem_of (tests/apps/fuzz/problem.h) counts ten CPU seconds, but libFuzzer's timeout counts wall-clock seconds.
LIMITS = ["-timeout=200", "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-max_len=65536"]


def last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(reader, seconds):
    """Returns whether the reader passed. Prints executions, edges reached, inputs kept, and the peak memory in MB."""
    name = re.sub(r"\W+", "-", reader)
    corpus = BUILD / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [BUILD / "tests" / "fuzz", corpus, f"-max_total_time={seconds}", "-print_final_stats=1",
               f"-artifact_prefix={BUILD}/{name}-", *LIMITS]
    done = subprocess.run(command, env={**os.environ, "FUZZ_READER": reader, "FUZZ_SEEDS": str(corpus)}, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    says = done.stderr.decode(errors="replace")
    figures = (last(r"number_of_executed_units: (\d+)", says), last(r" cov: (\d+)", says), len(list(corpus.iterdir())),
               last(r"peak_rss_mb: +(\d+)", says))
    print(f"{reader:28}" + "".join(f"{figure:10}" for figure in figures), flush=True)
    if done.returncode != 0:
        print(says[-3000:], file=sys.stderr)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20, help="so long for each reader")
    parser.add_argument("--only", default="", help="readers whose name has this in it")
    arguments = parser.parse_args()
    names = subprocess.check_output([BUILD / "tests" / "fuzz"], text=True).splitlines()
    print(f"{'':28}" + "".join(f"{word:>10}" for word in ("executed", "edges", "kept", "MB")))
    held = [fuzz(name, arguments.seconds) for name in names if arguments.only in name]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
