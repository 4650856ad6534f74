#!/usr/bin/env python3
"""Writes golden values of kernel pooling (Nadaraya 1964, Watson 1964): pooled values, weights and all gradients, in PyTorch
and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_pooling.py
"""
import torch

from make_golden import case, save, values

KERNELS = {"gaussian": lambda u: torch.exp(-u ** 2 / 2), "boxcar": lambda u: (u <= 1) + 0 * u,
           "epanechnikov": lambda u: (1 - u ** 2).clamp(min=0), "triangular": lambda u: (1 - u).clamp(min=0)}


def pooling(kernel, left_out):
    N = 5 if left_out else 6
    x, keys, y, w = values(5, 2), values(N, 2), values(N, 3), torch.tensor([.6], requires_grad=True)
    u = w * (x[:, None] - keys[None]).norm(dim=2)
    k = KERNELS[kernel](u)
    if left_out:
        k = k * (1 - torch.eye(5))
    total = k.sum(1, keepdim=True)
    weights = k / torch.where(total == 0, torch.ones(()), total)
    return case(f"{kernel} kernel", dict(x=x, keys=keys, values=y, w=w), dict(pooled=weights @ y, weights=weights),
                kernel=kernel, left_out=left_out)


if __name__ == "__main__":
    torch.manual_seed(16)
    save("kernel_pooling", {f"{kernel}{', own left out' if left_out else ''}": pooling(kernel, left_out)
                            for kernel in KERNELS for left_out in (False, True)}, "kernel pooling")
