#!/usr/bin/env python3
"""Writes golden values of the attentive reader (Hermann et al. 2015) over sentences: losses of the answers, weights and all
gradients, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_attentive_reader.py

tests/stories/test_models_answers.cpp has the same stories: one of three sentences and one of two, with question and answer.
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values

STORIES = [([[4, 5, 6], [7, 4], [5, 5, 8]], [4, 8]), ([[7, 8], [6]], [8, 5, 6])]
ANSWERS = [4, 6]
V, E, H, A, S = 9, 3, 4, 2, 3


def states(p, name, xs):
    """Returns the states h_1 .. h_n of a GRU (Cho et al. 2014) over x_1 .. x_n."""
    h, all_states = torch.zeros(H), []
    for x in xs:
        gates = x @ p[f"{name}/W"] + p[f"{name}/b"]
        rz = torch.sigmoid(gates[:2 * H] + h @ p[f"{name}/U"][:, :2 * H])
        r, z = rz[:H], rz[H:]
        n = torch.tanh(gates[2 * H:] + (r * h) @ p[f"{name}/U"][:, 2 * H:])
        h = (1 - z) * h + z * n
        all_states.append(h)
    return all_states


def reader():
    p = {"source/E": values(V, E), "output/W": values(H, V), "output/b": values(V), "answer/W_rg": values(2 * H, H), "answer/W_ug": values(H, H),
         "attention/W_a": values(H, A), "attention/U_a": values(2 * H, A), "attention/v_a": values(A)}
    for name, size in [("sentence/forward", E), ("story/forward", H), ("story/backward", H), ("question/forward", E)]:
        p |= {f"{name}/W": values(size, 3 * H, scale=0.5), f"{name}/U": values(H, 3 * H, scale=0.5), f"{name}/b": values(3 * H, scale=0.5)}
    losses, weights = [], []
    for (sentences, question), answer in zip(STORIES, ANSWERS):
        s = [states(p, "sentence/forward", p["source/E"][words])[-1] for words in sentences]
        there, back = states(p, "story/forward", s), states(p, "story/backward", s[::-1])[::-1]
        y = torch.stack([torch.cat(both) for both in zip(there, back)])  # (n, 2H)
        u = states(p, "question/forward", p["source/E"][question])[-1]
        m = torch.tanh(u @ p["attention/W_a"] + y @ p["attention/U_a"])
        a = torch.softmax(m @ p["attention/v_a"], 0)
        g = torch.tanh((a @ y) @ p["answer/W_rg"] + u @ p["answer/W_ug"])
        losses.append(F.cross_entropy((g @ p["output/W"] + p["output/b"])[None], torch.tensor([answer])))
        weights.append(torch.cat([a, torch.zeros(S - len(sentences))]))
    return case("attentive reader", p, {"losses": torch.stack(losses), "weights": torch.stack(weights)})


if __name__ == "__main__":
    torch.manual_seed(29)
    save("attentive_reader", reader(), "the attentive reader")
