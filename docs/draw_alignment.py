#!/usr/bin/env python3
"""Draws an alignment record as the picture in the README.

    build/align --run runs/demo --data data/toy/test.tsv --out runs/demo/alignments.jsonl
    docs/draw_alignment.py runs/demo/alignments.jsonl "the european economic area" > docs/alignment.svg

The second argument is the source sentence of a record. Darker cells have more attention. Orange outlines mark gold links,
with dashed lines if the links are only possible.
"""
import json
import sys
from html import escape

CELL, LABEL_LEFT, LABEL_TOP, MARGIN_RIGHT = 44, 140, 92, 48


def shade(weight):
    """Returns the colour of a weight, from white for 0 to dark blue for 1. The range is fixed, so pictures can be
    compared."""
    paper, ink = (255, 255, 255), (8, 48, 107)
    return "#%02x%02x%02x" % tuple(round(p + (i - p) * weight) for p, i in zip(paper, ink))


def draw(record):
    source, target, matrix = record["source_tokens"], record["target_tokens"], record["matrix"]
    width, height = LABEL_LEFT + CELL * len(source) + MARGIN_RIGHT, LABEL_TOP + CELL * len(target) + 12
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="15">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for s, word in enumerate(source):
        x = LABEL_LEFT + CELL * s + CELL / 2
        out.append(f'<text transform="translate({x + 4},{LABEL_TOP - 10}) rotate(-40)">{escape(word)}</text>')
    for t, word in enumerate(target):
        y = LABEL_TOP + CELL * t
        out.append(f'<text x="{LABEL_LEFT - 10}" y="{y + CELL / 2 + 5}" text-anchor="end">{escape(word)}</text>')
        for s, weight in enumerate(matrix[t]):
            x = LABEL_LEFT + CELL * s
            out.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{shade(weight)}" stroke="#dddddd"/>')
            if weight >= 0.05:
                ink = "#ffffff" if weight > 0.5 else "#222222"
                out.append(f'<text x="{x + CELL / 2}" y="{y + CELL / 2 + 4}" text-anchor="middle" font-size="12" '
                           f'fill="{ink}">{weight:.2f}</text>')
    for kind, dash in (("sure", ""), ("possible", ' stroke-dasharray="5 3"')):
        for s, t in record.get("gold", {}).get(kind, []):
            out.append(f'<rect x="{LABEL_LEFT + CELL * s + 2}" y="{LABEL_TOP + CELL * t + 2}" width="{CELL - 4}" '
                       f'height="{CELL - 4}" fill="none" stroke="#e6820a" stroke-width="3"{dash}/>')
    return "\n".join(out + ["</svg>"])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["source_sent"] == sys.argv[2]:
                print(draw(record))
                return
    sys.exit(f"{sys.argv[1]}: no record of the sentence {sys.argv[2]!r}")


if __name__ == "__main__":
    main()
