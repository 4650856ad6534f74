#!/usr/bin/env python3
"""Measures how long a line waits for its translation when a program behind a pipe writes one line and waits for the answer.

    tests/benchmarks/latency.py --run runs/toy < data/lines.txt
    tests/benchmarks/latency.py --run runs/toy --rounds 20 --beam 5 --int8 < lines.txt       # other options go to translate

It prints the time from the start to the first answer, and the median, 99th percentile and maximum over all later lines.
"""
import argparse
import subprocess
import sys
import time
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=Path, help="folder of translate")
    parser.add_argument("--rounds", default=5, type=int, help="each line so often")
    arguments, options = parser.parse_known_args()
    lines = [line if line.endswith("\n") else line + "\n" for line in sys.stdin]
    waits = []
    begun = time.perf_counter()
    with subprocess.Popen([arguments.build / "translate", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, bufsize=1) as process:
        for line in lines * arguments.rounds:
            if waits:
                begun = time.perf_counter()
            process.stdin.write(line)
            if not process.stdout.readline():
                sys.exit("translate ended early; see what it says of this run and these lines")
            waits.append(1000 * (time.perf_counter() - begun))
        process.stdin.close()
    first, *later = waits
    later.sort()
    print(f"{len(later)} lines: median {later[len(later) // 2]:.2f} ms, 99th percentile "
          f"{later[len(later) * 99 // 100]:.2f} ms, most {later[-1]:.2f} ms; first answer {first:.0f} ms after the start")


if __name__ == "__main__":
    main()
