#!/usr/bin/env python3
"""Trains the default model, and variants that change one possible cause of attention on </s> or of differences between
seeds.

    tests/benchmarks/ablations.py                                  # the four grammars, three seeds: most of a day
    tests/benchmarks/ablations.py --corpus data/zh-en --seeds 1    # a quarter of an hour
    tests/benchmarks/ablations.py --corpus FOLDER --ablation "default,no query word" --train "--epochs 4 --batch 64"

A corpus is a folder with train.tsv, valid.tsv and test.tsv, or a grammar. From a grammar, the script generates a corpus with
the command in the grammar's first comment. Runs are written to --out. A run that exists with the same options is not trained
again. The script prints a table in Markdown: medians over the seeds, and for AER also the lowest and the highest value.
"""
import argparse
import json
import shlex
import statistics
import sys
from pathlib import Path

import runs

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ["data/toy", "data/zh-en", "data/orders/ja-en.grammar", "data/orders/la-en.grammar"]
ABLATIONS = {
    "default": [],
    "as the paper asks": ["--initialiser", "default", "--no-query-word"],  # with larger initial weights
    "large first weights": ["--initialiser", "default"],
    "no query word": ["--no-query-word"],
    "lr .001": ["--lr", ".001"],
    "lr .003": ["--lr", ".003"],
    "no word dropout": ["--word-dropout", "0"],
    "batch 16": ["--batch", "16"],
    "no dropout": ["--dropout", "0"],
    "no smoothing": ["--label-smoothing", "0"],
    "start both": ["--initial-state", "both"],
    "tanh readout": ["--readout-kind", "tanh"],
    "previous state": ["--readout-state", "previous"],
    "GRU": ["--cell", "gru"],
    "coverage": ["--coverage", "--coverage-loss", "0.1"],
}


def folder_of(corpus, build, out):
    """Returns the folder of a corpus. For a grammar, generates the corpus with the command in the grammar's first
    comment."""
    if not corpus.endswith(".grammar"):
        return Path(corpus)
    folder = out / "data" / Path(corpus).stem
    if not (folder / "test.tsv").exists():
        head = (ROOT / corpus).read_text(encoding="utf-8").split("\n\n")[0]
        words = [word for line in head.splitlines() for word in line.lstrip("#").split() if word != "\\"]
        options = words[words.index("make_corpus") + 1:]
        options[options.index("--out") + 1] = str(folder)
        runs.output([build / "make_corpus", *options, "--force"], cwd=ROOT)
    return folder


def outcome(corpus, ablation, seed, arguments):
    """Returns the scores of evaluate for all test pairs. Trains the run first, unless it exists."""
    folder = folder_of(corpus, arguments.build, arguments.out)
    name = f"{Path(corpus).stem}-{ablation.replace(' ', '-')}-{seed}"
    out = arguments.out / "runs" / name
    train = [arguments.build / "train", "--data", folder, "--seed", seed, "--threads", "1", *arguments.train,
             *ABLATIONS[ablation], "--out", out, "--force"]
    command, scores = out.with_suffix(".command"), out.with_suffix(".json")
    if not (scores.exists() and command.exists() and command.read_text(encoding="utf-8") == shlex.join(map(str, train))):
        print(name, file=sys.stderr, flush=True)
        scores.unlink(missing_ok=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        command.write_text(shlex.join(map(str, train)), encoding="utf-8")
        runs.output(train, cwd=ROOT)
        evaluate = [arguments.build / "evaluate", "--run", out, "--data", folder / "test.tsv", "--threads", "1", "--json"]
        runs.write_whole(scores, runs.output(evaluate, cwd=ROOT))
    return json.loads(scores.read_text(encoding="utf-8"))["all"]


def row(ablation, outcomes):
    def median(values):
        return f"{statistics.median(values):.1f}"

    aligned = [o["alignment"] for o in outcomes if o.get("alignment")]
    aers = [100 * a["aer"] for a in aligned]
    aer = f"{median(aers)} ({min(aers):.1f} to {max(aers):.1f})" if aers else "-"
    recall = median([100 * a["recall"] for a in aligned]) if aligned else "-"
    end = median([100 * o["end_attention"] for o in outcomes])
    return f"| {ablation} | {aer} | {recall} | {end} | {median([o['bleu'] for o in outcomes])} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", help="a corpus folder or a grammar; may be given several times")
    parser.add_argument("--ablation", default=",".join(ABLATIONS), help="which of: " + ", ".join(ABLATIONS))
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each, with seeds 1 to N")
    parser.add_argument("--train", type=shlex.split, default=[], help="options of every training")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "ablations")
    arguments = parser.parse_args()
    arguments.build, arguments.out = arguments.build.resolve(), arguments.out.resolve()
    chosen = arguments.ablation.split(",")
    for name in chosen:
        if name not in ABLATIONS:
            parser.error(f"no ablation {name}; there are: {', '.join(ABLATIONS)}")

    for corpus in arguments.corpus or CORPORA:
        print(f"\n{corpus}, {arguments.seeds} seeds\n\n| ablation | AER | recall | attention on </s> | BLEU |")
        print("|---|---|---|---|---|", flush=True)
        for ablation in chosen:
            outcomes = [outcome(corpus, ablation, seed, arguments) for seed in range(1, arguments.seeds + 1)]
            print(row(ablation, outcomes), flush=True)


if __name__ == "__main__":
    main()
