"""Prints the attention weights of one sentence of history.jsonl after several epochs, as one digit per weight.

    python3 docs/course/forming.py runs/course/rnnsearch/history.jsonl --sentence 1 --epochs 1 3 10
"""

import argparse
import json

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("history")
parser.add_argument("--sentence", type=int, default=0, help="number of the sentence in history.jsonl, from 0")
parser.add_argument("--epochs", type=int, nargs="+", default=[1])
options = parser.parse_args()

with open(options.history, encoding="utf-8") as file:
    records = {record["epoch"]: record for record in map(json.loads, file) if record["id"] == options.sentence}
chosen = [records[epoch] for epoch in options.epochs]  # KeyError: the run has no such epoch
source, target = chosen[0]["source_tokens"], chosen[0]["target_tokens"]
width = max(map(len, target))


def beside(pieces):
    """Returns one line with one column per epoch, as wide as a matrix."""
    return "   ".join(f"{piece:{2 * len(source)}}" for piece in pieces).rstrip()


print(" " * width, beside(f"epoch {record['epoch']}" for record in chosen))
print(" " * width, beside(" ".join(word[0] for word in source) for _ in chosen))
for row, word in enumerate(target):
    print(f"{word:>{width}}", beside(" ".join(str(min(9, int(10 * weight))) for weight in record["matrix"][row])
                                     for record in chosen))
