#!/usr/bin/env python3
"""Writes golden values of the end-to-end memory network (Sukhbaatar et al. 2015): answers, weights of every hop and all
gradients, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_memory_network.py

tests/stories/test_models_memory_network.cpp has the same stories: one of three sentences and one of two, with -1 where there is no word.
"""
import torch

from make_golden import case, save, values

STORIES = [([[1, 2, 3], [5, 1, -1], [2, 2, 4]], [1, 4, -1]), ([[4, 5, -1], [6, -1, -1]], [6, 2, 3])]
V, D, AGES, S = 7, 5, 3, 3


def encoded(table, words):
    words = [w for w in words if w >= 0]
    J, k = len(words), torch.arange(1, D + 1)
    return sum(((1 - j / J) - (k / D) * (1 - 2 * j / J)) * table[w] for j, w in enumerate(words, 1))


def relu_of_half(u):
    """Section 5: the second half of the units cannot be negative."""
    return torch.cat([u[:D // 2], torch.relu(u[D // 2:])])


def network(hops, linear, relu=False):
    p = {f"words_{h}/E": values(V, D, scale=0.3) for h in range(hops + 1)}
    p |= {f"ages_{h}/E": values(AGES, D, scale=0.3) for h in range(hops + 1)}
    logits, weights = [], [[] for _ in range(hops)]
    for sentences, question in STORIES:
        n = len(sentences)
        memory = [torch.stack([encoded(p[f"words_{h}/E"], words) + p[f"ages_{h}/E"][n - 1 - i] for i, words in enumerate(sentences)])
                  for h in range(hops + 1)]
        u = encoded(p["words_0/E"], question)
        for h in range(hops):
            e = memory[h] @ u
            a = e if linear else torch.softmax(e, 0)
            weights[h].append(torch.cat([a, torch.zeros(S - n)]))
            u = u + a @ memory[h + 1]
            u = relu_of_half(u) if relu else u
        logits.append(p[f"words_{hops}/E"] @ u)
    outputs = {"logits": torch.stack(logits), **{f"weights_{h + 1}": torch.stack(w) for h, w in enumerate(weights)}}
    return case("end-to-end memory network", p, outputs, hops=hops, linear=linear, relu=relu)


def layer_wise(hops, linear, relu=False):
    """Section 2.2, type 2 of tying: A and C are the same in every hop, and u^(h+1) = H u^h + o^h. Our model stores the
    transpose of H."""
    p = {"words_0/E": values(V, D, scale=0.3), "ages_0/E": values(AGES, D, scale=0.3),
         "words_1/E": values(V, D, scale=0.3), "ages_1/E": values(AGES, D, scale=0.3),
         "question/E": values(V, D, scale=0.3), "H": values(D, D, scale=0.3)}
    logits, weights = [], [[] for _ in range(hops)]
    for sentences, question in STORIES:
        n = len(sentences)
        m, c = (torch.stack([encoded(p[f"words_{t}/E"], words) + p[f"ages_{t}/E"][n - 1 - i] for i, words in enumerate(sentences)])
                for t in (0, 1))
        u = encoded(p["question/E"], question)
        for h in range(hops):
            e = m @ u
            a = e if linear else torch.softmax(e, 0)
            weights[h].append(torch.cat([a, torch.zeros(S - n)]))
            u = u @ p["H"] + a @ c
            u = relu_of_half(u) if relu else u
        logits.append(p["words_1/E"] @ u)
    outputs = {"logits": torch.stack(logits), **{f"weights_{h + 1}": torch.stack(w) for h, w in enumerate(weights)}}
    return case("end-to-end memory network, layer-wise", p, outputs, hops=hops, linear=linear, relu=relu)


if __name__ == "__main__":
    torch.manual_seed(20)
    cases = {f"{hops} hops{', linear' if linear else ''}": network(hops, linear) for hops in (1, 2, 3) for linear in (False, True)}
    cases |= {f"layer-wise, {hops} hops": layer_wise(hops, False) for hops in (1, 3)}
    cases |= {f"{hops} hops, ReLU": network(hops, False, relu=True) for hops in (1, 3)}
    cases |= {f"layer-wise, {hops} hops, ReLU": layer_wise(hops, False, relu=True) for hops in (1, 3)}
    save("memory_network", cases, "memory networks")
