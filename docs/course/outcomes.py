"""Prints what a model writes if you change the attention of one step, and how its attention changed during training.

    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl
    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl --against docs/course/lecture-outcomes.tsv

The lecture plan (docs/course/lecture-plan.md) uses these results. There is one line per intervention of
interventions.jsonl. There is also one line per sentence of the history.jsonl next to it, which has the attention after
each epoch. A line has these columns, separated by tabs: the link into the viewer's page; what was changed; the word with
the largest weight at that step, and its weight; the probability of the word written at that step; the translation. A line
without an intervention has the probability of each word. The line of a sentence of history.jsonl has the number of rows
whose largest weight moved to another word between the first and the last epoch. It also has the alignment error rates
(AER) of both epochs. With --against, the program prints only the lines that differ from the other file, or "all agree". The
steps that the lecture plan shows come first, with their minute. For each of them, the program names steps of your run that
have the same effect.
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


def minutes():
    """Returns {link: minute} for the changed steps and the training timeline that the plan shows."""
    text = Path(__file__).with_name("lecture-plan.md").read_text(encoding="utf-8").split("### The plan")[1]
    return {link.replace("&p=1", ""): minute for minute, row in re.findall(r"^\| (\d+) \|(.*)$", text, re.MULTILINE)
            for link in re.findall(r"`(#s=\d+&a=[^`]+|#s=v\d+&e=[^`]+)`", row)}


def effect(translation, untouched):
    """Returns what a change did to a translation: nothing, words were lost, words were repeated, or other words."""
    words, before = translation.split(), untouched.split()
    if words == before:
        return "nothing"
    rest = iter(before)
    if all(word in rest for word in words):
        return "lost"
    return "repeated" if len(words) > len(before) and set(words) == set(before) else "other"


def replacements(link, known, found):
    """Returns up to two lines of this run with the effect that the step of the plan had in the other run."""
    def parts(line):
        at, what, _, _, translation = line.split("\t")
        return at, what.partition(": ")[2].partition(" on ")[0], translation

    def untouched(lines_of_run, sentence):
        return next((parts(line)[2] for line in lines_of_run if line.startswith(f"{sentence}\tnothing\t")), "")
    there = [f"{at}\t{line}" for at, line in known.items()]
    _, kind, translation = parts(f"{link}\t{known[link]}")
    wanted = effect(translation, untouched(there, link.partition("&")[0]))
    return [line for line in found if "&a=" in line and parts(line)[1] == kind and parts(line)[0] != link
            and effect(parts(line)[2], untouched(found, line.partition("&")[0])) == wanted][:2]


def report(found, known):
    """Returns the differences, those of the plan's steps first."""
    shown, planned = list(differences(found, known)), minutes()
    first = [text for text in shown if text.split("\n")[0] in planned]
    for text in first:
        link = text.split("\n")[0]
        lines_of_step = [f"minute {planned[link]}: {text}"]
        if "&a=" in link and link in known:
            lines_of_step += [f"  or show {line}".replace("\t", "  ") for line in replacements(link, known, found)]
        yield "\n".join(lines_of_step)
    if first and len(first) < len(shown):
        yield "steps that the plan does not show:"
    yield from (text for text in shown if text not in first)


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
        found = list(report(found, known)) or ["all agree"]
    try:
        print("\n".join(found), flush=True)
    except BrokenPipeError:  # the reader, such as head, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
