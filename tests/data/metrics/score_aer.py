"""AER, precision and recall from their definition (Och & Ney 2003), to check our implementation.

usage: score_aer.py FILE    one pair per line: links found <TAB> gold links, both in Pharaoh form
Prints the three figures of each corpus of the file, pooled over its lines, one line per corpus.
"""
import re
import sys

import corpora


def links(text, kinds):
    return {(int(s), int(t)) for s, kind, t in re.findall(r"(\d+)([-?p])(\d+)", text) if kind in kinds}


def score(lines):
    found = sure = found_sure = found_possible = 0
    for line in lines:
        left, right = line.split("\t")
        a, s, p = links(left, "-"), links(right, "-"), links(right, "-?p")  # P includes S
        found += len(a)
        sure += len(s)
        found_sure += len(a & s)
        found_possible += len(a & p)
    aer = 1 - (found_sure + found_possible) / (found + sure) if found + sure else 0.0
    return aer, found_possible / found if found else 1.0, found_sure / sure if sure else 1.0


if __name__ == "__main__":
    for corpus in corpora.read(sys.argv[1]):
        print(*map(repr, score(corpus)))
