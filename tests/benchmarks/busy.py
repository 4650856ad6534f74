#!/usr/bin/env python3
"""Measures training while other programs use the cores: words/s with all threads and with one, as a table in Markdown.

    tests/benchmarks/busy.py --out table.md
    PEER=path/to/run.sh tests/benchmarks/busy.py --beside 0 2 --rounds 3

--beside gives numbers of competing processes. The script starts processes that only count, and ends them itself. Meanwhile
`bench` trains a TOY model with --threads 2 and with --threads 1 in turns, and so does the baseline, called as in compare.py.
A ratio compares two measurements that follow each other, and its spread is over the rounds. Rates are means over all steps
of a measurement, because a median would hide the steps that other programs delay.
"""
import argparse
import contextlib
import os
import statistics
import subprocess
import sys
from collections import defaultdict

import compare
import runs

RUN = compare.RUNS["train-toy"]
AIM = 0.95  # target for all threads / one thread, with any number of competitors


@contextlib.contextmanager
def competitors(count):
    """Runs `count` processes of the same niceness that never wait."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield started
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def commands(arguments, bench, peer):
    """Returns {(side, threads): command}."""
    settings = {}
    for threads in (arguments.threads, 1):
        settings["ours", threads] = [bench, *RUN.ours, "--threads", threads, "--seconds", arguments.seconds]
        if peer:
            settings["peer", threads] = [peer, threads, *RUN.peer, "--secs", arguments.seconds]
    return settings


def measure(count, arguments, settings):
    """Returns {(side, threads): words/s of each round}."""
    rates = defaultdict(list)
    with competitors(count):
        for number in range(arguments.rounds):
            print(f"beside {count}: round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
            for key, command in settings.items():
                rates[key].append(runs.last_json(command)["train_tok_s_mean"])
    return rates


def ratios(over, under):
    return compare.spread([a / b for a, b in zip(over, under)], lambda x: f"{x:.2f}x")


def row(count, rates, threads):
    """Returns a row of the table: words/s of each setting, the ratio of all threads to one, and the ratio of our better
    setting to the baseline's better setting."""
    middle = {key: statistics.median(values) for key, values in rates.items()}
    ours, alone = rates["ours", threads], rates["ours", 1]
    met = "" if statistics.median(a / b for a, b in zip(ours, alone)) >= AIM else ", missed"
    cells = [str(count), compare.number(middle["ours", threads]), compare.number(middle["ours", 1]),
             ratios(ours, alone) + met]
    if ("peer", 1) in rates:
        best = max(rates["peer", threads], rates["peer", 1], key=statistics.median)
        cells += [compare.number(middle["peer", threads]), compare.number(middle["peer", 1]), ratios(ours, best)]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of bench")
    parser.add_argument("--beside", type=int, nargs="+", default=[0, 1, 2, 4], help="so many busy processes")
    parser.add_argument("--threads", type=int, default=2, help="all threads, beside one")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="measure each at least so long")
    parser.add_argument("--out", help="write the table here instead of to the screen")
    arguments = parser.parse_args()
    if arguments.threads < 2 or arguments.rounds < 1 or min(arguments.beside) < 0:
        parser.error("--threads: at least 2, --rounds: at least 1, --beside: at least 0 expected")
    bench, peer, load = runs.find_bench(arguments.build), os.environ.get("PEER"), os.getloadavg()[0]
    settings, many = commands(arguments, bench, peer), f"{arguments.threads} threads"
    header = ["busy processes beside it", many, "1 thread", f"{many} / 1 (spread), >= {AIM}x"]
    if peer:
        header += [f"peer, {many}", "peer, 1 thread", f"ours, {many} / peer's better (spread)"]
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    lines += [row(count, measure(count, arguments, settings), arguments.threads) for count in arguments.beside]
    lines += ["", f"TOY training, words/s, {runs.machine()}, load {load:.1f} before it began; medians of "
              f"{arguments.rounds} alternating rounds: `{'PEER=... ' if peer else ''}{' '.join(sys.argv)}`"]
    text = "\n".join(lines) + "\n"
    if arguments.out:
        runs.write_whole(arguments.out, text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
