"""The figures of chapters 28 to 30."""
import json
from pathlib import Path

from kit import BLUE, GREEN, INK, ORANGE, Picture

HEATMAPS = Path(__file__).resolve().parent / "heatmaps.json"
STUDY = Path(__file__).resolve().parents[2] / "measured" / "studies" / "alignment-on-real-text.json"


def circuits():
    """The circuits of attention alone: the direct path, OV, QK"""
    p = Picture(560, 214)

    def chain(y, names, words, ink, what):
        p.text(90, y + 5, words[0], 14, anchor="end")
        x = 144
        p.arrow((94, y), (x - 26, y), ink=ink)
        for name in names:
            p.box(x, y, 50, 30, name, edge=ink, ink=ink)
            p.arrow((x + 26, y), (x + 46, y), ink=ink)
            x += 72
        p.text(x - 20, y + 5, words[1], 14, anchor="start")
        p.text(118, y - 22, what, 12, ink, anchor="start")

    chain(40, ["W_E", "W_U"], ("last word", "its bigrams"), INK, "direct path")
    chain(100, ["W_E", "W_V", "W_O", "W_U"], ("seen word", "what it raises"), BLUE, "OV circuit: what follows")
    chain(160, ["W_E", "W_Q", "W_K'", "W_E'"], ("last word", "score for a word"), ORANGE, "QK circuit: where")
    p.text(280, 204, "each row is one product of matrices, a table of words by words", 12, "#555555")
    return p


def saliency():
    """Normalisation of maps: one peak stays, many equal peaks suppress each other"""
    p = Picture(620, 190)
    side, cell = 4, 26
    boards = [("one peak", {6: 1}), ("one above others", {3: .5, 6: 1, 13: .25}), ("four equal peaks", {0: 1, 3: 1, 9: 1, 14: 1})]
    for k, (name, peaks) in enumerate(boards):
        left = 20 + 205 * k
        before = [peaks.get(i, 0.0) for i in range(side * side)]
        mean = (sum(peaks.values()) - 1) / max(1, len(peaks) - 1)
        after = [value * (1 - mean) ** 2 for value in before]
        p.text(left + 90, 20, name, 13, weight="bold")
        for x, weights, what in ((left, before, "map"), (left + 98, after, "N(map)")):
            rows = [weights[i * side:(i + 1) * side] for i in range(side)]
            p.matrix(x, 34, rows, cell - 5)
            p.text(x + 2 * (cell - 5), 136, what, 12, BLUE if what == "map" else ORANGE)
        p.text(left + 90, 158, f"(1 - {mean:.2f})^2 = {(1 - mean) ** 2:.2f}", 12, "#555555")
    return p


def explanation():
    """AER of attention and of the diagonal on five test sets"""
    p = Picture(620, 250)
    study = json.loads(STUDY.read_text(encoding="utf-8"))
    names = study["columns"][2:]
    rows = {row[0]: [float(cell.split()[0]) if cell != "-" else None for cell in row[2:]] for row in study["rows"]}
    shown = [("RNNsearch", BLUE, "attention"), ("trained on joined pairs too", GREEN, "attention, trained on joined pairs too"),
             ("the diagonal", ORANGE, "the diagonal")]
    left, bottom, step, height = 50, 200, 112, 150
    p.axes(left, bottom, 560, height, "", "AER, %")
    for mark in (20, 40, 60):
        p.text(left - 6, bottom - mark / 80 * height + 4, mark, 11, "#555555", "end")
    for i, name in enumerate(names):
        for k, (row, ink, _) in enumerate(shown):
            size, x = rows[row][i] / 80 * height, left + 30 + step * i + 28 * k
            p.box(x, bottom - size / 2, 22, size, fill=ink, edge=ink)
            p.text(x, bottom - size - 4, f"{rows[row][i]:.0f}", 11)
        p.text(left + 58 + step * i, bottom + 18, name, 12)
    for k, (_, ink, what) in enumerate(shown):
        p.box(60 + (0, 110, 360)[k], 236, 12, 12, fill=ink, edge=ink)
        p.text(72 + (0, 110, 360)[k], 240, what, 12, anchor="start")
    return p


def heatmaps():
    """Attention of one model on a short and on a long sentence, with the gold links and the diagonal"""
    p = Picture(660, 410)
    for pair, left, cell, what in zip(json.loads(HEATMAPS.read_text(encoding="utf-8"))["pairs"], (62, 324), (18, 14), ("(a) short", "(b) long")):
        top, words, rows = 92, [*pair["source"].split(), "</s>"], pair["target"].split()
        p.text(left, 16, what, 13, anchor="start", weight="bold")
        p.matrix(left, top, pair["weights"], cell)
        for j, word in enumerate(words):
            p.add(f'<g transform="translate({left + (j + .7) * cell:g} {top - 5}) rotate(-60)">')
            p.text(0, 0, word, 11, anchor="start")
            p.add("</g>")
        for i, word in enumerate(rows):
            p.text(left - 4, top + (i + .7) * cell, word, 11, anchor="end")
            x = (2 * i + 1) * (len(words) - 1) // (2 * len(rows))
            p.add(f'<circle cx="{left + (x + .5) * cell:g}" cy="{top + (i + .5) * cell:g}" r="2" fill="{GREEN}"/>')
        for link in pair["gold"].split():
            j, i = map(int, link.split("-"))
            p.add(f'<rect x="{left + j * cell + 1:g}" y="{top + i * cell + 1:g}" width="{cell - 2}" height="{cell - 2}" fill="none" '
                  f'stroke="{ORANGE}" stroke-width="2"/>')
    p.text(62, 280, "frame: gold link", 12, ORANGE, "start")
    p.text(62, 298, "dot: diagonal", 12, GREEN, "start")
    return p
