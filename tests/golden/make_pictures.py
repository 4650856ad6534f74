#!/usr/bin/env python3
"""Writes golden values of layers for pictures, with gradients, in PyTorch and float64: convolution over cells, pools,
self-attention over cells (Zhang et al. 2019), squeeze and excitation (Hu et al. 2018), CBAM (Woo et al. 2018). See
make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_pictures.py

A picture is (H W, B, C) in the files and (B, C, H, W) in PyTorch. A kernel is (k k C, N) in the files and (N, C, k, k) in PyTorch.
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values


def picture(x, H, W):
    return x.reshape(H, W, *x.shape[1:]).permute(2, 3, 0, 1)


def cells(x):
    return x.permute(2, 3, 0, 1).reshape(-1, *x.shape[:2])


def kernel(W, k):
    return W.reshape(k, k, -1, W.shape[1]).permute(3, 2, 0, 1)


def convolution(H, W, C, N, k, stride, padding):
    x, weight, b = values(H * W, 2, C), values(k * k * C, N), values(N)
    y = F.conv2d(picture(x, H, W), kernel(weight, k), b, stride, padding)
    return case("torch.nn.functional.conv2d", dict(x=x, W=weight, b=b), dict(y=cells(y)),
                grid=[H, W], patch=[k, stride, padding])


def mean_pool():
    x = values(12, 2, 3)
    return case("torch.nn.AdaptiveAvgPool2d(1)", dict(x=x), dict(y=torch.nn.AdaptiveAvgPool2d(1)(picture(x, 3, 4))[:, :, 0, 0]))


def non_local(N, B, C, d):
    inputs = dict(x=values(N, B, C), W_f=values(C, d), W_g=values(C, d), W_h=values(C, C // 2), W_v=values(C // 2, C),
                  gamma=values(1))
    x = inputs["x"].permute(1, 0, 2)  # (B, N, C)
    f, g, h = x @ inputs["W_f"], x @ inputs["W_g"], x @ inputs["W_h"]
    beta = torch.softmax(g @ f.transpose(1, 2), 2)  # (B, N, N)
    y = inputs["gamma"] * (beta @ h @ inputs["W_v"]) + x
    return case("self-attention over cells", inputs,
                dict(y=y.permute(1, 0, 2), weights=beta.permute(1, 0, 2).reshape(N * B, 1, N)))


def bottleneck(C, inner, room):
    return {f"{room}first/W": values(C, inner), f"{room}first/b": values(inner),
            f"{room}second/W": values(inner, C), f"{room}second/b": values(C)}


def mlp(s, p, room):
    return torch.relu(s @ p[f"{room}first/W"] + p[f"{room}first/b"]) @ p[f"{room}second/W"] + p[f"{room}second/b"]


def squeeze_excitation(N, B, C, inner):
    p = bottleneck(C, inner, "")
    x = values(N, B, C)
    s = torch.sigmoid(mlp(x.mean(0), p, ""))
    return case("squeeze and excitation", dict(x=x, **p), dict(y=x * s, gate=s))


def cbam(H, W, B, C, inner):
    p = {**bottleneck(C, inner, "channel/"), "spatial/W": values(7 * 7 * 2, 1), "spatial/b": values(1)}
    x = values(H * W, B, C)
    M_c = torch.sigmoid(mlp(x.mean(0), p, "channel/") + mlp(x.amax(0), p, "channel/"))
    kept = x * M_c
    seen = torch.stack([kept.mean(2), kept.amax(2)], 2)
    M_s = torch.sigmoid(cells(F.conv2d(picture(seen, H, W), kernel(p["spatial/W"], 7), p["spatial/b"], 1, 3)))
    return case("CBAM", dict(x=x, **p), dict(y=kept * M_s, channels=M_c, cells=M_s), grid=[H, W])


if __name__ == "__main__":
    torch.manual_seed(19)
    save("convolution_2d", {"3 x 3": convolution(4, 5, 3, 4, 3, 1, 0), "3 x 3, padded": convolution(4, 5, 3, 4, 3, 1, 1),
                            "3 x 3, stride 2": convolution(5, 6, 2, 3, 3, 2, 1), "1 x 1": convolution(3, 2, 4, 3, 1, 1, 0),
                            "2 x 2, stride 2": convolution(5, 4, 3, 2, 2, 2, 0),
                            "5 x 5, stride 3": convolution(7, 4, 2, 3, 5, 3, 2)}, "convolution over cells")
    save("mean_pool", mean_pool(), "mean over cells")
    save("non_local", non_local(6, 2, 8, 3), "self-attention over cells")
    save("squeeze_excitation", squeeze_excitation(5, 3, 6, 2), "channel gates")
    # With another seed, the gradient of the single bias of the cells is a hundredth of the terms of its sum, and float32
    # rounds these terms.
    torch.manual_seed(20)
    save("cbam", cbam(4, 3, 2, 6, 3), "channel gates, then spatial ones")
