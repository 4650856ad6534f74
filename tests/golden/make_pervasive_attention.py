#!/usr/bin/env python3
"""Writes golden values of pervasive attention (Elbayad, Besacier & Verbeek 2018): logits, the shares of maxima and all
gradients, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_pervasive_attention.py

The kernel of PyTorch's convolution is (outputs, inputs, k, k); here it is (k k inputs, outputs). The grid is padded above by
k - 1 rows.
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values

V_X, V_Y, E, G, S, T, B = 5, 4, 2, 3, 4, 3, 2


def pervasive(layers, k):
    inputs = {"source/E": values(V_X, E), "target/E": values(V_Y, E)}
    for l in range(layers):
        inputs |= {f"layer{l}/W": values(k * k * (2 * E + l * G), G, scale=.5), f"layer{l}/b": values(G, scale=.5)}
    inputs |= {"output/W": values(2 * E + layers * G, V_Y), "output/b": values(V_Y)}
    x, y = torch.randint(V_X, (S, B)), torch.randint(V_Y, (T, B))
    source, target = inputs["source/E"][x], inputs["target/E"][y]  # (S, B, E), (T, B, E)
    H = torch.cat([target[:, None].expand(T, S, B, E), source[None].expand(T, S, B, E)], 3).permute(2, 3, 0, 1)  # (B, C, T, S)
    for l in range(layers):
        W = inputs[f"layer{l}/W"].reshape(k, k, -1, G).permute(3, 2, 0, 1)
        new = F.conv2d(F.pad(H, (k // 2, k // 2, k - 1, 0)), W, inputs[f"layer{l}/b"])
        H = torch.cat([H, torch.relu(new)], 1)
    most, where = H.max(3)  # (B, C, T)
    logits = most.permute(2, 0, 1) @ inputs["output/W"] + inputs["output/b"]
    active = (most[:, -G:] > 0).double()[..., None]  # (B, G, T, 1)
    counts = (F.one_hot(where[:, -G:], S) * active).sum(1)  # (B, T, S)
    weights = (counts / active.sum(1).clamp(min=1)).permute(1, 0, 2).reshape(T * B, S)
    return case("pervasive attention", inputs, dict(logits=logits), source=x.flatten().tolist(), previous=y.flatten().tolist(),
                layers=layers, kernel=k, weights=weights)


if __name__ == "__main__":
    torch.manual_seed(33)
    save("pervasive_attention", {"one layer of 3 x 3": pervasive(1, 3), "two layers of 3 x 3": pervasive(2, 3),
                                 "two layers of 1 x 1": pervasive(2, 1)}, "pervasive attention")
