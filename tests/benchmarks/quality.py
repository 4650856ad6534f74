#!/usr/bin/env python3
"""What decoding faster costs: BLEU and AER of translate's --int8, --shortlist and both, beside the weights as they are.

    build/links --data data/toy/train.tsv --table table.tsv > links.txt
    tests/benchmarks/quality.py --run runs/toy --data data/toy/test.tsv --shortlist table.tsv

BLEU is of the model's tokens, greedy and by a beam of 5. AER is of those lines, found greedily, whose gold links say where
they should look: the lines that every way of decoding translates as the reference does.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SCORE = Path(__file__).resolve().parents[2] / "tests/data/metrics/score_bleu.py"


def records(command, text=None):
    """The alignment records that a program prints."""
    result = subprocess.run([str(part) for part in command], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"error: {' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def words(record):
    return record["target_tokens"][:len(record["target_tokens"]) - record["eos"]["target"]]


def bleu(found, references):
    pairs = [{"hypothesis": " ".join(words(f)), "references": [" ".join(words(r))]} for f, r in zip(found, references, strict=True)]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as file:
        file.write("".join(json.dumps(pair) + "\n" for pair in pairs))
        file.flush()
        return float(subprocess.check_output([sys.executable, SCORE, file.name], text=True).split()[0])


def aer(found, references):
    """Och and Ney (2003), pooled: 1 - (|A & S| + |A & P|) / (|A| + |S|)."""
    hits = count = 0
    for f, r in zip(found, references, strict=True):
        links, sure = ({tuple(link) for link in of} for of in (f["links"], r["gold"]["sure"]))
        possible = sure | {tuple(link) for link in r["gold"]["possible"]}
        hits += len(links & sure) + len(links & possible)
        count += len(links) + len(sure)
    return 1 - hits / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=Path, help="folder of translate and align")
    parser.add_argument("--run", required=True, help="a run folder")
    parser.add_argument("--data", required=True, type=Path, help="pairs that were not trained on")
    parser.add_argument("--shortlist", required=True, help="what links --table has written of the training pairs")
    arguments = parser.parse_args()
    references = records([arguments.build / "align", "--run", arguments.run, "--data", arguments.data])
    sources = "".join(line.split("\t")[0] + "\n" for line in arguments.data.read_text(encoding="utf-8").splitlines())
    ways = {"as they are": [], "--int8": ["--int8"], "--shortlist": ["--shortlist", arguments.shortlist],
            "both": ["--int8", "--shortlist", arguments.shortlist]}
    found = {(way, beam): records([arguments.build / "translate", "--run", arguments.run, "--alignment", "jsonl", "--beam", beam,
                                   *options], sources) for way, options in ways.items() for beam in (1, 5)}
    print("| | BLEU, greedy | BLEU, beam 5 | AER | lines as before |\n|---|---|---|---|---|")
    same = [i for i, r in enumerate(references) if "gold" in r and all(words(found[way, 1][i]) == words(r) for way in ways)]
    for way in ways:
        greedy, beam = found[way, 1], found[way, 5]
        looked = f"{100 * aer([greedy[i] for i in same], [references[i] for i in same]):.2f}%" if same else ""
        as_before = sum(words(f) == words(g) for f, g in zip(greedy, found["as they are", 1], strict=True))
        print(f"| {way} | {bleu(greedy, references):.2f} | {bleu(beam, references):.2f} | {looked} | {as_before} of {len(references)} |")
    print(f"\nAER of {len(same)} lines.")


if __name__ == "__main__":
    main()
