#!/usr/bin/env python3
"""Measures how the cost of a training step grows: it runs bench along each axis and fits slopes on log-log scales.

    tests/benchmarks/growth.py --out growth.json        # a quarter of an hour; the machine should have nothing else to do
    tests/benchmarks/growth.py --quick                  # two minutes, for a trial
    docs/draw_growth.py growth.json > docs/growth.svg

A slope of 1 means that twice the input costs twice the time. The slope is fitted to the larger half of the points, where the
fixed cost of a step no longer matters.
"""
import argparse
import json
import math
import sys
from collections import namedtuple

import runs

# The base is a model of middle size. Along an axis one size varies, and the others stay. `why` explains the slope for
# docs/performance.md.
Axis = namedtuple("Axis", "option text values why")
BASE = {"--size": "toy", "--batch": 32, "--length": 20, "--hidden": 256, "--vocabulary": 4000}
AXES = [
    Axis("--batch", "sentences in a batch", [4, 8, 16, 32, 64, 128],
         "below 1: a product of few rows reads every weight for little work, so more sentences are nearly free until "
         "the rows fill the kernel; then it tends to 1"),
    Axis("--length", "words in a sentence", [5, 10, 20, 40, 80, 160],
         "1 from recurrence and output layer, a little above where attention shows, whose work is source times target"),
    Axis("--hidden", "hidden and attention size", [64, 128, 256, 512, 1024],
         "tends to 2, since the recurrent weights grow with the square; below it while output layer and words, which "
         "grow with 1 or not at all, weigh as much"),
    Axis("--vocabulary", "words in a vocabulary", [1000, 2000, 4000, 8000, 16000, 32000],
         "tends to 1 with the output layer; below it while the recurrent part, which does not grow, weighs as much; "
         "embeddings cost nothing more, since only the rows that were read are updated"),
]
MEMORY_WHY = ("tends to 1: what backward needs of each step is kept; below it while the parameters, which do not grow, weigh "
              "as much, and because logits are never more than 2^24 at a time; attention keeps only its weights, source "
              "times target, and recomputes the rest")


def point(axis, value, bench, threads, arguments):
    """Returns (value, milliseconds, megabytes)."""
    options = {**BASE, axis.option: value, "--threads": threads, "--seconds": arguments.seconds}
    measured = runs.last_json([bench, "--what", "train", *(str(x) for pair in options.items() for x in pair)])
    result = value, measured["train_step_ms"], measured["rss_train_mb"]
    print(f"{axis.option} {value}, {threads} threads: {result[1]:.2f} ms, {result[2]:.0f} MB", file=sys.stderr, flush=True)
    return result


def measure_axis(axis, bench, arguments):
    """Returns the points of each number of threads. Each round measures the whole axis, and a point is the minimum over
    rounds, so a machine that is slow for a while spoils no point."""
    values = axis.values[1:-1] if arguments.quick else axis.values
    rounds = [{threads: [point(axis, value, bench, threads, arguments) for value in values]
               for threads in arguments.threads} for _ in range(arguments.rounds)]
    return {threads: [tuple(map(min, zip(*same))) for same in zip(*(r[threads] for r in rounds))]
            for threads in arguments.threads}


def slope(xs, ys):
    """Returns the slope of log y over log x by least squares, from the larger half of the points."""
    half = [(math.log(x), math.log(y)) for x, y in zip(xs, ys)][len(xs) // 2 - 1:]
    mean_x, mean_y = (sum(column) / len(half) for column in zip(*half))
    return sum((x - mean_x) * (y - mean_y) for x, y in half) / sum((x - mean_x) ** 2 for x, _ in half)


def measure(arguments):
    """Returns the panels of the plot. Each panel is a list of curves."""
    bench, panels = runs.find_bench(arguments.build), []
    memory = None
    for axis in AXES:
        measured = measure_axis(axis, bench, arguments)
        curves = {f"{t} thread{'s' if t > 1 else ''}": [p[:2] for p in line] for t, line in measured.items()}
        panels.append({"x": axis.text, "y": "ms a step", "curves": curves, "why": axis.why})
        if axis.option == "--length":
            line = measured[arguments.threads[0]]
            memory = {"x": axis.text, "y": "MB resident at the peak", "why": MEMORY_WHY,
                      "curves": {f"{arguments.threads[0]} thread": [(p[0], p[2]) for p in line]}}
    return panels + [memory]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of bench")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=2, help="measure each point at least so long")
    parser.add_argument("--rounds", type=int, default=3, help="measure each point so often, and take the least")
    parser.add_argument("--quick", action="store_true", help="fewer points, a second each, one round")
    parser.add_argument("--out", help="write the measurements here, for docs/draw_growth.py")
    arguments = parser.parse_args()
    if min(arguments.threads) < 1:
        parser.error("--threads: at least 1 expected")
    if arguments.quick:
        arguments.seconds, arguments.rounds = 1, 1
    panels = measure(arguments)
    for panel in panels:
        panel["slopes"] = {name: slope(*zip(*curve)) for name, curve in panel["curves"].items()}
        slopes = ", ".join(f"{value:.2f} ({name})" for name, value in panel["slopes"].items())
        print(f"{panel['y']} by {panel['x']}: slope {slopes}. Expected: {panel['why']}.")
    if arguments.out:
        base = ", ".join(f"{option[2:]} {value}" for option, value in BASE.items() if option != "--size")
        runs.write_whole(arguments.out, json.dumps({"machine": runs.machine(), "base": base, "panels": panels}, indent=1))


if __name__ == "__main__":
    main()
