"""aligners.py: the AER of links, fast_align and eflomal. Two programs that print fixed links stand in for the last two."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent
PAIRS = ["the house\tla maison", "the green house\tla maison verte", "\tvide", "a green book\tun livre vert"]
GOLD = ["the house\tla maison\t0-0 1?0 1-1", "a green house\tune maison verte\t0-0 1?2 2-1"]
# Links by source sentence: forward, backward.
FAKE = {"the house": ("0-0 1-1", "0-0 1-0"), "a green house": ("0-0 1-2 2-2", "0-0 1-2 2-1")}
OTHERS = "0-1"  # links of sentences that are not scored
# Worked by hand with |S| = 4. A are the links found; A&S and A&P are those in S and P (S with the possible links 1-0 and
# 1-2).
#                      A  A&S  A&P  AER = 1 - (A&S + A&P) / (A + 4)
# forward              5    3    4  1 - 7/9
# intersection         3    2    3  1 - 5/7       0-0; 0-0 1-2
# grow-diag-final-and  7    4    6  1 - 10/11     0-0 1-0 1-1; 0-0 1-2 2-1 2-2
BY_HAND = {"forward": ["22.2", "80.0", "75.0"], "intersection": ["28.6", "100.0", "50.0"],
           "grow-diag-final-and": ["9.1", "85.7", "100.0"]}


def awk(which):
    """Returns a command that prints the links for a file of sentences `source ||| target`."""
    known = " ".join(f'$1 == "{source}" {{ print "{links[which]}"; next }}' for source, links in FAKE.items())
    return f"awk -F ' [|][|][|] ' '{known} {{ print \"{OTHERS}\" }}' \"$2\""


class Aligners(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.pairs = programs.write_lines(self.folder / "pairs.tsv", PAIRS)
        self.gold = programs.write_lines(self.folder / "gold.tsv", GOLD)
        self.programs = self.folder / "bin"
        self.programs.mkdir()

    def write_program(self, name, *lines):
        path = programs.write_lines(self.programs / name, ["#!/bin/sh", "PATH=/usr/bin:/bin", *lines])
        path.chmod(0o755)
        return path

    def write_fast_align(self, forward=None):
        return self.write_program("fast_align", 'test "$1 $3 $4 $5" = "-i -d -o -v" || exit 1',
                                  f'if test "$6" = -r; then {awk(1)}; else {forward or awk(0)}; fi')

    def write_eflomal(self):
        return self.write_program("eflomal-align", 'test "$1 $3 $5" = "-i -f -r" || exit 1', f'{awk(0)} > "$4"', f'{awk(1)} > "$6"')

    def script(self, *arguments):
        environment = {**os.environ, "PATH": str(self.programs)}  # hides the aligners of this machine
        files = ["--build", programs.BUILD, "--data", self.pairs, "--gold", self.gold]
        return subprocess.run([sys.executable, HERE / "aligners.py", *files, *arguments], capture_output=True, text=True,
                              timeout=600, check=False, env=environment)

    def rows(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line for line in result.stdout.splitlines() if line.startswith("| gold |")]
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]  # without the heading

    def test_the_scores_of_other_aligners_are_those_by_hand(self):
        self.write_fast_align()
        self.write_eflomal()
        result = self.script()
        rows = self.rows(result)
        expected = [[aligner, "seen", rule, *BY_HAND[rule]] for aligner in ("fast_align", "eflomal") for rule in BY_HAND]
        self.assertEqual([row[1:7] for row in rows[2:]], expected)
        self.assertEqual(result.stderr, "note: pairs left out, which have a blank side or the word |||: 1\n")

    def test_links_aligns_sentences_that_it_has_seen_and_others(self):
        shown = {}
        lines = programs.short_pairs("test.tsv", 120, 9)
        programs.write_lines(self.pairs, lines[:80])
        programs.write_lines(self.gold, lines[80:])
        seen = programs.write_lines(self.folder / "seen.tsv", ["\t".join(line.split("\t")[:2]) for line in lines[:80]] + lines[80:])
        for name, files in {"seen": ["--data", seen], "unseen": ["--data", self.pairs, "--align", self.gold]}.items():
            printed = programs.succeed("links", *files, "--tokenizer", "none", "--threads", "1", "--out", self.folder / "out")
            shown[name] = re.search(r"^agreement +(\S+) +(\S+) +(\S+)", printed, re.M).groups()
        self.assertNotEqual(shown["seen"], shown["unseen"])
        rows = self.rows(self.script())
        self.assertEqual([row[1:7] for row in rows], [["links", name, "agreement", *shown[name]] for name in ("seen", "unseen")])
        other = self.rows(self.script("--links=--diagonal-rounds 1 --jump-rounds 0"))
        self.assertNotEqual([row[4] for row in other], [row[4] for row in rows])

    def test_a_program_that_is_missing_has_no_rows_and_a_note(self):
        result = self.script("--fast-align", "no/such/program")
        self.assertEqual([row[1] for row in self.rows(result)], ["links", "links"])
        self.assertRegex(result.stderr, "no program no/such/program, .*github.com/clab/fast_align")
        self.assertRegex(result.stderr, "no program eflomal-align, .*pip install eflomal")
        elsewhere = self.write_fast_align().rename(self.folder / "other")
        result = self.script("--fast-align", elsewhere)
        self.assertEqual([row[1] for row in self.rows(result)], ["links"] * 2 + ["fast_align"] * 3)

    def test_an_aligner_that_skips_pairs_is_refused(self):
        self.write_fast_align("echo 0-0")
        result = self.script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: fast_align has aligned 1 of 5 pairs", result.stderr)

    def test_gold_without_links_is_refused(self):
        programs.write_lines(self.gold, [*GOLD, "the house\tla maison"])
        result = self.script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("gold.tsv:3 has 2 columns; 3 are needed", result.stderr)


if __name__ == "__main__":
    unittest.main()
