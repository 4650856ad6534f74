#!/usr/bin/env python3
"""Sends hostile lines through every chain of programs that the documents show, and compares the results with an independent
reference.

    tests/round_trips/round_trips.py --inputs 20000 --seed 1          # minutes
    tests/round_trips/round_trips.py --only "convert --symmetrise" --seed 7 --batches 1

An input is one line, or pair of lines, in one chain. It has one of three outcomes. "same": the links, words and weights equal
the reference. "refused": the programs refuse the line, name it, and the reason is right. Otherwise it failed. Then the
programs' files and commands are kept, for this line only if it also fails by itself. The exit status is 1 if any failed.
"""

import argparse
import copy
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import chains  # noqa: E402
import hostile  # noqa: E402
import reference  # noqa: E402
from machine import Machine, NothingLeft, Refused, Report, Wrong  # noqa: E402

PAIRS = 200
TRAININGS = {"words": [], "none": ["--tokenizer", "none"], "sentencepiece": ["--tokenizer", "sentencepiece", "--subwords", "150"],
             "transformer": ["--model", "transformer", "--heads", "2", "--feed-forward", "16"]}


def train_runs(folder):
    """Trains a run for each tokeniser and a Transformer, on pairs with markers and odd words. Returns their folders by
    name."""
    drawn = random.Random(7)
    toy = Path(__file__).resolve().parents[2] / "data" / "toy" / "train.tsv"
    lines = ["\t".join(line.split("\t")[:2]) for line in toy.read_text(encoding="utf-8").splitlines()[:PAIRS // 2]]
    while len(lines) < PAIRS:
        pair = hostile.pair(drawn, reference.words)
        visible = [side.strip("".join(hostile.INVISIBLE) + " \u00a0\u3000") for side in (pair.source, pair.target)]
        if "\r" not in pair.source + pair.target and all(any(c.isalnum() for c in side) for side in visible):
            lines.append(f"{pair.source}\t{pair.target}")
    machine = Machine(folder / "training", {}, drawn)
    machine.write("train.tsv", lines)
    machine.write("valid.tsv", lines[:5] + lines[-5:])
    for name, options in TRAININGS.items():
        machine.run("train", "--data", ".", "--out", name, "--epochs", "6", "--max-length", "5000", "--lr", "0.02", "--track", "0",
                    "--seed", "1", *chains.SMALL, *options)
    return {name: machine.path(name) for name in TRAININGS}


def alone(function, item, folder, runs, seed, text):
    """Runs the chain with this item only. Returns the machine and the failure, if it fails again."""
    machine = Machine(folder, runs, random.Random(seed))
    try:
        function(machine, [item])
    except NothingLeft:
        return None, text
    except (Wrong, Refused) as error:
        return machine, str(error)
    except Exception as error:  # noqa: BLE001: an output that the reference cannot read
        return machine, f"{type(error).__name__}: {error}"
    return None, text


def one_batch(name, function, seed, size, folder, runs, report):
    draw = random.Random(f"{name} {seed}")
    items = [hostile.pair(draw, reference.words) for _ in range(size)]
    kept = copy.deepcopy(items)
    machine = Machine(folder / "batch", runs, random.Random(seed))
    problem, at = None, None
    try:
        batch = function(machine, items)
        report.add(name, len(batch.items), batch.refused)
    except NothingLeft as nothing:
        report.add(name, 0, nothing.batch.refused)
    except Wrong as error:
        problem, at = str(error), error.item
    except Refused as error:
        problem = f"a refusal outside of what may be refused: {error.message[:400]}"
    except Exception as error:  # noqa: BLE001
        problem = f"the output cannot be read: {type(error).__name__}: {error}"
    report.starts += machine.starts
    if problem is None:
        return
    repeat = f"round_trips.py --only '{name}' --seed {seed} --batches 1 --size {size}"
    positions = [k for k, item in enumerate(items) if item is at] if at is not None else []
    for k in positions or range(min(size, 40) if at is None else 0):
        single, said = alone(function, copy.deepcopy(kept[k]), folder / "alone", runs, seed, problem)
        if single:
            report.fail(name, single, f"{said}\n  the line: {kept[k].source!r} | {kept[k].target!r} | {kept[k].links}", repeat, size)
            return
    report.fail(name, machine, problem, repeat, size)


def run_all(inputs, seed, size=100, only="", batches=0, keep=Path("round-trips-failed"), most=20):
    """Runs `inputs` inputs, which are divided among the chains by their shares. Returns the report."""
    report = Report(keep)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        runs = train_runs(folder)
        chosen = {name: pair for name, pair in chains.CHAINS.items() if only in name}
        shares = sum(share for _, share in chosen.values())
        for name, (function, share) in chosen.items():
            left = inputs * share / shares
            number = 0
            while (number < batches if batches else left > 0) and len(report.failures) < most:
                now = size if batches else int(min(size, left + 0.999))
                one_batch(name, function, seed + 1000 * number if number else seed, now, folder, runs, report)
                left -= now
                number += 1
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=500, help="lines in all, divided among the chains")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="chains whose name has this in it")
    parser.add_argument("--batches", type=int, default=0, help="so many batches of each chain, in place of --inputs")
    parser.add_argument("--size", type=int, default=100, help="lines of a batch")
    parser.add_argument("--keep", type=Path, default=Path("round-trips-failed"), help="where files of failures go")
    parser.add_argument("--most", type=int, default=20, help="failures after which it ends")
    a = parser.parse_args()
    report = run_all(a.inputs, a.seed, a.size, a.only, a.batches, a.keep.absolute(), a.most)
    report.show()
    sys.exit(1 if report.failures else 0)


if __name__ == "__main__":
    main()
