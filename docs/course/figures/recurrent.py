"""The figures of chapters 1 to 4 and 6 to 12."""
import math
import random

from kit import BLUE, GREEN, INK, ORANGE, PALE, Picture


def softmax(scores):
    powers = [math.exp(e) for e in scores]
    return [p / sum(powers) for p in powers]


def graph():
    """Values go right, gradients come back"""
    p = Picture(560, 170)
    for x, y, words in ((50, 90, "x"), (190, 50, "tanh"), (310, 90, "×"), (430, 90, "sum")):
        p.box(x, y, 60, 32, words, "#eef3f8" if words == "x" else "#ffffff")
    p.text(500, 95, "y"), p.arrow((492, 90), (460, 90), ink="#555555", dash="2 3")
    for way in (((80, 84), (160, 54)), ((220, 54), (280, 84)), ((80, 90), (280, 90)), ((340, 90), (400, 90))):
        p.arrow(*way)
    for way in (((430, 106), (430, 136), (310, 136), (310, 106)),
                ((295, 106), (295, 144), (50, 144), (50, 106)), ((290, 74), (290, 28), (200, 28), (200, 34)),
                ((180, 34), (180, 20), (40, 20), (40, 74))):
        p.arrow(*way, ink=ORANGE, dash="4 3")
    p.text(280, 164, "dashed: the gradient, on its way back; x gets the sum of two", 12, ORANGE)
    return p


def op():
    """One op: forward makes y of x, its rule makes dx of dy"""
    p = Picture(560, 150)
    p.box(280, 50, 150, 40, "y = tanh x", "#eef3f8")
    p.box(280, 112, 150, 40, "dx += dy (1 − y²)", "#fdf1e4", edge=ORANGE, size=13)
    p.arrow((90, 50), (205, 50)), p.arrow((355, 50), (470, 50))
    p.arrow((470, 112), (355, 112), ink=ORANGE), p.arrow((205, 112), (90, 112), ink=ORANGE)
    p.arrow((280, 70), (280, 92), dash="4 3")
    p.text(300, 86, "remembered: y", 12, "#555555", "start")
    for x, y, words, ink in ((70, 55, "x", INK), (490, 55, "y", INK), (490, 117, "dy", ORANGE), (70, 117, "dx", ORANGE)):
        p.text(x, y, words, ink=ink)
    return p


def step_size():
    """The error of a difference quotient of tanh at 0.5 against the step: too large, or too small to be subtracted"""
    p = Picture(560, 260)
    x0, y0, width, height = 60, 210, 440, 170
    p.axes(x0, y0, width, height, "", "error")
    p.text(x0 + width / 2, y0 + 40, "step h", 12, "#555555")

    def place(h, error):
        return x0 + (math.log10(h) + 14) / 14 * width, y0 - (math.log10(max(error, 1e-14)) + 14) / 14 * height
    true = 1 - math.tanh(.5) ** 2
    for two, ink, words, y in ((False, ORANGE, "(f(x + h) − f(x)) / h", 46), (True, BLUE, "(f(x + h) − f(x − h)) / 2h", 64)):
        steps = [10 ** (-14 + i / 4) for i in range(56)]
        slopes = [(math.tanh(.5 + h) - math.tanh(.5 - h)) / (2 * h) if two else (math.tanh(.5 + h) - math.tanh(.5)) / h
                  for h in steps]
        p.line([place(h, abs(s - true)) for h, s in zip(steps, slopes)], ink, 2)
        p.text(330, y - 26, words, 13, ink, "start")
    for power in (-12, -8, -4, 0):
        p.text(place(10 ** power, 1)[0], y0 + 18, f"1e{power}", 11, "#555555")
        p.text(x0 - 6, place(1, 10 ** power)[1] + 4, f"1e{power}", 11, "#555555", "end")
    return p


def lstm():
    """One step of an LSTM"""
    p = Picture(600, 250)
    p.text(30, 55, "c"), p.text(570, 55, "c'"), p.text(30, 205, "h"), p.text(570, 205, "h'"), p.text(120, 240, "x")
    p.arrow((42, 50), (167, 50)), p.arrow((193, 50), (287, 50)), p.arrow((313, 50), (555, 50))
    p.circle(180, 50, "×"), p.circle(300, 50, "+"), p.circle(300, 105, "×"), p.circle(470, 135, "×")
    p.arrow((300, 92), (300, 63)), p.arrow((470, 50), (470, 78))
    p.box(470, 90, 52, 24, "tanh", size=13), p.arrow((470, 102), (470, 122)), p.arrow((470, 148), (470, 200), (555, 200))
    for x, name, fill in ((180, "f", "#eef3f8"), (260, "i", "#eef3f8"), (340, "g", "#e9f3e8"), (430, "o", "#eef3f8")):
        p.box(x, 160, 44, 26, name, fill)
        p.arrow((x, 205), (x, 173))
    p.arrow((180, 147), (180, 63)), p.arrow((260, 147), (260, 105), (287, 105)), p.arrow((340, 147), (340, 105), (313, 105))
    p.arrow((430, 147), (430, 135), (457, 135))
    p.line([(42, 205), (430, 205)]), p.line([(120, 228), (120, 205)])
    p.text(180, 30, "keep", 12, BLUE), p.text(300, 30, "add", 12, GREEN)
    return p


def words_in_a_row(p, words, x, y, step, fill, edge=INK):
    for j, word in enumerate(words):
        p.box(x + j * step, y, 44, 28, "", fill, edge=edge)
        p.text(x + j * step, y + 42, word, 13)
        p.arrow((x + j * step, y + 28), (x + j * step, y + 15))
        if j:
            p.arrow((x + (j - 1) * step + 22, y), (x + j * step - 22, y))


def bottleneck():
    """Two LSTMs, and one vector between them"""
    p = Picture(640, 150)
    words_in_a_row(p, ["i", "love", "you", "</s>"], 40, 80, 70, "#eef3f8")
    words_in_a_row(p, ["<s>", "je", "t'", "aime"], 400, 80, 70, "#e9f3e8")
    p.arrow((272, 80), (377, 80), ink=ORANGE, width=3)
    p.text(325, 68, "v", 18, ORANGE), p.text(325, 104, "all there is", 12, ORANGE)
    for j, word in enumerate(["je", "t'", "aime", "</s>"]):
        p.arrow((400 + 70 * j, 66), (400 + 70 * j, 40))
        p.text(400 + 70 * j, 32, word, 13, GREEN)
    return p


def attention():
    """One step: scores, their softmax, and the mean of the source vectors"""
    p = Picture(620, 250)
    scores, h = [2, 0, 1], [(1, 0), (0, 1), (1, 1)]
    weights = softmax(scores)
    for j in range(3):
        x = 220 + 120 * j
        p.box(x, 205, 90, 30, f"h{'₁₂₃'[j]} = ({h[j][0]}, {h[j][1]})", "#eef3f8", size=13)
        p.text(x, 150, f"e = {scores[j]}", 13)
        p.arrow((x, 190), (x, 158), ink="#888888")
        p.add(f'<rect x="{x - 18}" y="{128 - 60 * weights[j]:.1f}" width="36" height="{60 * weights[j]:.1f}" fill="{BLUE}"/>')
        p.text(x, 122 - 60 * weights[j], f"{weights[j]:.2f}".lstrip("0"), 13, BLUE)
        p.line([(x + (18, 18, -18)[j], 128 - 30 * weights[j]), (290 + 70 * j, 43)], ORANGE, .5 + 5 * weights[j])
    p.box(70, 150, 90, 30, "s (i−1)", "#e9f3e8"), p.arrow((116, 150), (185, 150), ink="#888888")
    context = [sum(a * v[k] for a, v in zip(weights, h)) for k in (0, 1)]
    p.box(360, 28, 180, 30, f"c = ({context[0]:.2f}, {context[1]:.2f})".replace("0.", "."), "#fdf1e4", edge=ORANGE)
    p.text(70, 100, "softmax", 12, BLUE), p.text(70, 180, "scores", 12), p.text(70, 33, "weighted mean", 12, ORANGE)
    return p


def luong():
    """Bahdanau attends before the state is computed, Luong after"""
    p = Picture(744, 190)
    for y, name, chain in ((55, "Bahdanau", ["s (i−1)", "attend", "c", "cell", "s (i)", "word"]),
                           (140, "Luong", ["h (t−1)", "cell", "h (t)", "attend", "c", "h~", "word"])):
        p.text(10, y - 28, name, 13, anchor="start", weight="bold")
        for j, words in enumerate(chain):
            p.box(60 + 104 * j, y, 76, 30, words, "#fdf1e4" if words == "attend" else "#ffffff",
                  edge=ORANGE if words == "attend" else INK)
            if j:
                p.arrow((60 + 104 * (j - 1) + 38, y), (60 + 104 * j - 38, y))
    p.arrow((268, 125), (268, 114), (580, 114), (580, 125))  # h~ is computed from h(t) too
    p.arrow((580, 155), (580, 180), (164, 180), (164, 155), dash="4 3")
    p.text(372, 174, "input feeding: the next cell reads h~", 12, "#555555")
    return p


def aer():
    """Gold links and found links of "i love you" """
    p = Picture(420, 190)
    source, target, gold, found = ["i", "love", "you", "</s>"], ["je", "t'", "aime"], {0: 0, 1: 2, 2: 1}, {0: 0, 1: 1, 2: 1}
    for j, word in enumerate(source):
        p.text(113 + 44 * j, 34, word, 13)
    for i, word in enumerate(target):
        p.text(80, 68 + 40 * i, word, 13, anchor="end")
        for j in range(4):
            p.add(f'<rect x="{92 + 44 * j}" y="{44 + 40 * i}" width="44" height="40" fill="#ffffff" stroke="{PALE}"/>')
        p.add(f'<rect x="{97 + 44 * gold[i]}" y="{49 + 40 * i}" width="34" height="30" fill="none" stroke="{GREEN}" stroke-width="3"/>')
        p.add(f'<circle cx="{114 + 44 * found[i]}" cy="{64 + 40 * i}" r="8" fill="{BLUE if gold[i] == found[i] else ORANGE}"/>')
    right = sum(gold[i] == found[i] for i in gold)
    p.text(290, 80, "square: sure", 13, GREEN, "start"), p.text(290, 105, "dot: found", 13, BLUE, "start")
    p.text(290, 130, f"AER = {1 - 2 * right / (len(gold) + len(found)):.2f}".replace("0.", "."), 14, anchor="start")
    return p


def scaling():
    """The softmax of ten products of random vectors: at a size of 256 one takes all, unless they are divided"""
    p = Picture(620, 200)
    draw = random.Random(4)
    for k, d in enumerate((4, 16, 64, 256)):
        q = [draw.gauss(0, 1) for _ in range(d)]
        scores = sorted((sum(a * draw.gauss(0, 1) for a in q) for _ in range(10)), reverse=True)
        x = 20 + 150 * k
        p.text(x + 60, 22, f"d = {d}", 13)
        for y, divided, ink in ((100, 1, ORANGE), (180, math.sqrt(d), BLUE)):
            p.line([(x, y), (x + 120, y)], "#888888", 1)
            for j, weight in enumerate(softmax([e / divided for e in scores])):
                p.add(f'<rect x="{x + 12 * j + 1}" y="{y - 62 * weight:.1f}" width="10" height="{62 * weight:.1f}" fill="{ink}"/>')
    p.text(10, 44, "q·k", 12, ORANGE, "start"), p.text(10, 124, "q·k / √d", 12, BLUE, "start")
    return p


def fused():
    """The same work as many small ops, and as one"""
    p = Picture(600, 170)
    p.text(10, 30, "composed", 13, anchor="start", weight="bold"), p.text(10, 115, "fused", 13, anchor="start", weight="bold")
    for j, name in enumerate(["x W", "h U", "+", "σ, tanh", "×", "+", "tanh", "×"]):
        p.box(130 + 62 * j, 42, 46, 26, name, size=12)
        p.add(f'<rect x="{107 + 62 * j}" y="68" width="46" height="10" fill="{PALE}"/>')
        p.arrow((130 + 62 * j, 56), (130 + 62 * j, 67))
    p.text(350, 93, "each writes an array, which the next one reads", 12, "#555555")
    p.box(160, 128, 106, 26, "x W of all steps", size=12), p.box(270, 128, 70, 26, "h U", size=12)
    p.box(440, 128, 190, 26, "all gates, number by number", "#eef3f8", size=12)
    p.arrow((214, 128), (234, 128)), p.arrow((306, 128), (344, 128))
    p.text(350, 160, "one array, and one rule for the way back", 12, "#555555")
    return p


def em():
    """Expectation-maximisation: after some rounds "fleur" knows its word, since "la" has been explained"""
    p = Picture(620, 190)
    pairs = [(["la", "maison"], ["the", "house"]), (["la", "fleur"], ["the", "flower"])]
    t = {f: {e: 1 / 3 for e in ("the", "house", "flower")} for f in ("la", "maison", "fleur")}
    shown = {0: None, 2: None, 8: None}
    for rounds in range(9):
        count = {f: dict.fromkeys(row, 0.) for f, row in t.items()}
        links = []
        for source, target in pairs:
            for e in target:
                total = sum(t[f][e] for f in source)
                for f in source:
                    count[f][e] += t[f][e] / total
                    links.append((f, e, t[f][e] / total))
        if rounds in shown:
            shown[rounds] = links
        t = {f: {e: c / sum(row.values()) for e, c in row.items()} for f, row in count.items()}
    for k, (rounds, links) in enumerate(shown.items()):
        p.text(110 + 200 * k, 24, f"after {rounds} rounds", 13, weight="bold")
        for i, (source, target) in enumerate(pairs):
            place = {word: 60 + 200 * k + 90 * j for words in (source, target) for j, word in enumerate(words)}
            top, bottom = 55 + 75 * i, 100 + 75 * i
            for word in source:
                p.text(place[word], top, word, 13)
            for word in target:
                p.text(place[word], bottom, word, 13)
            for f, e, weight in links[4 * i:4 * i + 4]:
                p.line([(place[f], top + 5), (place[e], bottom - 13)], BLUE, .2 + 5 * weight)
    return p
