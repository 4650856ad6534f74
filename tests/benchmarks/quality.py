#!/usr/bin/env python3
"""Measures the cost of faster decoding: BLEU and AER with --int8, with --shortlist and with both, compared with plain
decoding.

    build/links --data data/toy/train.tsv --table table.tsv > links.txt
    tests/benchmarks/quality.py --run runs/toy --data data/toy/test.tsv --shortlist table.tsv

BLEU is computed over the model's tokens, for greedy search and a beam of 5. AER is computed for the greedy translations that
equal the reference under every way of decoding, because gold links exist only for the reference.
"""
import argparse
import json
import sys
from pathlib import Path

import runs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data" / "metrics"))
import score_aer  # noqa: E402
import score_bleu  # noqa: E402


def lines_of(text):
    """Returns the lines of the text. Unlike str.splitlines(), it splits only at "\n"."""
    return text.removesuffix("\n").split("\n")


def records(command, stdin=None):
    """Returns the alignment records that a program prints."""
    return [json.loads(line) for line in lines_of(runs.output(command, stdin))]


def words(record):
    return record["target_tokens"][:len(record["target_tokens"]) - record["eos"]["target"]]


def bleu(found, references):
    return score_bleu.score([json.dumps({"hypothesis": " ".join(words(f)), "references": [" ".join(words(r))]})
                             for f, r in zip(found, references, strict=True)])[0]


def aer(found, references):
    """Returns the AER of the links in `found`, by the gold links of the references."""
    pharaoh = lambda links, kind: " ".join(f"{s}{kind}{t}" for s, t in links)
    return score_aer.score([f"{pharaoh(f['links'], '-')}\t{pharaoh(r['gold']['sure'], '-')} {pharaoh(r['gold']['possible'], '?')}"
                            for f, r in zip(found, references, strict=True)])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=Path, help="folder of translate and align")
    parser.add_argument("--run", required=True, help="a run folder")
    parser.add_argument("--data", required=True, type=Path, help="pairs that were not trained on")
    parser.add_argument("--shortlist", required=True, help="what links --table has written of the training pairs")
    arguments = parser.parse_args()
    references = records([arguments.build / "align", "--run", arguments.run, "--data", arguments.data])
    sources = "".join(line.split("\t")[0] + "\n" for line in lines_of(arguments.data.read_text(encoding="utf-8")))
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
