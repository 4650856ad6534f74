"""The figures of chapters 28 and 29."""
from kit import BLUE, INK, ORANGE, Picture


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
