#!/usr/bin/env python3
"""Writes golden values of fast weights (Schlag et al. 2021) and linear attention (Katharopoulos et al. 2020), and of two
layers whose weights depend on positions only: convolution and positional attention. PyTorch computes in float64 and step by
step, where our code computes all steps at once. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_fast_weights.py
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values, word_mask

T, B, K, M, D = 5, 2, 2, 3, 4  # steps, sentences, heads, and the widths of a head's keys and values
LENGTHS = [5, 3]


def features(kind, x, nu=1):
    """Features of x (.., d): elu(x) + 1, or r_j r_{j+i} of r = relu([x; -x])."""
    if kind == "elu_plus_one":
        return F.elu(x) + 1
    r = torch.cat([x, -x], -1).relu()
    return torch.cat([r * r.roll(-i, -1) for i in range(1, nu + 1)], -1)


def by_head(x):
    return x.reshape(T, B, K, -1)


def past(t, order):
    return range(t + 1) if order == "causal" else range(T)


def linear(kind, order, nu=1):
    # The numbers are mostly positive, so no sum of weights is nearly 0. After division by such a sum, float32 would have no
    # digits left.
    q, k = ((values(T, B, K * M, grad=False) + 1).requires_grad_() for _ in range(2))
    v = values(T, B, K * D)
    phi_q, phi_k = features(kind, by_head(q), nu), features(kind, by_head(k), nu) * word_mask(LENGTHS, T)[:, :, None, None]
    y = []
    for t in range(T):
        a = torch.stack([(phi_q[t] * phi_k[i]).sum(-1) for i in past(t, order)])  # (i, B, K)
        if a.sum(0).min() < .02:
            return linear(kind, order, nu)
        y.append((a[..., None] * by_head(v)[:len(a)]).sum(0) / (a.sum(0)[..., None] + 1e-6))
    return case(f"linear attention, {kind}, {order}", dict(q=q, k=k, v=v), dict(y=torch.stack(y).reshape(T, B, K * D)),
                features=kind, causal=order == "causal", nu=nu, heads=K, lengths=LENGTHS)


def fast_weights(rule):
    q, k, v, beta = values(T, B, K * M), values(T, B, K * M), values(T, B, K * D), values(T, B, K)
    W, y = torch.zeros(B, K, D, M), []
    for t in range(T):
        q_t, k_t, v_t = by_head(q)[t], by_head(k)[t], by_head(v)[t]
        write = v_t if rule == "sum" else beta[t][..., None] * (v_t - torch.einsum("bkdm,bkm->bkd", W, k_t))
        W = W + write[..., None] * k_t[:, :, None]
        y.append(torch.einsum("bkdm,bkm->bkd", W, q_t))
    return case(f"fast weights, {rule}", dict(q=q, k=k, v=v) | (dict(beta=beta) if rule == "delta" else {}),
                dict(y=torch.stack(y).reshape(T, B, K * D)), heads=K)


def convolution(width, causal, lengths):
    x, W, b = values(T, B, D), values(width * D, M), values(M)
    weight = W.reshape(width, D, M).permute(2, 1, 0)  # (out, in, width)
    before = width - 1 if causal else (width - 1) // 2
    words = (x * word_mask(lengths, T)[:, :, None]).permute(1, 2, 0)
    y = F.conv1d(F.pad(words, (before, width - 1 - before)), weight, b).permute(2, 0, 1)
    return case(f"torch.nn.functional.conv1d, width {width}", dict(x=x, W=W, b=b), dict(y=y), causal=causal,
                lengths=lengths)


def positional(rank, causal):
    L = 6
    tables = dict(P=values(K, L, L)) if not rank else dict(F_1=values(K, L, rank), F_2=values(K, L, rank))
    P = tables["P"] if not rank else tables["F_1"] @ tables["F_2"].transpose(1, 2)
    v = values(T, B, K * D)
    hidden = ~word_mask(LENGTHS, T).T[:, None, None, :] | torch.ones(T, T).triu(1).bool() if causal else \
        ~word_mask(LENGTHS, T).T[:, None, None, :]
    weights = (P[None, :, :T, :T] / M ** .5).masked_fill(hidden, -torch.inf).softmax(-1)  # (B, K, T, S)
    y = torch.einsum("bkts,sbkd->tbkd", weights, by_head(v)).reshape(T, B, K * D)
    return case("positional attention", tables | dict(v=v),
                dict(y=y, weights=weights.permute(2, 0, 1, 3).reshape(T * B, K, T)), d_k=M, causal=causal, lengths=LENGTHS)


if __name__ == "__main__":
    torch.manual_seed(17)
    save("linear_attention", {f"{kind}, {order}{f', nu {nu}' if nu > 1 else ''}": linear(kind, order, nu)
                              for kind, nu in (("elu_plus_one", 1), ("dpfp", 1), ("dpfp", 3))
                              for order in ("any", "causal")}, "linear attention")
    save("fast_weights", {rule: fast_weights(rule) for rule in ("sum", "delta")}, "fast weights")
    save("convolution", {f"width {w}{', causal' if causal else ''}": convolution(w, causal, lengths)
                         for w, causal, lengths in ((3, False, [5, 5]), (4, False, LENGTHS), (3, True, LENGTHS))},
         "convolution")
    save("positional_attention", {"table": positional(0, False), "table, causal": positional(0, True),
                                  "factors": positional(2, False)}, "positional attention")
