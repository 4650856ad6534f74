#!/usr/bin/env python3
"""Writes golden values of the LSTM that looks back at its states (Cheng et al. 2016): states, weights and all gradients, in
PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_lstmn.py
"""
import torch

from make_golden import case, save, values

S, B, E, H, A = 5, 2, 3, 4, 3


def lstmn():
    p = {"x": values(S, B, E), "cell/W": values(E, 4 * H, scale=0.5), "cell/U": values(H, 4 * H, scale=0.5),
         "cell/b": values(4 * H, scale=0.5), "W_h": values(H, A), "W_x": values(E, A), "W_t": values(H, A), "v": values(A)}
    h, c, weights = [], [], {}
    h_t = c_t = torch.zeros(B, H)
    for t in range(S):
        if t > 0:
            a = torch.tanh(torch.stack(h) @ p["W_h"] + p["x"][t] @ p["W_x"] + h_t @ p["W_t"]) @ p["v"]  # (t, B)
            s = torch.softmax(a, 0)
            h_t, c_t = (s[:, :, None] * torch.stack(h)).sum(0), (s[:, :, None] * torch.stack(c)).sum(0)
            weights[f"weights_{t}"] = s.T
        i, f, g, o = (p["x"][t] @ p["cell/W"] + h_t @ p["cell/U"] + p["cell/b"]).split(H, 1)
        c.append(torch.sigmoid(f) * c_t + torch.sigmoid(i) * torch.tanh(g))
        h.append(torch.sigmoid(o) * torch.tanh(c[-1]))
    return case("LSTMN", p, {"states": torch.stack(h), **weights})


if __name__ == "__main__":
    torch.manual_seed(22)
    save("lstmn", lstmn(), "LSTM that looks back at its states")
