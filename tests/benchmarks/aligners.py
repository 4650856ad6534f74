#!/usr/bin/env python3
"""Compares links with fast_align and eflomal on pairs with gold links: AER, precision, recall, seconds.

    tests/benchmarks/aligners.py --data pairs.tsv --gold graca100.tsv trial37.tsv

For each file of gold links, the script appends its sentences to the pairs and runs every aligner on all of them. It scores
the links of the appended sentences (seen). links also aligns them after learning from the pairs only (unseen); the other two
programs align only what they learn from. convert joins the two directions of fast_align and eflomal. All programs read the
same words, so bring both files to the same tokens and case first.

A program that is not installed has no rows. A note says how to get it.
"""
import argparse
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import runs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data" / "metrics"))
import score_aer  # noqa: E402

RULES = ["intersection", "grow-diag-final-and"]
HOW_TO_GET = {
    "fast_align": "build it from https://github.com/clab/fast_align, then put it on PATH or give --fast-align FILE",
    "eflomal-align": "install eflomal 2 or later (pip install eflomal, https://github.com/robertostling/eflomal), then put "
                     "eflomal-align on PATH or give --eflomal FILE",
}


def read(path, columns):
    """The first columns of each line of a TSV file; each side is its words, joined by single spaces."""
    rows = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) < columns:
            raise SystemExit(f"error: {path}:{number} has {len(cells)} columns; {columns} are needed, separated by tabs")
        sides = [" ".join(word for word in re.split(" +", cell) if word) for cell in cells[:2]]
        rows.append(sides + cells[2:columns])
    return rows


def is_usable(row):
    """Whether fast_align can read the pair: it stops at a blank side, and ||| separates the sides."""
    return all(side and "|||" not in side.split(" ") for side in row[:2])


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(text):
    return text.removesuffix("\n").split("\n")


def timed(command, **variables):
    """Returns the output of the command and its time in seconds."""
    start = time.perf_counter()
    printed = runs.output(command, **variables)
    return printed, time.perf_counter() - start


class Comparison:
    """One file of gold links. Each row of the table is (program, sentences, rule, scores, seconds)."""

    def __init__(self, pairs, gold, folder, build, threads):
        self.gold, self.folder, self.build, self.threads = gold, folder, build, threads
        sides = ["\t".join(row[:2]) for row in pairs + gold]
        self.pairs = write(folder / "pairs.tsv", sides[:len(pairs)])
        self.seen = write(folder / "seen.tsv", sides)
        self.joint = write(folder / "seen.txt", (" ||| ".join(row[:2]) for row in pairs + gold))
        self.sentences = write(folder / "gold.tsv", sides[len(pairs):])
        self.all = len(sides)

    def score(self, links):
        """Returns AER, precision and recall of the links of the gold sentences."""
        return score_aer.score([f"{found}\t{row[2]}" for found, row in zip(links, self.gold, strict=True)])

    def links_rows(self, options):
        common = ["--tokenizer", "none", "--threads", self.threads, "--format", "pharaoh", *options]
        out = self.folder / "links.txt"
        _, seconds = timed([self.build / "links", "--data", self.seen, *common, "--out", out])
        yield "links", "seen", "agreement", self.score(self.last(out.read_text(), "links")), seconds
        _, seconds = timed([self.build / "links", "--data", self.pairs, "--align", self.sentences, *common, "--out", out])
        yield "links", "unseen", "agreement", self.score(lines_of(out.read_text())), seconds

    def last(self, text, program):
        """Returns the links of the gold sentences, which are the last of all pairs."""
        lines = lines_of(text)
        if len(lines) != self.all:
            raise SystemExit(f"error: {program} has aligned {len(lines)} of {self.all} pairs, so their order is not known")
        return lines[-len(self.gold):]

    def joined(self, forward, backward, rule):
        """Joins the links of both directions, both as source-target, by a rule (Koehn et al. 2003)."""
        write(self.folder / "forward.txt", forward)
        write(self.folder / "backward.txt", backward)
        return lines_of(runs.output([self.build / "convert", "--in", self.folder / "forward.txt", "--reverse",
                                     self.folder / "backward.txt", "--same-order", "--symmetrise", rule, "--from", "pharaoh",
                                     "--data", self.sentences, "--format", "pharaoh"]))

    def peer_rows(self, name, forward, backward, seconds):
        """Yields one row per rule, from the links of all pairs in both directions."""
        forward, backward = self.last(forward, name), self.last(backward, name)
        yield name, "seen", "forward", self.score(forward), seconds
        for rule in RULES:
            yield name, "seen", rule, self.score(self.joined(forward, backward, rule)), seconds

    def fast_align_rows(self, program):
        command = [program, "-i", self.joint, "-d", "-o", "-v"]  # as its README recommends
        forward, first = timed(command, OMP_NUM_THREADS=str(self.threads))
        backward, second = timed([*command, "-r"], OMP_NUM_THREADS=str(self.threads))
        return self.peer_rows("fast_align", forward, backward, first + second)

    def eflomal_rows(self, program):
        forward, backward = self.folder / "eflomal.forward", self.folder / "eflomal.backward"
        _, seconds = timed([program, "-i", self.joint, "-f", forward, "-r", backward], OMP_NUM_THREADS=str(self.threads))
        return self.peer_rows("eflomal", forward.read_text(), backward.read_text(), seconds)


def found(name, given):
    """Returns the path of the program. If it is missing, prints a note and returns None."""
    program = shutil.which(given or name)
    if program is None:
        print(f"note: there is no program {given or name}, so the table has no rows of it; {HOW_TO_GET[name]}", file=sys.stderr)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="TSV file of the pairs to learn from")
    parser.add_argument("--gold", required=True, nargs="+", help="TSV files of sentences with gold links in the third column")
    parser.add_argument("--build", default="build", type=Path, help="folder of links and convert")
    parser.add_argument("--fast-align", help="fast_align's program, if it is not on PATH")
    parser.add_argument("--eflomal", help="eflomal's program eflomal-align, if it is not on PATH")
    parser.add_argument("--links", default="", help="more options of links, for example --links='--no-agreement'")
    parser.add_argument("--threads", default=1, type=int, help="of each program (default: 1)")
    arguments = parser.parse_args()
    fast_align, eflomal = found("fast_align", arguments.fast_align), found("eflomal-align", arguments.eflomal)
    pairs = read(arguments.data, 2)
    usable = [row for row in pairs if is_usable(row)]
    if len(usable) < len(pairs):
        print(f"note: pairs left out, which have a blank side or the word |||: {len(pairs) - len(usable)}", file=sys.stderr)
    sets = {path: read(path, 3) for path in arguments.gold}
    for path, gold in sets.items():
        if not all(map(is_usable, gold)):
            raise SystemExit(f"error: {path} has a pair with a blank side or the word |||, which fast_align cannot read")
    print("| gold | aligner | sentences | rule | AER, % | precision, % | recall, % | seconds |\n|---|---|---|---|---|---|---|---|",
          flush=True)
    for path, gold in sets.items():
        with tempfile.TemporaryDirectory() as folder:
            comparison = Comparison(usable, gold, Path(folder), arguments.build, arguments.threads)
            aligners = [(comparison.links_rows, arguments.links.split())]
            aligners += [(comparison.fast_align_rows, fast_align)] if fast_align else []
            aligners += [(comparison.eflomal_rows, eflomal)] if eflomal else []
            for rows, argument in aligners:
                for name, sentences, rule, scores, seconds in rows(argument):
                    figures = " | ".join(f"{100 * score:.1f}" for score in scores)
                    print(f"| {Path(path).stem} | {name} | {sentences} | {rule} | {figures} | {seconds:.1f} |", flush=True)
    print(f"\n{len(usable)} pairs, {arguments.threads} thread{'s' if arguments.threads > 1 else ''}; {runs.machine()}")


if __name__ == "__main__":
    main()
