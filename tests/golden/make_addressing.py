#!/usr/bin/env python3
"""Writes golden values of the neural Turing machine (Graves, Wayne & Danihelka 2014) with all gradients, in PyTorch and
float64: cosines, addressing, reading and writing (eq. 2-9), and a machine of five steps with an LSTM as its controller. See
make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_addressing.py
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values

N, R, W = 5, 2, 3
WORDS, V, E, H = [[1, 2], [0, 2], [3, 1], [4, 4], [4, 4]], 5, 3, 4


def between(low, high, *shape):
    return (low + (high - low) * torch.rand(*shape)).mul(1000).round().div(1000).requires_grad_()


def distribution(*shape):
    return torch.softmax(torch.randn(*shape), -1).mul(1000).round().div(1000).requires_grad_()


def cosines(k, M):
    return F.cosine_similarity(k[None], M, dim=2).T  # (R, N)


def address(k, beta, g, s, gamma, before, M):
    gated = g * torch.softmax(beta * cosines(k, M), 1) + (1 - g) * before
    half = s.shape[1] // 2
    moved = sum(s[:, [d]] * torch.roll(gated, d - half, 1) for d in range(s.shape[1]))
    sharp = moved ** gamma
    return sharp / sharp.sum(1, keepdim=True)


def read(M, w):
    return torch.einsum("rn,nrw->rw", w, M)


def write(M, w, e, a):
    return M * (1 - torch.einsum("rn,rw->nrw", w, e)) + torch.einsum("rn,rw->nrw", w, a)


def memory(*names):
    draws = {"k": lambda: values(R, W), "beta": lambda: between(.5, 4, R, 1), "g": lambda: between(.1, .9, R, 1),
             "s": lambda: distribution(R, 3), "gamma": lambda: between(1, 4, R, 1), "before": lambda: distribution(R, N),
             "M": lambda: values(N, R, W), "w": lambda: distribution(R, N), "e": lambda: between(0, 1, R, W),
             "a": lambda: values(R, W)}
    return {name: draws[name]() for name in names}


def addressing():
    cases = {}
    for name, f, inputs in (("cosines", cosines, memory("k", "M")),
                            ("address", address, memory("k", "beta", "g", "s", "gamma", "before", "M")),
                            ("read", read, memory("M", "w")), ("write", write, memory("M", "w", "e", "a"))):
        cases[name] = case(f"neural Turing machine: {name}", inputs, {"y": f(*inputs.values())})
    return cases


def machine():
    p = {"words/E": values(V, E), "controller/W": values(E, 4 * H, scale=.5), "controller/U": values(H, 4 * H, scale=.5),
         "controller/b": values(4 * H, scale=.5), "controller/W_r": values(W, 4 * H, scale=.5)}
    for room, width in (("writes", W + 6), ("writes/erase", W), ("writes/add", W), ("reads", W + 6)):
        p |= {f"{room}/W": values(H, width), f"{room}/b": values(width)}
    p |= {"output/W": values(H + W, V), "output/b": values(V)}

    def head(room, h, before, M):
        k, beta, g, s, gamma = (h @ p[f"{room}/W"] + p[f"{room}/b"]).split([W, 1, 1, 3, 1], 1)
        return address(k, F.softplus(beta), torch.sigmoid(g), torch.softmax(s, 1), 1 + F.softplus(gamma), before, M)

    def said(room, h):
        return h @ p[f"{room}/W"] + p[f"{room}/b"]

    h = c = torch.zeros(R, H)
    M, r = torch.full((N, R, W), .01), torch.zeros(R, W)
    written = seen = F.one_hot(torch.zeros(R, dtype=torch.long), N).double()
    logits, outputs = [], {}
    for t, words in enumerate(WORDS):
        x = p["words/E"][torch.tensor(words)]
        i, f, g, o = (x @ p["controller/W"] + r @ p["controller/W_r"] + h @ p["controller/U"] + p["controller/b"]).split(H, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        written = head("writes", h, written, M)
        M = write(M, written, torch.sigmoid(said("writes/erase", h)), torch.tanh(said("writes/add", h)))
        seen = head("reads", h, seen, M)
        r = read(M, seen)
        logits.append(torch.cat([h, r], 1) @ p["output/W"] + p["output/b"])
        outputs |= {f"written_{t}": written, f"read_{t}": seen}
    return case("neural Turing machine", p, {"logits": torch.stack(logits), **outputs},
                words=[word for words in WORDS for word in words], places=N)


if __name__ == "__main__":
    torch.manual_seed(25)
    save("addressing", addressing(), "addressing of a memory's places")
    save("turing_machine", machine(), "neural Turing machine")
