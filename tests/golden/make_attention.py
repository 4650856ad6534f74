#!/usr/bin/env python3
"""Writes golden values of every score in every window: contexts, weights and all gradients of three attention steps, in
PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_attention.py

The equations are those of layers/attention/{scores,window}.h. Parameters have the names that the layers use. Each row of the
decoder names its sentence, and two rows name the same one. Positions count from 0.
"""
import torch

from make_golden import case, in_rows, save, values, word_mask

LENGTHS, SENTENCE, T = [5, 1, 3], [0, 2, 1, 2], 3
S, Q, A, L = 5, 4, 6, 4  # L: number of positions in location attention
SCOPES = ["global", "local-m", "local-p"]


class Score:
    """declare() returns the parameters. A call returns e (R, K, S) from the query s (R, Q) of one step and the states h (R,
    S, D)."""

    def __init__(self, name, Q, D, A, L=9, scale=False, coverage=False, heads=1):
        self.name, self.Q, self.D, self.A, self.L = name, Q, D, A, L
        self.scale, self.coverage, self.heads = scale, coverage, heads

    def declare(self):
        Q, D, A = self.Q, self.D, self.A
        if self.name == "additive":
            p = {"W_a": values(Q, A), "U_a": values(D, A), "v_a": values(A)}
            return {**p, "w_c": values(A)} if self.coverage else p
        if self.name == "general":
            return {"W_a": values(Q, D)}
        if self.name == "location":
            return {"W_a": values(Q, self.L)}
        if self.name == "qkv":
            return {"W_Q": values(Q, A), "W_K": values(D, A), "W_V": values(D, A), "W_O": values(A, D)}
        return {}

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.heads, self.A // self.heads)

    def __call__(self, p, s, h, coverage):
        scale = 1 / self.Q ** 0.5 if self.scale else 1.0
        if self.name == "additive":
            seen = coverage[:, :, None] * p["w_c"] if self.coverage else 0.0
            e = torch.tanh((s @ p["W_a"])[:, None] + h @ p["U_a"] + seen) @ p["v_a"]
        elif self.name == "dot":
            e = (h @ s[:, :, None])[:, :, 0] * scale
        elif self.name == "general":
            e = (h @ (s @ p["W_a"])[:, :, None])[:, :, 0] * scale
        elif self.name == "location":
            e = torch.cat([s @ p["W_a"], torch.zeros(len(s), max(h.shape[1] - self.L, 0))], 1)[:, :h.shape[1]]
        else:
            q, k = self.split(s @ p["W_Q"]), self.split(h @ p["W_K"])  # (R, K, d) and (R, S, K, d)
            return torch.einsum("rkd,rskd->rks", q, k) / (self.A // self.heads) ** 0.5
        return e[:, None]

    def context(self, p, alpha, h):
        """Returns the context (R, D) from alpha (R, K, S)."""
        if self.name != "qkv":
            return (alpha[:, 0, :, None] * h).sum(1)
        each = torch.einsum("rks,rskd->rkd", alpha, self.split(h @ p["W_V"]))
        return each.reshape(len(alpha), self.A) @ p["W_O"]


def declare(score, scope):
    centre = {"W_p": values(score.Q, score.Q), "v_p": values(score.Q, 1)} if scope == "local-p" else {}
    return {**score.declare(), **centre}


def look(score, scope, window, p, s, h, words, t, coverage):
    """Returns the context (R, D) and each head's weights (R, K, S) of step t. words (R, 1): the number of words of each
    row's sentence."""
    position = torch.arange(h.shape[1])[None].double()
    if score.name == "location":
        words = words.clamp(max=score.L)
    inside = position < words
    if scope == "local-m":
        inside = inside & ((position - words.sub(1).clamp(max=t)).abs() <= window)
    if scope == "local-p":
        centre = (words - 1) * torch.sigmoid(torch.tanh(s @ p["W_p"]) @ p["v_p"])
        inside = inside & ((position - centre).abs() <= window)
    alpha = score(p, s, h, coverage).masked_fill(~inside[:, None], -torch.inf).softmax(2)
    if scope == "local-p":
        alpha = alpha * torch.exp(-(position - centre) ** 2 / (2 * (window / 2) ** 2))[:, None]
    return score.context(p, alpha, h), alpha / alpha.sum(2, keepdim=True)


def attend(score, scope, window):
    p = declare(score, scope)
    inputs = {f"s{t}": values(len(SENTENCE), Q) for t in range(T)}
    inputs["states"] = values(S * len(LENGTHS), score.D)
    h = in_rows(inputs["states"], LENGTHS, SENTENCE)
    words = torch.tensor(LENGTHS)[SENTENCE][:, None]
    coverage = torch.zeros(len(SENTENCE), S)
    contexts, weights, heads = [], [], []
    for t in range(T):
        context, alpha = look(score, scope, window, p, inputs[f"s{t}"], h, words, t, coverage)
        contexts.append(context)
        heads.append(alpha)
        weights.append(alpha.mean(1))
        coverage = coverage + weights[-1]
    outputs = {"contexts": torch.cat(contexts), "weights": torch.cat(weights)}
    if score.heads > 1:
        outputs["heads"] = torch.cat(heads)
    return case(f"{score.name}, {scope}", {**p, **inputs}, outputs, score=score.name, scope=scope, window=window,
                scale=score.scale, coverage=score.coverage, heads=score.heads, size=A, positions=L, steps=S,
                lengths=LENGTHS, sentence=SENTENCE)


def main():
    torch.manual_seed(3)
    scores = {"additive": Score("additive", Q, 3, A), "additive with coverage": Score("additive", Q, 3, A, coverage=True),
              "dot": Score("dot", Q, Q, A), "dot scaled": Score("dot", Q, Q, A, scale=True),
              "general": Score("general", Q, 3, A), "general scaled": Score("general", Q, 3, A, scale=True),
              "location": Score("location", Q, 3, A, L), "qkv with one head": Score("qkv", Q, 3, A),
              "qkv with two heads": Score("qkv", Q, 3, A, heads=2)}
    cases = {f"{name} {scope}": attend(score, scope, 1.5) for name, score in scores.items() for scope in SCOPES}
    save("attention", cases, f"{len(cases)} attentions, every score in every scope")


if __name__ == "__main__":
    main()
