"""Corpus BLEU from its definition (Papineni et al. 2002; the choices of sacreBLEU with tok=none), to check our
implementation.

usage: score_bleu.py FILE    one JSON object per line: {"hypothesis": text, "references": [text, ...]}
Prints the score, the four precisions, the brevity penalty and both lengths, one line per corpus of the file.
"""
import json
import math
import sys
from collections import Counter

import corpora


def words(text):
    return [word for word in text.replace("\t", " ").split(" ") if word]


def ngrams(words, n):
    return Counter(zip(*(words[i:] for i in range(n))))


def score(lines):
    pairs = [json.loads(line) for line in lines]
    clipped, possible = [0] * 4, [0] * 4
    length = reference_length = 0
    for pair in pairs:
        hypothesis = words(pair["hypothesis"])
        references = [words(text) for text in pair["references"]]
        length += len(hypothesis)
        reference_length += min((abs(len(r) - len(hypothesis)), len(r)) for r in references)[1]
        for n in (1, 2, 3, 4):
            allowed = Counter()
            for reference in references:
                allowed |= ngrams(reference, n)  # the union of counters keeps the larger count
            written = ngrams(hypothesis, n)
            possible[n - 1] += sum(written.values())
            clipped[n - 1] += sum((written & allowed).values())

    penalty = 1.0
    if length < reference_length:
        penalty = math.exp(1 - reference_length / length) if length else 0.0
    precisions = [0.0] * 4
    if any(clipped):
        zeros = 0
        for n in range(4):
            if possible[n] == 0:
                break
            if clipped[n] == 0:
                zeros += 1
                precisions[n] = 100 * 0.5**zeros / possible[n]
            else:
                precisions[n] = 100 * clipped[n] / possible[n]
    return penalty * math.prod(precisions) ** 0.25, *precisions, penalty, length, reference_length


if __name__ == "__main__":
    for corpus in corpora.read(sys.argv[1]):
        print(*map(repr, score(corpus)))
