#!/usr/bin/env python3
"""Writes golden values of decomposable attention (Parikh et al. 2016) with and without intra-sentence attention: answers,
both alignments and all gradients, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_decomposable.py

tests/sentence_pairs/test_models_decomposable_attention.cpp has the same sentences.
"""
import torch

from make_golden import case, save, values

PAIRS = [([1, 2, 3, 4], [4, 1, 5]), ([5, 6, 1], [2, 2])]  # premise, hypothesis
V, D, H, LABELS, M, N = 7, 4, 5, 3, 4, 3


def two_layers(room, inputs):
    return {f"{room}/first/W": values(inputs, H, scale=0.5), f"{room}/first/b": values(H, scale=0.5),
            f"{room}/second/W": values(H, H, scale=0.5), f"{room}/second/b": values(H, scale=0.5)}


def apply(p, room, x):
    x = torch.relu(x @ p[f"{room}/first/W"] + p[f"{room}/first/b"])
    return torch.relu(x @ p[f"{room}/second/W"] + p[f"{room}/second/b"])


def read(p, words, intra):
    a = p["words/E"][torch.tensor(words)]
    if not intra:
        return a
    F, i = apply(p, "F_i", a), torch.arange(len(words))
    d = p["distances/E"][(i[:, None] - i[None]).abs().clamp(max=11), 0]
    return torch.cat([a, torch.softmax(F @ F.T + d, 1) @ a], 1)


def network(intra):
    p = {"words/E": values(V, D), **two_layers("F", (1 + intra) * D), **two_layers("G", (2 + 2 * intra) * D),
         **two_layers("H", 2 * H), "output/W": values(H, LABELS), "output/b": values(LABELS)}
    if intra:
        p |= {**two_layers("F_i", D), "distances/E": values(12, 1)}
    logits, of_a, of_b = [], torch.zeros(2, M, N), torch.zeros(2, N, M)
    for k, (premise, hypothesis) in enumerate(PAIRS):
        a, b, m, n = read(p, premise, intra), read(p, hypothesis, intra), len(premise), len(hypothesis)
        e = apply(p, "F", a) @ apply(p, "F", b).T
        to_b, to_a = torch.softmax(e, 1), torch.softmax(e.T, 1)
        v1 = apply(p, "G", torch.cat([a, to_b @ b], 1)).sum(0)
        v2 = apply(p, "G", torch.cat([b, to_a @ a], 1)).sum(0)
        logits.append(apply(p, "H", torch.cat([v1, v2])) @ p["output/W"] + p["output/b"])
        of_a = of_a.index_put((torch.tensor(k), torch.arange(m)[:, None], torch.arange(n)[None]), to_b)
        of_b = of_b.index_put((torch.tensor(k), torch.arange(n)[:, None], torch.arange(m)[None]), to_a)
    rows = [(k, i) for k, (premise, _) in enumerate(PAIRS) for i in range(len(premise))]
    columns = [(k, j) for k, (_, hypothesis) in enumerate(PAIRS) for j in range(len(hypothesis))]
    outputs = {"logits": torch.stack(logits), "of_a": torch.stack([of_a[r] for r in rows]),
               "of_b": torch.stack([of_b[c] for c in columns])}  # without padding
    return case("decomposable attention", p, outputs, intra=intra)


if __name__ == "__main__":
    torch.manual_seed(21)
    save("decomposable", {"plain": network(False), "with intra-sentence attention": network(True)}, "decomposable attention")
