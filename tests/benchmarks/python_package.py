#!/usr/bin/env python3
"""Compares the speed of the Python package with the programs: a training, and the translation of 500 sentences.

    tests/benchmarks/python_package.py --build build-python --out python.json

The build needs the programs and the package (-DSOFTALIGN_PYTHON=ON). In each round, both translate the same sentences by one
run, and both train the same model, each as a process of its own. A figure is the median of the ratios of the rounds: seconds of
Python per second of the program. The start of Python (interpreter and numpy) is printed apart, and included in the
ratios "with start".
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import runs

PROJECT = Path(__file__).resolve().parents[2]
TRANSLATE = """
import sys, time
start = time.perf_counter()
import softalign
opened = time.perf_counter()
run = softalign.Run(sys.argv[1])
texts = open(sys.argv[2], encoding="utf-8").read().splitlines()
found = [t.text for t in run.translate(texts, threads=int(sys.argv[3]))]
print(opened - start, time.perf_counter() - opened, file=sys.stderr)
print("\\n".join(found))
"""
TRAIN = """
import sys, time
start = time.perf_counter()
import softalign
opened = time.perf_counter()
softalign.train(data=sys.argv[1], out=sys.argv[2], threads=int(sys.argv[3]), epochs=int(sys.argv[4]), force=True)
print(opened - start, time.perf_counter() - opened, file=sys.stderr)
"""


def python(build, code, *arguments):
    """Returns the seconds for the import, the seconds after it, those of the complete process, and the output."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], text=True, check=False, capture_output=True,
                          env={**runs.ENVIRONMENT, "PYTHONPATH": str(build / "python")})
    if done.returncode:
        sys.exit(done.stderr)
    imported, worked = map(float, done.stderr.split()[-2:])
    return imported, worked, time.perf_counter() - start, done.stdout


def program(*command, stdin=None):
    start = time.perf_counter()
    printed = runs.output(command, stdin=stdin)
    return time.perf_counter() - start, printed


def measure(arguments, folder):
    data, build, threads = PROJECT / "data/toy", arguments.build.resolve(), arguments.threads
    lines = (data / "test.tsv").read_text(encoding="utf-8").splitlines() + (data / "valid.tsv").read_text(encoding="utf-8").splitlines()
    texts = "".join(line.split("\t")[0] + "\n" for line in lines[:arguments.sentences])
    (folder / "texts").write_text(texts, encoding="utf-8")
    run = arguments.run
    if run is None:
        run = folder / "run"
        program(build / "train", "--data", data, "--out", run, "--threads", threads, "--epochs", 4)
    sizes = ["--threads", threads, "--epochs", arguments.epochs]

    def ours():
        return (program(build / "translate", "--run", run, "--threads", threads, stdin=texts),
                program(build / "train", "--data", data, "--out", folder / "a", "--force", *sizes))

    def pythons():
        return (python(build, TRANSLATE, run, folder / "texts", threads),
                python(build, TRAIN, data, folder / "b", threads, arguments.epochs))
    ratios, starts = {}, []
    for number in range(arguments.rounds):
        results = {side: side() for side in ((ours, pythons) if number % 2 == 0 else (pythons, ours))}
        if results[pythons][0][3] != results[ours][0][1]:
            sys.exit("error: Python translates differently")
        for name, (seconds, _), (imported, worked, complete, _) in zip(("translate", "train"), results[ours], results[pythons]):
            ratios.setdefault(name, []).append(worked / seconds)
            ratios.setdefault(f"{name}, with start", []).append(complete / seconds)
            starts.append(imported)
    return {name: round(statistics.median(found), 3) for name, found in ratios.items()}, statistics.median(starts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=PROJECT / "build-python")
    parser.add_argument("--run", type=Path, help="run that translates; without it, a model is trained for 4 epochs first")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="JSON file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ratios, start = measure(arguments, Path(folder))
    for name, ratio in ratios.items():
        print(f"{name:24} {ratio}")
    print(f"import softalign         {start:.2f} s")
    if arguments.out:
        runs.write_whole(arguments.out, json.dumps({"machine": runs.machine(), "command": " ".join(sys.argv), "ratios": ratios,
                                                    "seconds to import": round(start, 2)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
