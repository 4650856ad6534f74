#!/usr/bin/env python3
"""Does a wider beam find translations that the model itself likes better?

  SOFTALIGN_BUILD=build python3 tests/apps/beam_scores.py --run runs/toy [--data data/toy/test.tsv] [--beam 5]

Prints the mean model score of greedy search and of the beam, and how many sentences score lower with the beam: a beam
may lose the greedy path, since it keeps the best beginnings and not the best ends. The score is what the search ranks
by unless told otherwise, log p / length with </s> counted; the same figures of log p stand beside it. Exit status 1 if
the beam's mean score is below greedy's.
"""

import argparse
import json
import sys

import programs


def scores(run, sources, *arguments):
    """For each sentence (log p / length, log p) of the best translation."""
    lines = programs.succeed("translate", "--run", run, "--alignment", "jsonl", "--threads", "1", *arguments,
                             stdin="".join(source + "\n" for source in sources)).splitlines()
    records = [json.loads(line) for line in lines]
    return [(sum(r["logprob"]) / len(r["logprob"]), sum(r["logprob"])) for r in records]


def compare(run, data, beam):
    """{"sentences", "greedy", "beam", "lower", "higher"} of the scores, and the same of log p under "log_prob"."""
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
