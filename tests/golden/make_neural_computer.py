#!/usr/bin/env python3
"""Writes golden values of the differentiable neural computer (Graves et al. 2016) with all gradients, in PyTorch and
float64: every weighting of its memory, one access, and a computer of five steps with an LSTM as its controller. The
allocation sorts, multiplies and scatters, as in the paper. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_neural_computer.py
"""
import torch
from torch.nn import functional as F

from make_addressing import between, cosines, distribution, read, write
from make_golden import case, save, values

N, B, W, R = 5, 2, 3, 2
WORDS, V, E, H, POSITIONS = [[1, 2], [0, 2], [3, 1], [4, 4], [4, 4]], 5, 3, 4, 3


def content(M, k, beta):
    return torch.softmax(beta * cosines(k, M), 1)


def retention(f, w_r):
    return torch.stack([1 - one * w for one, w in zip(f, w_r)]).prod(0)


def usage(u, w_w, psi):
    return (u + w_w - u * w_w) * psi


def allocation(u):
    phi = torch.sort(u, dim=1, stable=True)[1].detach()
    ascending = u.gather(1, phi)
    product = torch.cat([torch.ones(len(u), 1), torch.cumprod(ascending, 1)[:, :-1]], 1)
    return torch.zeros_like(u).scatter(1, phi, (1 - ascending) * product)


def write_weighting(g_w, g_a, a, c):
    return g_w * (g_a * a + (1 - g_a) * c)


def link(L, w_w, p):
    rows = []
    for i in range(L.shape[1]):
        row = [torch.zeros(len(L)) if i == j else (1 - w_w[:, i] - w_w[:, j]) * L[:, i, j] + w_w[:, i] * p[:, j]
               for j in range(L.shape[1])]
        rows.append(torch.stack(row, 1))
    return torch.stack(rows, 1)


def precedence(p, w_w):
    return (1 - w_w.sum(1, keepdim=True)) * p + w_w


def forward(L, w_r):
    return torch.einsum("bij,bj->bi", L, w_r)


def backward(L, w_r):
    return torch.einsum("bji,bj->bi", L, w_r)


def read_weighting(pi, b, c, f):
    return pi[:, [0]] * b + pi[:, [1]] * c + pi[:, [2]] * f


def access(xi, state):
    """Computes one step. xi and state are dictionaries, which have lists for values that each head has."""
    u = usage(state["u"], state["w_w"], retention(xi["f"], state["w_r"]))
    w_w = write_weighting(xi["g_w"], xi["g_a"], allocation(u), content(state["M"], xi["k_w"], xi["beta_w"]))
    M, L = write(state["M"], w_w, xi["e"], xi["v"]), link(state["L"], w_w, state["p"])
    w_r = [read_weighting(pi, backward(L, w), content(M, k, beta), forward(L, w))
           for pi, k, beta, w in zip(xi["pi"], xi["k_r"], xi["beta_r"], state["w_r"])]
    return {"M": M, "u": u, "w_w": w_w, "p": precedence(state["p"], w_w), "L": L, "w_r": w_r}


def weighting(*shape):
    """Returns rows that sum to .8."""
    return (.8 * distribution(*shape)).detach().mul(1000).round().div(1000).requires_grad_()


def linked(*shape):
    """Returns a matrix whose rows and columns sum to less than 1, with a diagonal of 0."""
    x = torch.rand(*shape) / shape[-1] * (1 - torch.eye(shape[-1]))
    return x.mul(1000).round().div(1000).requires_grad_()


def inputs_of(*names):
    draws = {"M": lambda: values(N, B, W), "L": lambda: linked(B, N, N), "pi": lambda: distribution(B, 3)}
    draws |= {name: lambda: values(B, W) for name in ("k", "v")} | {name: lambda: between(0, 1, B, W) for name in ("e",)}
    draws |= {name: lambda: between(0, 1, B, N) for name in ("u", "psi")}
    draws |= {name: lambda: weighting(B, N) for name in ("w", "p", "a", "b", "c")} | {"beta": lambda: between(1, 4, B, 1)}
    draws |= {name: lambda: between(.1, .9, B, 1) for name in ("f", "g")}
    return {name: draws[name.split("_")[0]]() for name in names}


def weightings():
    cases = {}
    for name, f, inputs in (
            ("content", content, inputs_of("M", "k", "beta")),
            ("retention", lambda f_0, f_1, w_0, w_1: retention([f_0, f_1], [w_0, w_1]), inputs_of("f_0", "f_1", "w_0", "w_1")),
            ("usage", usage, inputs_of("u", "w_w", "psi")), ("allocation", allocation, inputs_of("u")),
            ("write_weighting", write_weighting, inputs_of("g_w", "g_a", "a", "c")),
            ("link", link, inputs_of("L", "w_w", "p")), ("precedence", precedence, inputs_of("p", "w_w")),
            ("forward", forward, inputs_of("L", "w_r")), ("backward", backward, inputs_of("L", "w_r")),
            ("read_weighting", read_weighting, inputs_of("pi", "b", "c", "b_f"))):
        cases[name] = case(f"differentiable neural computer: {name}", inputs, {"y": f(*inputs.values())})
    return cases


def one_access():
    heads = range(R)
    xi = inputs_of(*(f"{part}_{i}" for part in ("k", "beta", "f", "pi") for i in heads),
                   "k_w", "beta_w", "e", "v", "g_a", "g_w")
    state = inputs_of("M", "u", "p", "L") | {"w_w": weighting(B, N)} | {f"w_r_{i}": weighting(B, N) for i in heads}
    after = access({name: [xi[f"{part}_{i}"] for i in heads] for name, part in
                    (("k_r", "k"), ("beta_r", "beta"), ("f", "f"), ("pi", "pi"))} | xi,
                   state | {"w_r": [state[f"w_r_{i}"] for i in heads]})
    outputs = {name: y for name, y in after.items() if name != "w_r"} | {f"w_r_{i}": after["w_r"][i] for i in heads}
    return case("differentiable neural computer: one access", xi | state, outputs)


def computer():
    p = {"words/E": values(V, E), "controller/W": values(E, 4 * H, scale=.5), "controller/U": values(H, 4 * H, scale=.5),
         "controller/b": values(4 * H, scale=.5), "controller/W_r": values(R * W, 4 * H, scale=.5)}
    sizes = [W] * R + [1] * R + [W, 1, W, W] + [1] * R + [1, 1] + [3] * R
    p |= {"interface/W": values(H, sum(sizes)), "interface/b": values(sum(sizes)),
          "output/W": values(H + R * W, V), "output/b": values(V)}

    h = c = torch.zeros(B, H)
    none = torch.zeros(B, POSITIONS)
    state = {"M": torch.full((POSITIONS, B, W), .01), "u": none, "w_w": none, "p": none,
             "L": torch.zeros(B, POSITIONS, POSITIONS), "w_r": [none] * R}
    r, logits, outputs = torch.zeros(B, R * W), [], {}
    for t, words in enumerate(WORDS):
        x = p["words/E"][torch.tensor(words)]
        i, f, g, o = (x @ p["controller/W"] + r @ p["controller/W_r"] + h @ p["controller/U"] + p["controller/b"]).split(H, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        parts = iter((h @ p["interface/W"] + p["interface/b"]).split(sizes, 1))
        xi = {"k_r": [next(parts) for _ in range(R)], "beta_r": [1 + F.softplus(next(parts)) for _ in range(R)],
              "k_w": next(parts), "beta_w": 1 + F.softplus(next(parts)), "e": torch.sigmoid(next(parts)),
              "v": next(parts), "f": [torch.sigmoid(next(parts)) for _ in range(R)], "g_a": torch.sigmoid(next(parts)),
              "g_w": torch.sigmoid(next(parts)), "pi": [torch.softmax(next(parts), 1) for _ in range(R)]}
        state = access(xi, state)
        r = torch.cat([read(state["M"], w) for w in state["w_r"]], 1)
        logits.append(torch.cat([h, r], 1) @ p["output/W"] + p["output/b"])
        outputs |= {f"written_{t}": state["w_w"], f"used_{t}": state["u"]}
        outputs |= {f"read_{t}_{i}": w for i, w in enumerate(state["w_r"])}
    return case("differentiable neural computer", p, {"logits": torch.stack(logits), **outputs},
                words=[word for words in WORDS for word in words], positions=POSITIONS)


if __name__ == "__main__":
    torch.manual_seed(26)
    save("dynamic_memory", weightings() | {"access": one_access()}, "weightings of a dynamic memory")
    save("neural_computer", computer(), "differentiable neural computer")
