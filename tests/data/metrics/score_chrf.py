"""Corpus chrF2 from its definition (Popovic 2015; the choices of sacreBLEU: 6 characters, no words), to check our
implementation.

usage: score_chrf.py FILE    one JSON object per line: {"hypothesis": text, "references": [text, ...]}
Prints the score, one line per corpus of the file.
"""
import json
import sys
from collections import Counter

import corpora


def statistics(hypothesis, reference):
    """Returns, for each order, the numbers of n-grams of the hypothesis, of the reference, and of both."""
    rows = []
    for n in range(1, 7):
        h = Counter(hypothesis[i : i + n] for i in range(len(hypothesis) - n + 1))
        r = Counter(reference[i : i + n] for i in range(len(reference) - n + 1))
        rows.append((sum(h.values()) if r else 0, sum(r.values()), sum((h & r).values())))
    return rows


def f_score(rows):
    both = [(m / h, m / r) for h, r, m in rows if h and r]
    if not both:
        return 0.0
    precision = sum(p for p, _ in both) / len(both)
    recall = sum(r for _, r in both) / len(both)
    if precision + recall == 0:
        return 0.0
    return 100 * 5 * precision * recall / (4 * precision + recall)


def score(lines):
    total = [(0, 0, 0)] * 6
    for line in lines:
        pair = json.loads(line)
        hypothesis = "".join(pair["hypothesis"].split())
        choices = [statistics(hypothesis, "".join(text.split())) for text in pair["references"]]
        best = max(choices, key=f_score)  # the first of equal references
        total = [tuple(map(sum, zip(a, b))) for a, b in zip(total, best)]
    return f_score(total)


for corpus in corpora.read(sys.argv[1]):
    print(repr(score(corpus)))
