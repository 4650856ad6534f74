#!/usr/bin/env python3
"""Computes the coefficients of tanh in autograd/internal/simd.h: x P(x^2) / Q(x^2) with the least relative error on [0,
LIMIT].

    tests/golden/fit_tanh.py

Lawson's iteration is weighted least squares. The weights grow where the error is large, until the error is equally large
everywhere. Multiplying the equation by Q makes it linear; this Q is taken from the previous round.
"""
import numpy as np

DEGREE_P, DEGREE_Q, LIMIT, ROUNDS = 5, 3, 8.0, 60


def fit():
    """Returns (largest relative error, P, Q), with the lowest powers first."""
    nodes = np.cos(np.pi * (np.arange(4000) + 0.5) / 4000)
    x = np.sort(np.longdouble(LIMIT / 2) * (1 - nodes))
    z, f = (x / LIMIT) ** 2, np.tanh(x) / x
    columns = [z**i for i in range(DEGREE_P + 1)] + [-f * z**i for i in range(1, DEGREE_Q + 1)]
    weights, before, best = np.ones(len(x)), np.ones(len(x)), None
    for _ in range(ROUNDS):
        scale = np.sqrt(weights) / (f * before)
        equations = (np.stack(columns, 1) * scale[:, None]).astype(float)
        found = np.linalg.lstsq(equations, (f * scale).astype(float), rcond=1e-18)[0]
        p, q = found[: DEGREE_P + 1], np.concatenate([[1.0], found[DEGREE_P + 1:]])
        before = np.polynomial.polynomial.polyval(z, q)
        error = np.abs(np.polynomial.polynomial.polyval(z, p) / before / f - 1).astype(float)
        if best is None or error.max() < best[0]:
            best = error.max(), p, q
        weights = weights * (error / error.max() + 1e-3) ** 0.7
        weights = np.maximum(weights / weights.max(), 1e-12)
    error, p, q = best
    return error, p / LIMIT ** (2 * np.arange(len(p))), q / LIMIT ** (2 * np.arange(len(q)))


if __name__ == "__main__":
    error, *both = fit()
    print(f"largest relative error {error:.1e}")
    for name, coefficients in zip("PQ", both):
        print(f"{name}, highest power first:", ", ".join(f"{np.float32(c):.9g}" for c in coefficients[::-1]))
