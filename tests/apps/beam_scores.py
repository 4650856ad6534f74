#!/usr/bin/env python3
"""Checks whether a wider beam finds translations with a higher score of the model.

  SOFTALIGN_BUILD=build python3 tests/apps/beam_scores.py --run runs/toy [--data data/toy/test.tsv] [--beam 5]

Prints the mean model score of greedy search and of beam search, and the number of sentences with a lower score in beam
search. A beam may lose the greedy path, because it keeps the best prefixes, not the best complete translations. The score is
the default score of the search, log p / length with </s> counted. The same figures of log p follow. The exit status is 1 if
the mean score of beam search is below the mean score of greedy search.
"""

import argparse
import json
import sys

import programs


def scores(run, sources, *arguments):
    """Returns (log p / length, log p) of the best translation of each sentence."""
    lines = programs.succeed("translate", "--run", run, "--alignment", "jsonl", "--threads", "1", *arguments,
                             stdin="".join(source + "\n" for source in sources)).splitlines()
    records = [json.loads(line) for line in lines]
    return [(sum(r["logprob"]) / len(r["logprob"]), sum(r["logprob"])) for r in records]


def compare(run, data, beam):
    """Returns {"sentences", "greedy", "beam", "lower", "higher"} for the scores, and the same figures of log p under
    "log_prob"."""
    with open(data, encoding="utf-8") as file:
        sources = [line.split("\t")[0] for line in file if line.strip()]
    greedy, wide = scores(run, sources), scores(run, sources, "--beam", beam)

    def figures(column):
        pairs = [(g[column], w[column]) for g, w in zip(greedy, wide)]
        return {"sentences": len(pairs), "greedy": sum(g for g, _ in pairs) / len(pairs),
                "beam": sum(w for _, w in pairs) / len(pairs),
                "lower": sum(w < g - 1e-5 for g, w in pairs), "higher": sum(w > g + 1e-5 for g, w in pairs)}

    return {**figures(0), "log_prob": figures(1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True)
    parser.add_argument("--data", default=programs.TOY / "test.tsv")
    parser.add_argument("--beam", type=int, default=5)
    options = parser.parse_args()
    result = compare(options.run, options.data, options.beam)
    print(json.dumps(result, indent=2))
    return 0 if result["beam"] >= result["greedy"] else 1


if __name__ == "__main__":
    sys.exit(main())
