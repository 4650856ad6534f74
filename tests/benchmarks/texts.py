#!/usr/bin/env python3
"""Trains on real texts, whose sentences differ in length: words/s, seconds to a given BLEU and the share of padding. It
compares these with a baseline (the peer) that makes its own batches, as a table in Markdown.

    PEER=path/to/run.sh tests/benchmarks/texts.py --train data/toy/train.tsv --valid data/toy/valid.tsv

PEER is called as `PEER THREADS train --config toy --train F --valid F --epochs N --lr X`. Its last line is a JSON object
whose "epochs" have "tok_s", "secs" and "bleu". Both sides read lower-cased sentences that are split at white space. They
train the model of bench's size TOY with a constant rate and batches of 32, without dropout and label smoothing. After each
epoch they translate the validation sentences greedily. The sides take turns with every number of threads, and a row shows the
better number of each side. Words are target words with </s>, without padding. Seconds are seconds of training.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import compare
import runs

SAME = ("--tokenizer none --no-lowercase --readout-kind tanh --initial-state both --no-query-word --dropout 0 --word-dropout 0 "
        "--label-smoothing 0 --schedule constant --initialiser default --max-length 50").split()


def prepared(path, folder):
    """Returns a lower-case copy of the two columns, split at white space, so that both sides read the same words."""
    copy = folder / f"{path.parent.name}-{path.name}"
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [" ".join(side.lower().split()) for line in lines for side in line.split("\t")[:2]]
    copy.write_text("".join(f"{a}\t{b}\n" for a, b in zip(pairs[::2], pairs[1::2])), encoding="utf-8")
    return copy


def ours(train, texts, threads, arguments, folder):
    """Returns (words/s, seconds of training, BLEU) of each epoch."""
    out = folder / "run"
    said = subprocess.run([train, "--train", texts[0], "--valid", texts[1], "--epochs", str(arguments.epochs), "--lr",
                           str(arguments.lr), "--threads", str(threads), "--out", out, "--force", *SAME],
                          env=runs.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if said.returncode != 0:
        raise SystemExit(f"error: train ended with {said.returncode}:\n{said.stderr}")
    read = lambda name: [json.loads(line) for line in (out / name).read_text(encoding="utf-8").splitlines()]
    times = [epoch for epoch in read("timing.jsonl") if "epoch" in epoch]
    bleu = [epoch["valid"]["bleu"] for epoch in read("metrics.jsonl")]
    return [(e["words_per_second"], e["train_seconds"], b) for e, b in zip(times, bleu)]


def peers(peer, texts, threads, arguments):
    """Returns the same figures of the peer."""
    result = runs.last_json([peer, threads, "train", "--config", "toy", "--train", texts[0], "--valid", texts[1],
                             "--epochs", arguments.epochs, "--lr", arguments.peer_lr or arguments.lr])
    return [(e["tok_s"], e["secs"], e["bleu"]) for e in result["epochs"]]


def rate(epochs):
    """Returns the words/s over all epochs."""
    return sum(words * seconds for words, seconds, _ in epochs) / sum(seconds for _, seconds, _ in epochs)


def seconds_to(epochs, bleu):
    """Returns the seconds of training until the end of the first epoch with this BLEU, or None if no epoch reaches it."""
    passed = 0
    for _, seconds, reached in epochs:
        passed += seconds
        if reached >= bleu:
            return passed
    return None


def spread(values, unit):
    return compare.spread(values, lambda value: f"{value:.2f}{unit}")


def padding(train, texts):
    """Returns the line in which train describes its batches."""
    said = subprocess.run([train, "--train", texts[0], "--valid", texts[1], *SAME, "--dry-run"], env=runs.ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return next(line for line in said.splitlines() if line.startswith("batches:"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of train")
    parser.add_argument("--train", type=Path, default=Path("data/toy/train.tsv"))
    parser.add_argument("--valid", type=Path, default=Path("data/toy/valid.tsv"))
    parser.add_argument("--bleu", type=float, help="seconds to this; by default to the most that all reach")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--peer-lr", type=float, help="the peer's, if another suits its first weights better")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--out", help="write the table here instead of to the screen")
    arguments = parser.parse_args()
    peer, train = os.environ.get("PEER"), runs.find_bench(arguments.build, "train")
    if not peer:
        raise SystemExit("error: PEER is not set")
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = [prepared(arguments.train, folder), prepared(arguments.valid, folder)]
        for _ in range(arguments.rounds):
            for threads in arguments.threads:
                found.setdefault(("ours", threads), []).append(ours(train, texts, threads, arguments, folder))
                found.setdefault(("peer", threads), []).append(peers(peer, texts, threads, arguments))
                print(".", end="", file=sys.stderr, flush=True)
        batches = padding(train, texts)
    print(file=sys.stderr)

    best = {side: max((key for key in found if key[0] == side),
                      key=lambda key: statistics.median(map(rate, found[key]))) for side in ("ours", "peer")}
    mine, its = found[best["ours"]], found[best["peer"]]
    least = min(max(bleu for _, _, bleu in epochs) for epochs in mine + its)
    goal = least if arguments.bleu is None else arguments.bleu
    cell = lambda rounds: f"{compare.number(statistics.median(map(rate, rounds)))} words/s"
    to = {side: [seconds_to(epochs, goal) for epochs in rounds] for side, rounds in
          (("ours", mine), ("peer", its))}
    reached = None not in to["ours"] + to["peer"]
    lines = ["| | ours | peer | ratio (spread) |", "|---|---|---|---|",
             f"| training | {cell(mine)}, {best['ours'][1]} threads | {cell(its)}, {best['peer'][1]} threads | "
             f"{spread([rate(a) / rate(b) for a, b in zip(mine, its)], 'x')} |",
             f"| seconds to BLEU {goal:.1f} | "
             + (f"{spread(to['ours'], ' s')} | {spread(to['peer'], ' s')} | "
                f"{spread([b / a for a, b in zip(to['ours'], to['peer'])], 'x')} |"
                if reached else "not reached by all | | |"),
             f"| BLEU after {arguments.epochs} epochs | {statistics.median(e[-1][2] for e in mine):.1f} | "
             f"{statistics.median(e[-1][2] for e in its):.1f} | |",
             "", f"{runs.machine()}; medians of {arguments.rounds} alternating rounds; ours: {batches}", ""]
    text = "\n".join(lines)
    if arguments.out:
        runs.write_whole(arguments.out, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
