"""The pictures of chapters 21 and on."""
from kit import BLUE, INK, ORANGE, Picture
from recurrent import softmax


def cells():
    """A picture as cells, and where each word looks: softly at all of them, or hard at one"""
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


def far():
    """How far a cell sees: through one, two and three convolutions, and through attention"""
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
    p.text(410, 216, "every cell, after one; most of it where it fits", 12, "#555555")
    return p
