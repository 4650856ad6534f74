"""What a run writes when a step's attention is changed: one line per intervention of interventions.jsonl.

    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl
    python3 docs/course/outcomes.py runs/lecture/rnnsearch/interventions.jsonl --against docs/course/lecture-outcomes.tsv

Columns, separated by tabs: the link into the viewer's page; what was changed; the word with the largest weight at that
step, and its weight; the probability of the word written at that step; the translation. A line without an intervention
has the probability of each word. With --against, only the lines that another file has otherwise are printed.
"""

import argparse
import json
import math
from pathlib import Path


def change(record):
    intervention = record["intervention"]
    source = record["source_tokens"][intervention["source"]] if "source" in intervention else ""
    return {"none": "nothing", "force": f"all attention on {source}", "ablate": f"no attention on {source}",
            "shuffle": "weights shuffled", "word": f"{intervention.get('word')} written"}[intervention["kind"]]


def lines(records):
    """One line per record; i0, i1, ... count the interventions of a sentence, as the viewer does."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interventions", type=Path)
    parser.add_argument("--against", type=Path, help="a file that this program wrote of another run")
    options = parser.parse_args()
    found = list(lines(map(json.loads, options.interventions.read_text(encoding="utf-8").splitlines())))
    if options.against is None:
        print("\n".join(found))
        return
    known = dict(line.split("\t", 1) for line in options.against.read_text(encoding="utf-8").splitlines())
    for line in found:
        link, here = line.split("\t", 1)
        if here.split("\t")[0::3] != known.get(link, "").split("\t")[0::3]:  # what was changed, and the translation
            print(f"{link}\n  there  {known.get(link, 'no such line')}\n  here   {here}".replace("\t", "  "))


if __name__ == "__main__":
    main()
