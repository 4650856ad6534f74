"""Prints what a model writes if you change the attention of one step, and how its attention changed during training.

    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl
    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl --against docs/course/lecture-outcomes.tsv

The lecture plan (docs/course/lecture-plan.md) uses these results. There is one line per intervention of
interventions.jsonl. There is also one line per sentence of the history.jsonl next to it, which has the attention after
each epoch. A line has these columns, separated by tabs: the link into the viewer's page; what was changed; the word with
the largest weight at that step, and its weight; the probability of the word written at that step; the translation. A line
without an intervention has the probability of each word. The line of a sentence of history.jsonl has the number of rows
whose largest weight moved to another word between the first and the last epoch. It also has the alignment error rates
(AER) of both epochs. With --against, the program prints only the lines that differ from the other file, or "all agree".
"""

import argparse
import json
import math
import os
import re
import sys
from pathlib import Path


def change(record):
    intervention = record["intervention"]
    source = record["source_tokens"][intervention["source"]] if "source" in intervention else ""
    return {"none": "nothing", "force": f"all attention on {source}", "ablate": f"no attention on {source}",
            "shuffle": "weights shuffled", "word": f"{intervention.get('word')} written"}[intervention["kind"]]


def lines(records):
    """Yields one line per record. The numbers i0, i1, ... count the interventions of a sentence, as in the viewer."""
    counts = {}
    for record in records:
        probabilities = [f"{math.exp(logprob):.2f}" for logprob in record["logprob"]]
        sentence, translation = record["id"], record["target_sent"]
        if record["intervention"]["kind"] == "none":
            yield "\t".join([f"#s={sentence}", "nothing", "", " ".join(probabilities), translation])
            continue
        step, number = record["intervention"]["step"], counts.get(sentence, 0)
        counts[sentence] = number + 1
        weight, word = max(zip(record["matrix"][step], record["source_tokens"]), key=lambda pair: pair[0])
        yield "\t".join([f"#s={sentence}&a=i{number}&r={step}", f"step {step + 1}: {change(record)}",
                         f"{word} {weight:.2f}", probabilities[step], translation])


def aer(record):
    links, sure, possible = (set(map(tuple, some)) for some in (record["links"], record["gold"]["sure"], record["gold"]["possible"]))
    return 1 - (len(links & sure) + len(links & (sure | possible))) / (len(links) + len(sure))


def timeline(records):
    """Yields one line per sentence with gold links, which compares the first and the last epoch."""
    by_sentence = {}
    for record in records:
        by_sentence.setdefault(record["id"], []).append(record)
    for sentence, epochs in by_sentence.items():
        first, last = (choose(epochs, key=lambda record: record["epoch"]) for choose in (min, max))
        if not first.get("gold"):
            continue
        moved = sum(row.index(max(row)) != then.index(max(then)) for row, then in zip(first["matrix"], last["matrix"]))
        yield "\t".join([f"#s=v{sentence}&e={first['epoch']}", f"epochs {first['epoch']} to {last['epoch']}",
                         f"{moved} of {len(first['matrix'])} rows moved", f"{aer(first):.3f} {aer(last):.3f}", first["target_sent"]])


def essence(line):
    """Returns what two runs should have in common: the change and the translation. For the lines of history.jsonl,
    these are the translation and whether a third of the rows moved."""
    changed, second, _, translation = line.split("\t")
    moved = re.match(r"(\d+) of (\d+) rows moved$", second)
    return (translation, 3 * int(moved[1]) >= int(moved[2])) if moved else (changed, translation)


def differences(found, known):
    for line in found:
        link, here = line.split("\t", 1)
        if link not in known or essence(here) != essence(known[link]):
            yield f"{link}\n  there  {known.get(link, 'no such line')}\n  here   {here}".replace("\t", "  ")


def read(path):
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interventions", type=Path)
    parser.add_argument("--against", type=Path, help="a file with the output of this program for another run")
    options = parser.parse_args()
    history = options.interventions.with_name("history.jsonl")
    found = [*lines(read(options.interventions)), *(timeline(read(history)) if history.exists() else [])]
    if options.against:
        known = dict(line.split("\t", 1) for line in options.against.read_text(encoding="utf-8").splitlines())
        found = list(differences(found, known)) or ["all agree"]
    try:
        print("\n".join(found), flush=True)
    except BrokenPipeError:  # the reader, such as head, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
