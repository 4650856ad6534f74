#!/usr/bin/env python3
"""Writes golden values of the captioning decoder (Xu et al. 2015, soft attention): losses, weights and all gradients, in
PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_show_attend_tell.py
"""
import torch
from torch.nn import functional as F

from make_golden import case, save, values

N, B, T, V, E, H, D, A = 4, 2, 3, 7, 3, 4, 5, 2
READ = [[2, 2], [4, 6], [5, 3]]      # (T, B): <s> comes first, and the second caption is one word shorter
WRITTEN = [[4, 6], [5, 3], [3, 0]]   # </s> is 3, <pad> is 0


def show_attend_tell():
    p = {"a": values(N, B, D), "target/E": values(V, E), "output/W": values(E, V), "output/b": values(V)}
    for state in "hc":
        p |= {f"start/{state}/W": values(D, H, scale=0.5), f"start/{state}/b": values(H, scale=0.5)}
    p |= {"decoder/W": values(E, 4 * H, scale=0.5), "decoder/U": values(H, 4 * H, scale=0.5), "decoder/b": values(4 * H, scale=0.5),
          "decoder/C": values(D, 4 * H, scale=0.5), "attention/W_a": values(H, A), "attention/U_a": values(D, A),
          "attention/v_a": values(A), "gate/W": values(H, 1), "gate/b": values(1), "output/L_h": values(H, E),
          "output/L_z": values(D, E)}
    mean = p["a"].mean(0)
    h, c = (torch.tanh(mean @ p[f"start/{state}/W"] + p[f"start/{state}/b"]) for state in "hc")
    losses, weights = [], []
    for t in range(T):
        y = p["target/E"][READ[t]]
        e = torch.tanh(h @ p["attention/W_a"] + p["a"] @ p["attention/U_a"]) @ p["attention/v_a"]  # (N, B)
        alpha = torch.softmax(e, 0)
        beta = torch.sigmoid(h @ p["gate/W"] + p["gate/b"])  # (B, 1)
        z = beta * (alpha[:, :, None] * p["a"]).sum(0)
        i, f, g, o = (y @ p["decoder/W"] + h @ p["decoder/U"] + z @ p["decoder/C"] + p["decoder/b"]).split(H, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        logits = (y + h @ p["output/L_h"] + z @ p["output/L_z"]) @ p["output/W"] + p["output/b"]
        losses.append(F.cross_entropy(logits, torch.tensor(WRITTEN[t]), reduction="none", ignore_index=0))
        weights.append(alpha.T)
    return case("show, attend and tell", p, {"losses": torch.cat(losses), "weights": torch.cat(weights)})


if __name__ == "__main__":
    torch.manual_seed(23)
    save("show_attend_tell", show_attend_tell(), "the decoder that writes captions")
