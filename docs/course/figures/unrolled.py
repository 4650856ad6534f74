"""The figures of chapter 5 and of chapters 13 to 20."""
import math
import random

from kit import BLUE, GREEN, INK, ORANGE, PALE, Picture
from recurrent import softmax


def pooling():
    """A curve from points: too wide a kernel, too narrow a one, and one between"""
    p = Picture(600, 240)
    x0, y0, width, height = 40, 200, 520, 160
    p.axes(x0, y0, width, height, "x", "y")
    draw = random.Random(2)
    keys = sorted(draw.uniform(0, 5) for _ in range(40))
    values = [2 * math.sin(x) + x ** .8 + draw.gauss(0, .5) for x in keys]

    def place(x, y):
        return x0 + x / 5 * width, y0 - (y + 1) / 6 * height
    for x, y in zip(keys, values):
        a, b = place(x, y)
        p.add(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="#999999"/>')
    for k, (w, ink) in enumerate(((.7, GREEN), (4, BLUE), (40, ORANGE))):
        curve = []
        for i in range(261):
            x = i / 52
            alpha = softmax([-(w * (x - key)) ** 2 / 2 for key in keys])
            curve.append(place(x, sum(a * y for a, y in zip(alpha, values))))
        p.line(curve, ink, 2)
        p.text(420, 34 + 18 * k, f"w = {w}: {('too wide', 'between', 'repeats the noise')[k]}", 13, ink, "start")
    return p


def lookup():
    """A soft look-up: one query, two keys, two values"""
    p = Picture(600, 190)
    query, rows = (2, 1), [((1, 0), (10, 0)), ((0, 1), (0, 20))]
    weights = softmax([sum(a * b for a, b in zip(query, k)) / math.sqrt(2) for k, _ in rows])
    for x, name in ((60, "query"), (220, "keys"), (430, "values")):
        p.text(x, 30, name, 13, weight="bold")
    p.box(60, 100, 80, 30, f"({query[0]}, {query[1]})", "#e9f3e8")
    for i, (k, v) in enumerate(rows):
        y = 70 + 60 * i
        p.box(220, y, 80, 30, f"({k[0]}, {k[1]})"), p.box(430, y, 80, 30, f"({v[0]}, {v[1]})", "#eef3f8")
        p.line([(100, 100), (180, y)], BLUE, .5 + 6 * weights[i])
        p.line([(260, y), (390, y)], BLUE, .5 + 6 * weights[i])
        p.text(325, y - 8, f"{weights[i]:.3f}".lstrip("0"), 13, BLUE)
        p.line([(470, y), (520, 100)], ORANGE, .5 + 6 * weights[i])
    answer = [sum(a * v[c] for a, (_, v) in zip(weights, rows)) for c in (0, 1)]
    p.text(525, 130, f"({answer[0]:.2f}, {answer[1]:.2f})", 13, ORANGE)
    return p


def symmetry():
    """Shuffle the words, and rows and columns of the weights are shuffled"""
    p = Picture(560, 200)
    x, words, order = [1., 0., -.8, .4], ["the", "cat", "sees", "us"], [2, 0, 3, 1]
    for k, rows in enumerate((range(4), order)):
        left = 70 + 280 * k
        p.matrix(left, 50, [softmax([2 * x[i] * x[j] for j in rows]) for i in rows], 34, numbers=True)
        for j, i in enumerate(rows):
            p.text(left + 17 + 34 * j, 42, words[i], 12), p.text(left - 6, 71 + 34 * j, words[i], 12, anchor="end")
    p.arrow((222, 118), (300, 118), ink=ORANGE), p.text(260, 108, "P", 14, ORANGE)
    return p


def positions():
    """Sinusoidal vectors of 24 positions: fast columns on the left, slow ones on the right"""
    p = Picture(600, 190)
    d, n = 64, 24
    for i in range(n):
        for j in range(d):
            angle = i * 10000 ** (-2 * (j // 2) / d)
            p_ij = math.cos(angle) if j % 2 else math.sin(angle)
            red, blue = (round(255 - 170 * max(0, s * p_ij)) for s in (1, -1))
            p.add(f'<rect x="{50 + 8 * j}" y="{14 + 6 * i}" width="8" height="6" fill="#{red:02x}{min(red, blue):02x}{blue:02x}"/>')
    p.text(44, 24, "0", 11, "#555555", "end"), p.text(44, 156, str(n - 1), 11, "#555555", "end")
    p.text(50, 176, "columns 0, 1, ..", 12, "#555555", "start"), p.text(562, 176, f"{d - 1}", 12, "#555555", "end")
    p.text(330, 176, "down: positions; red: below 0, blue: above", 12, "#555555")
    return p


def transformer():
    """The Transformer, pre-norm: one of L layers of each side, and the final layer norms"""
    p = Picture(600, 480)
    for x, name, parts in ((150, "source", ["self-attention", "feed-forward"]),
                           (430, "target so far", ["causal self-attention", "attention to the source", "feed-forward"])):
        p.text(x, 470, name, 13)
        p.box(x, 435, 150, 28, "√d E[w] + P", "#eef3f8", size=13)
        p.arrow((x, 456), (x, 450))
        below = 421
        for k, part in enumerate(parts):
            y = 360 - 112 * k
            p.box(x, y, 170, 28, part, "#fdf1e4" if "attention" in part else "#e9f3e8", edge=ORANGE if "attention" in part else GREEN,
                  size=13)
            p.box(x, y + 32, 60, 18, "LN", size=11)
            p.arrow((x, below), (x, y + 42)), p.arrow((x, y - 14), (x, y - 27))
            p.arrow((x, y + 51), (x + 105, y + 51), (x + 105, y - 36), (x + 9, y - 36), ink="#888888")
            p.circle(x, y - 36, "+", 8)
            below = y - 44
        p.text(x - 122, 300, "L ×", 14, "#555555")
        p.box(x, below - 22, 60, 18, "LN", "#eef3f8", size=11)  # the final layer norm of pre-norm
        p.arrow((x, below), (x, below - 12))
        p.text(x - 38, below - 18, "final", 11, "#555555", "end")
    p.arrow((150, 173), (150, 156), (300, 156), (300, 248), (344, 248), ink=BLUE)
    p.text(225, 148, "x_L: keys and values", 12, BLUE)
    p.arrow((430, 61), (430, 50)), p.box(430, 34, 150, 28, "softmax(y_L W)", "#eef3f8", size=13)
    return p


def training_step():
    """One training step, and then the next"""
    p = Picture(600, 200)
    around = [(90, 50, "a batch of words"), (300, 50, "forward: logits"), (510, 50, "loss: −log p, mean"),
              (510, 150, "backward: gradients"), (300, 150, "Adam: new weights"), (90, 150, "gradients cleared")]
    for x, y, words in around:
        p.box(x, y, 160, 36, words, "#fdf1e4" if "backward" in words else "#eef3f8", size=13)
    for (x, y, _), (a, b, _) in zip(around, around[1:] + around[:1]):
        if y == b:
            p.arrow((x + (80 if a > x else -80), y), (a + (-80 if a > x else 80), b))
        else:
            p.arrow((x, y + (18 if b > y else -18)), (a, b + (-18 if b > y else 18)))
    return p


def cache():
    """Step 5 without a KV cache and with one"""
    p = Picture(600, 190)
    p.text(130, 24, "step 5 without a cache", 13), p.text(430, 24, "step 5 with keys and values kept", 13)
    for left, old in ((70, .55), (370, 0.)):
        rows = [[(.9 if i == 4 else old) if j <= i else None for j in range(5)] for i in range(5)]
        p.matrix(left, 40, rows, 26, edge="#aaaaaa")
    p.text(130, 184, "15 scores, 5 words projected", 12, "#555555"), p.text(430, 184, "5 scores, 1 word projected", 12, "#555555")
    return p


def fast_weights():
    """A matrix that every word writes to: keys choose the column"""
    p = Picture(620, 170)
    keys, values = [(1, 0, 0), (0, 1, 0)], [(5, 1), (2, 4)]
    W = [[0] * 3 for _ in range(2)]
    for n in range(3):
        left = 30 + 210 * n
        for i in range(2):
            for j in range(3):
                p.box(left + 20 + 36 * j, 70 + 36 * i, 36, 36, f"{W[i][j]}", "#eef3f8" if W[i][j] else "#ffffff", edge="#aaaaaa")
        p.text(left + 56, 40, f"W{'₀₁₂'[n]}", 14)
        if n < 2:
            p.arrow((left + 118, 88), (left + 196, 88), ink=ORANGE)
            p.text(left + 156, 76, "+ v k'", 13, ORANGE)
            p.text(left + 156, 112, f"v = {values[n]}", 12), p.text(left + 156, 130, f"k = {keys[n]}", 12)
            W = [[W[i][j] + values[n][i] * keys[n][j] for j in range(3)] for i in range(2)]
    p.text(310, 160, "a query equal to k reads the column of k", 12, "#555555")
    return p


def tiles():
    """Scores by tiles: three running values per row are kept"""
    p = Picture(600, 200)
    for i in range(4):
        for j in range(6):
            p.add(f'<rect x="{40 + 44 * j}" y="{34 + 34 * i}" width="44" height="34" fill="'
                  f'{"#fdf1e4" if (i, j) == (2, 3) else "#eef3f8" if i < 2 or (i == 2 and j < 3) else "#ffffff"}" stroke="{PALE}"/>')
    p.add(f'<rect x="172" y="102" width="44" height="34" fill="none" stroke="{ORANGE}" stroke-width="2"/>')
    p.text(172, 24, "keys, tile by tile", 12), p.text(28, 108, "q", 14)
    p.arrow((216, 119), (340, 119), ink=ORANGE)
    for k, (name, words) in enumerate((("m", "largest score so far"), ("l", "sum of e^(e − m) so far"), ("o", "sum of e^(e − m) v so far"))):
        p.box(360, 85 + 34 * k, 30, 26, name, "#fdf1e4", edge=ORANGE), p.text(384, 90 + 34 * k, words, 13, anchor="start")
    p.text(172, 190, "no tile is kept: the backward pass computes each again", 12, "#555555")
    return p
