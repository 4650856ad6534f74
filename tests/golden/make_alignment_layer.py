#!/usr/bin/env python3
"""Writes golden values of the alignment layer in PyTorch and float64: the loss of two pairs with links, all its gradients,
and the weights of each pair. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_alignment_layer.py

tests/models/alignment/test_alignment_layer.cpp has the same pairs and vocabularies. Each pair is computed separately, so
there is no padding.
"""
import torch

from make_golden import case, save, values

E, A, GRAMS, JUMP = 4, 5, 60, 5
SOURCE = {w: 4 + i for i, w in enumerate("the cat sleeps".split())}
TARGET = {w: 4 + i for i, w in enumerate("le chat dort un".split())}
PAIRS = [("the cat sleeps".split(), "le chat bien dort".split(), [(0, 0), (1, 1), (2, 3), (1, 0)]),
         ("zoo".split(), "un zoo".split(), [(0, 1)])]


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def rows(word):
    word = f"^{word}$"
    return torch.tensor([fnv1a(word[i:i + n]) % GRAMS for n in range(2, 6) for i in range(len(word) - n + 1)])


def embedded(p, side, words, vocabulary):
    own = p[f"{side}/E"]
    e = []
    for word in words:
        grams = rows(word)
        e.append((own[vocabulary[word]] if word in vocabulary else torch.zeros(E)) + p["G"][grams].sum(0) / len(grams) ** 0.5)
    return torch.stack(e + [own[3]])  # </s>


def with_neighbours(p, side, e):
    padded = torch.cat([torch.zeros(1, E), e, torch.zeros(1, E)])
    three = torch.cat([padded[:-2], padded[1:-1], padded[2:]], 1)
    return torch.cat([e, torch.tanh(three @ p[f"{side}/conv/W"] + p[f"{side}/conv/b"])], 1)


def kind(jump):
    return jump + JUMP if abs(jump) <= JUMP else 2 * JUMP + 1


def jumps(p, last, following):
    """Returns a number for each source word, from the weights of the last and of the next linked position (J)."""
    J = len(last)
    return torch.stack([sum(last[k] * p["w"][kind(j - k), 0] + following[k] * p["z"][kind(j - k), 0] for k in range(J)) for j in range(J)])


def scores(p, x, y):
    """Returns the scores without jumps (I, J + 1), and the score of "no word" of each source word (J)."""
    J, I = len(x), len(y)
    ex, ey = embedded(p, "source", x, SOURCE), embedded(p, "target", y, TARGET)
    k, q = with_neighbours(p, "source", ex), with_neighbours(p, "target", ey)[:I]
    a = torch.tanh((q @ p["query/W"] + p["query/b"])[:, None] + (k @ p["U"])[None]) @ p["v"] + ey[:I] @ p["B"] @ ex.T
    i, j = (torch.arange(I) + 1) / (I + 1), (torch.arange(J) + 1) / (J + 1)
    far = 8 * torch.exp(p["p"]) * (i[:, None] - j[None]).abs()
    return torch.cat([a[:, :J] - far, a[:, J:] + p["null"]], 1), (k[:J] @ p["nothing/W"] + p["nothing/b"])[:, 0]


def loss_of(p, x, y, links):
    J, I = len(x), len(y)
    a, nothing = scores(p, x, y)
    g, h = torch.zeros(I, J + 1), torch.zeros(I + 1, J)
    for j, i in links:
        g[i, j] = 1 / sum(l[1] == i for l in links)
        h[i, j] = 1 / sum(l[0] == j for l in links)
    g[g.sum(1) == 0, J] = 1
    h[I, h.sum(0) == 0] = 1
    linked = [i for i in range(I) if g[i, :J].sum() > 0]
    at = lambda places: g[places[0], :J] if places else torch.zeros(J)  # noqa: E731
    a = torch.stack([torch.cat([a[i, :J] + jumps(p, at([k for k in reversed(linked) if k < i]), at([k for k in linked if k > i])), a[i, J:]])
                     for i in range(I)])
    b = torch.cat([a[:, :J], nothing[None]])
    return -(g * torch.log_softmax(a, 1)).sum() - (h * torch.log_softmax(b, 0)).sum()


def aligned(p, x, y):
    """Returns the weights after four sweeps over the target words, each from left to right and back."""
    J, I = len(x), len(y)
    a, nothing = scores(p, x, y)
    rows, weights = [None] * I, [None] * I
    last, following = [torch.zeros(J)] * (I + 1), [torch.zeros(J)] * (I + 1)

    def weigh(i, neighbour):
        rows[i] = torch.cat([a[i, :J] + jumps(p, last[i], following[i + 1]), a[i, J:]])
        weights[i] = torch.softmax(rows[i], 0)
        return weights[i][:J] + weights[i][J] * neighbour

    for _ in range(4):
        for i in range(I):
            last[i + 1] = weigh(i, last[i])
        for i in reversed(range(I)):
            following[i] = weigh(i, following[i + 1])
    alpha = torch.stack(weights)
    beta = torch.softmax(torch.cat([torch.stack(rows)[:, :J], nothing[None]]), 0)[:-1]
    both = torch.cat([alpha[:, :J] * beta, alpha[:, J:] * (1 - beta).prod(1, keepdim=True)], 1)
    return both / both.sum(1, keepdim=True)


if __name__ == "__main__":
    torch.manual_seed(33)
    p = {"source/E": values(7, E), "target/E": values(8, E), "G": values(GRAMS, E), "source/conv/W": values(3 * E, E, scale=0.5),
         "source/conv/b": values(E), "target/conv/W": values(3 * E, E, scale=0.5), "target/conv/b": values(E),
         "query/W": values(2 * E, A, scale=0.5), "query/b": values(A), "U": values(2 * E, A, scale=0.5), "v": values(A),
         "B": values(E, E, scale=0.3), "p": values(1, scale=0.3), "null": values(1), "w": values(2 * JUMP + 2, 1),
         "z": values(2 * JUMP + 2, 1),
         "nothing/W": values(2 * E, 1), "nothing/b": values(1)}
    loss = sum(loss_of(p, *pair) for pair in PAIRS)
    weights = {f"weights_{b}": aligned(p, x, y) for b, (x, y, _) in enumerate(PAIRS)}
    save("alignment_layer", case("alignment layer", p, {"loss": loss}, **weights), "alignment layer")
