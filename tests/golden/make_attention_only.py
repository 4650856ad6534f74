#!/usr/bin/env python3
"""Writes golden values of the attention-only language model (Elhage et al. 2021): logits, weights, its circuits, and all
gradients, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_attention_only.py
"""
import math

import torch

from make_golden import save, case, values

V, D, T, B = 5, 4, 3, 2


def sinusoids():
    P = torch.zeros(T, D)
    for i in range(T):
        for j in range(D // 2):
            angle = i * 10000 ** (-2 * j / D)
            P[i, 2 * j], P[i, 2 * j + 1] = math.sin(angle), math.cos(angle)
    return P


def attention_only(layers, heads):
    names = ["W_Q", "W_K", "W_V", "W_O"]
    inputs = {"words/E": values(V, D)}
    inputs |= {f"{layer}/{name}": values(D, D) for layer in range(layers) for name in names} | {"W_U": values(D, V)}
    E, W_U, d_k = inputs["words/E"], inputs["W_U"], D // heads
    matrices = [[inputs[f"{layer}/{name}"] for name in names] for layer in range(layers)]
    ids = torch.randint(V, (T, B))
    x = E[ids]  # (T, B, D)
    future = torch.full((T, T), -torch.inf).triu(1)
    weights = {}
    for layer, (W_Q, W_K, W_V, W_O) in enumerate(matrices):
        placed, added = x + sinusoids()[:, None], 0
        all_heads = []
        for k in range(heads):
            part = slice(k * d_k, (k + 1) * d_k)
            e = torch.einsum("tbd,sbd->bts", placed @ W_Q[:, part], placed @ W_K[:, part]) / math.sqrt(d_k) + future
            A = torch.softmax(e, 2)
            all_heads.append(A.transpose(0, 1))  # (T, B, T)
            added = added + torch.einsum("bts,sbd->tbd", A, x @ W_V[:, part] @ W_O[part])
        weights[f"weights_{layer}"] = torch.stack(all_heads, 2).reshape(T * B, heads, T)
        x = x + added
    last = heads - 1
    part = slice(last * d_k, D)
    circuits = dict(direct=E @ W_U)
    for layer, (W_Q, W_K, W_V, W_O) in enumerate(matrices):
        circuits[f"ov_{layer}"] = E @ W_V[:, part] @ W_O[part] @ W_U
        circuits[f"qk_{layer}"] = E @ W_Q[:, part] @ (E @ W_K[:, part]).T / math.sqrt(d_k)
    if layers == 2:
        (_, _, W_V, W_O), (W_Q, W_K, _, _) = matrices
        circuits["k_composition"] = E @ W_Q[:, :d_k] @ (E @ W_V[:, part] @ W_O[part] @ W_K[:, :d_k]).T / math.sqrt(d_k)
    return case("attention-only language model", inputs, dict(logits=x @ W_U, **weights), ids=ids.flatten().tolist(),
                layers=layers, heads=heads, circuits={name: table.detach() for name, table in circuits.items()})


if __name__ == "__main__":
    torch.manual_seed(31)
    save("attention_only", {"no layer": attention_only(0, 1), "one layer, two heads": attention_only(1, 2),
                            "two layers, two heads": attention_only(2, 2)}, "attention-only language model")
