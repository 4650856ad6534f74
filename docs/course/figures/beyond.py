"""The figures of chapters 21 to 27."""
import math

from kit import BLUE, INK, ORANGE, Picture
from recurrent import softmax


def cells():
    """A picture as cells: soft weights over all cells, and hard attention to one cell"""
    p = Picture(620, 256)
    left, top, cell, side = 20, 60, 22, 6
    red, blue = [(0, 2), (0, 3), (1, 2), (1, 3)], [(4, 4), (4, 5), (5, 4), (5, 5)]  # rows and columns of the objects
    p.add(f'<rect x="{left}" y="{top}" width="{side * cell}" height="{side * cell}" fill="#f4f4f4" stroke="{INK}"/>')
    p.add(f'<circle cx="{left + 3 * cell}" cy="{top + cell}" r="16" fill="#c8322b"/>')
    p.add(f'<rect x="{left + 4 * cell + 7}" y="{top + 4 * cell + 7}" width="30" height="30" fill="#2b5fc8"/>')
    for i in range(1, side):
        p.line([(left + i * cell, top), (left + i * cell, top + side * cell)], "#bbbbbb", 1)
        p.line([(left, top + i * cell), (left + side * cell, top + i * cell)], "#bbbbbb", 1)
    p.text(left + 3 * cell, top + side * cell + 20, f"{side * side} cells a_i", 13)
    p.arrow((left + side * cell + 8, 126), (left + side * cell + 42, 126))
    p.text(196, 82, "soft", 12, BLUE), p.text(196, 192, "hard", 12, ORANGE)
    for k, (word, seen, drawn) in enumerate((("red", red, 1), ("above", red + blue, 6), ("blue", blue, 2))):
        x = 230 + 130 * k
        scores = [3 if (i, j) in seen else 0 for i in range(side) for j in range(side)]
        alpha = softmax(scores)
        soft = [[alpha[i * side + j] / max(alpha) * .8 for j in range(side)] for i in range(side)]
        hard = [[.9 if (i, j) == seen[drawn] else 0 for j in range(side)] for i in range(side)]
        p.text(x + 45, 22, word, 14)
        p.matrix(x, 32, soft, 15), p.matrix(x, 142, hard, 15)
    p.text(410, 250, "z = sum of alpha_i a_i, or the one a_i that was drawn", 12, "#555555")
    return p


def baseline():
    """The gradient of the first score for either drawn cell, without a baseline and with the mean as baseline"""
    p = Picture(600, 210)
    rewards = [math.log(.9), math.log(.1)]
    for k, (name, b) in enumerate((("b = 0", 0), ("b = mean of R", sum(rewards) / 2))):
        zero, top = 240 + 280 * k, 40
        p.text(zero - 40, 24, name, 13, weight="bold")
        gradients = [-(rewards[0] - b) * .5, (rewards[1] - b) * .5]
        for i, (gradient, words) in enumerate(zip(gradients + [sum(gradients) / 2], ("drew cell 1", "drew cell 2", "mean"))):
            y, end = top + 44 * i, zero + 120 * gradient
            p.add(f'<rect x="{min(zero, end):.1f}" y="{y}" width="{abs(end - zero):.1f}" height="26" fill="{ORANGE if i == 2 else BLUE}"/>')
            p.text(zero + 14, y + 18, f"{gradient:.2f}", 12, anchor="start")
            if k == 0:
                p.text(4, y + 18, words, 12, anchor="start")
        p.line([(zero, top - 6), (zero, top + 124)], "#888888")
    p.text(300, 198, "dL / de_1: with the baseline both draws agree with the mean", 12, "#555555")
    return p


def far():
    """The receptive field of a cell: convolutions and self-attention"""
    p = Picture(560, 230)
    side, cell, asks, twin = 8, 20, (2, 2), (6, 6)
    for k, name in enumerate(("convolutions of 3 × 3", "self-attention")):
        left, top = 60 + 270 * k, 34
        p.text(left + side * cell / 2, 22, name, 13, weight="bold")
        apart = [[max(abs(i - asks[0]), abs(j - asks[1])) for j in range(side)] for i in range(side)]
        if k == 0:
            shades = [[(.8, .5, .3, .12, 0)[min(d, 4)] for d in row] for row in apart]
        else:
            alpha = softmax([4 if (i, j) == twin else 0 for i in range(side) for j in range(side)])
            shades = [[alpha[i * side + j] / max(alpha) * .8 + .1 for j in range(side)] for i in range(side)]
        p.matrix(left, top, shades, cell)
        x, y = left + (asks[1] + .5) * cell, top + (asks[0] + .5) * cell
        p.circle(x, y, "", 6)
        if k == 1:
            p.arrow((x + 5, y + 5), (left + (twin[1] + .5) * cell - 8, top + (twin[0] + .5) * cell - 8), ink=ORANGE)
    p.text(140, 216, "after one, two, three of them", 12, "#555555")
    p.text(410, 216, "every cell after one layer, most from the cell that fits", 12, "#555555")
    return p


def compared():
    """Attend, compare, aggregate: one matrix of scores, normalised by rows and by columns"""
    p = Picture(620, 230)
    a, b, e = ["dog", "sleeps"], ["a", "dog", "rests"], [[0, 3, 0], [0, 0, 2]]
    columns = [softmax([row[j] for row in e]) for j in range(3)]
    for x, name, rows, ink in ((90, "rows: beta", [softmax(row) for row in e], BLUE),
                               (300, "columns: alpha", [[columns[j][i] for j in range(3)] for i in range(2)], ORANGE)):
        p.text(x + 54, 22, name, 13, ink, weight="bold")
        for j, word in enumerate(b):
            p.text(x + 18 + 36 * j, 46, word, 12)
        for i, word in enumerate(a):
            p.text(x - 8, 76 + 36 * i, word, 12, anchor="end")
        p.matrix(x, 54, rows, 36, numbers=True)
    for x, given, own, n, ink in ((144, "beta_i", "a_i", 1, BLUE), (354, "alpha_j", "b_j", 2, ORANGE)):
        p.arrow((x, 128), (x, 146), ink=ink)
        p.box(x, 162, 140, 28, f"G([{own}; {given}])", "#eef3f8", size=13)
        p.text(x + 76, 167, "each", 11, "#555555", "start")
        y = 216 - 16 * n
        p.arrow((x, 176), (x, y + 8), (500, y + 8), ink=ink)
        p.text(x + 8, y + 3, f"sum: v{'₁₂'[n - 1]}", 12, ink, "start")
    p.box(550, 200, 96, 30, "H([v₁; v₂])", "#fdf1e4", edge=ORANGE, size=13)
    p.text(550, 174, "does it follow?", 12, "#555555")
    return p


def lstmn():
    """An LSTM has one state, an LSTMN attends to all of its states"""
    p = Picture(640, 222)
    words = "mary likes tea . john likes chess . mary likes".split()
    place = [36 + 60 * j for j in range(len(words))]
    alpha = softmax([0, 0, 4, 0, 0, 0, 1, 0, 0])
    for j, word in enumerate(words):
        p.text(place[j], 190, word, 13)
        p.box(place[j], 160, 40, 22, "h, c", "#eef3f8", size=11)
        if j:
            p.arrow((place[j - 1] + 20, 160), (place[j] - 20, 160))
    for i, weight in enumerate(alpha):
        middle, half = (place[i] + place[-1]) / 2, (place[-1] - place[i]) / 2
        arc = [(middle - half * math.cos(math.pi * k / 24), 148 - (24 + half * .42) * math.sin(math.pi * k / 24)) for k in range(25)]
        p.line(arc, BLUE, .4 + 5 * weight)
    p.text(300, 214, "straight: one state is handed on; arcs: all states, by their weights", 12, "#555555")
    p.text(618, 166, "tea?", 13, ORANGE)
    return p


def hops():
    """Two hops over a story: who has the apple, and where they went"""
    p = Picture(620, 210)
    story = ["mary took apple", "mary went garden", "john went office"]
    first = softmax([4, 0, 0])  # 2 2 for the apple
    mary, john = 6 * (2 / 3 - 1 / 18), 6 * (2 / 3 - 2 / 18)  # C of the name at word 1 of 3
    u = ((first[0] + first[1]) * mary, first[2] * john, 6 / 2 + first[1] + 2 * first[2])
    second = softmax([u[0] * mary, u[0] * mary + u[2], u[1] * john + 2 * u[2]])
    for i, sentence in enumerate(story):
        p.box(310, 60 + 50 * i, 170, 34, sentence, size=14)
        for k, (weights, ink) in enumerate(((first, BLUE), (second, ORANGE))):
            ends = ((150, 110), (224, 60 + 50 * i)) if k == 0 else ((396, 60 + 50 * i), (470, 110))
            p.line(ends, ink, .4 + 5 * weights[i])
            x, y = (190, 82 + 26 * i) if k == 0 else (430, 82 + 26 * i)
            p.text(x + (-6 if k == 0 else 6), y + (-12, -6, 20)[i], f"{weights[i]:.3f}".lstrip("0"), 11, ink,
                   "end" if k == 0 else "start")
    p.box(90, 110, 120, 44, "where apple?", "#e9f3e8"), p.box(530, 110, 120, 44, "garden", "#fdf1e4", edge=ORANGE)
    p.text(190, 30, "hop 1", 13, BLUE), p.text(430, 30, "hop 2", 13, ORANGE)
    p.text(310, 202, "hop 1 returns mary; hop 2 asks with the question and mary", 12, "#555555")
    return p


def addressing():
    """From a key to weights: by content or by location, shifted, sharpened"""
    p = Picture(620, 262)
    cosines, stood, g, shift, gamma = (.1, -.4, .2, .9, .3, -.2, .7, 0), (0, .1, .8, .1, 0, 0, 0, 0), .25, (.1, .2, .7), 3
    content = softmax([5 * c for c in cosines])
    gated = [g * c + (1 - g) * s for c, s in zip(content, stood)]
    moved = [sum(s * gated[(i - d) % 8] for d, s in zip((-1, 0, 1), shift)) for i in range(8)]
    sharp = [w ** gamma for w in moved]
    rows = (("softmax of 5 cosines", "eq. 5", content, BLUE), ("weights of the last step", "", stood, ORANGE),
            (f"{g:g} of one, {1 - g:g} of the other", "eq. 7", gated, INK),
            ("shifted: −1 by .1, 0 by .2, +1 by .7", "eq. 8", moved, INK),
            (f"to the power of {gamma}, and divided", "eq. 9", [w / sum(sharp) for w in sharp], INK))
    for place in range(8):
        p.text(250 + 38 * place + 19, 22, place, 12, "#555555")
    for i, (name, equation, weights, ink) in enumerate(rows):
        y = 32 + 44 * i
        p.text(238, y + 22, name, 13, ink, "end")
        p.matrix(250, y, [weights], 38, numbers=True)
        p.text(570, y + 22, equation, 12, "#555555", "start")
    return p
