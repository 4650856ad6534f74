#!/usr/bin/env python3
"""Writes golden values of whole small RNNsearch models (Bahdanau et al. 2015): loss, attention and the gradient of every
parameter, over a padded batch of three pairs, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_rnnsearch.py

The equations are those at the head of models/rnnsearch.h; parameters bear the names that the checkpoint has.
"""
import torch
from torch.nn import functional as F

from make_golden import additive_attention, gru_cho, maxout, values, word_mask, write

PAD, START, END = 0, 2, 3
SOURCE = [[4, 5, 6], [7], [6, 4, 1, 5]]
TARGET = [[5, 4], [6, 6, 5, 1], [4]]
V_X, V_Y, E, H, A, L = 8, 7, 3, 4, 5, 2


def lstm(xW, state, U):
    """Hochreiter & Schmidhuber 1997 with a forget gate; order i f g o."""
    h, c = state
    i, f, g, o = (xW + h @ U).split(h.shape[1], 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_pytorch(xW, h, U, b_u):
    """torch.nn.GRU, held to it by gru_pytorch.json."""
    H = h.shape[1]
    hU = h @ U
    r, z = torch.sigmoid(xW[:, :2 * H] + hU[:, :2 * H]).split(H, 1)
    n = torch.tanh(xW[:, 2 * H:] + r * (hU[:, 2 * H:] + b_u))
    return (1 - z) * n + z * h


def cell(kind, p, room, xW, state):
    """The next state, a tuple whose first part is h."""
    if kind == "lstm":
        return lstm(xW, state, p[room + "/U"])
    if kind == "gru":
        return (gru_cho(xW, state[0], p[room + "/U"]),)
    return (gru_pytorch(xW, state[0], p[room + "/U"], p[room + "/b_u"]),)


def first_state(kind, h):
    return (h, torch.zeros_like(h)) if kind == "lstm" else (h,)


def run(kind, p, room, x, lengths, backward):
    """All states (S*B, H) and the last one's h; padding leaves the state as it was."""
    B, S = len(lengths), len(x) // len(lengths)
    mask = word_mask(lengths, S)[:, :, None]
    state, states = first_state(kind, torch.zeros(B, H)), [None] * S
    for t in reversed(range(S)) if backward else range(S):
        after = cell(kind, p, room, x[t * B:(t + 1) * B] @ p[room + "/W"] + p[room + "/b"], state)
        state = tuple(torch.where(mask[t], new, old) for new, old in zip(after, state))
        states[t] = state[0]
    return torch.cat(states), state[0]


def declare(kind, readout, layers, start):
    p = {}
    gates = (4 if kind == "lstm" else 3) * H

    def declare_cell(room, inputs):
        p[room + "/W"], p[room + "/U"], p[room + "/b"] = values(inputs, gates), values(H, gates), values(gates)
        if kind == "gru-pytorch":
            p[room + "/b_u"] = values(H)

    p["source/E"], p["target/E"] = values(V_X, E), values(V_Y, E)
    for layer in range(layers):
        for direction in ["forward", "backward"]:
            room = "encoder/" + (f"layer{layer}/" if layers > 1 else "") + direction
            declare_cell(room, E if layer == 0 else 2 * H)
    p["start/W"], p["start/b"] = values(2 * H if start == "both" else H, H), values(H)
    declare_cell("decoder", E)
    p["decoder/C"] = values(2 * H, gates)
    p["attention/W_a"], p["attention/U_a"], p["attention/v_a"] = values(H, A), values(2 * H, A), values(A)
    width = 2 * L if readout == "maxout" else L
    p["readout/W"], p["readout/b"] = values(H + 2 * H + E, width), values(width)
    p["output/W"], p["output/b"] = values(L, V_Y), values(V_Y)
    return p


def padded(sentences):
    """Time-major rows t*B + b."""
    steps = max(map(len, sentences))
    return torch.tensor([s[t] if t < len(s) else PAD for t in range(steps) for s in sentences])


def rnnsearch(name, kind, readout, layers=1, start="backward", smoothing=0.0):
    p = declare(kind, readout, layers, start)
    source = [s + [END] for s in SOURCE]
    lengths, B = [len(s) for s in source], len(source)

    states = p["source/E"][padded(source)]
    for layer in range(layers):
        room = "encoder/" + (f"layer{layer}/" if layers > 1 else "")
        right, right_last = run(kind, p, room + "forward", states, lengths, False)
        left, left_last = run(kind, p, room + "backward", states, lengths, True)
        states = torch.cat([right, left], 1)

    summary = torch.cat([right_last, left_last], 1) if start == "both" else left_last
    state = first_state(kind, torch.tanh(summary @ p["start/W"] + p["start/b"]))
    words_in, words_out = padded([[START] + t for t in TARGET]), padded([t + [END] for t in TARGET])
    losses, attention = [], []
    for i in range(len(words_in) // B):
        y = p["target/E"][words_in[i * B:(i + 1) * B]]
        _, alpha, context = additive_attention(state[0], p["attention/W_a"], p["attention/U_a"], p["attention/v_a"], states,
                                               lengths, list(range(B)))
        xW = y @ p["decoder/W"] + p["decoder/b"] + context @ p["decoder/C"]
        state = cell(kind, p, "decoder", xW, state)
        parts = [state[0], context, y]
        t = (maxout(*parts, p["readout/W"], p["readout/b"]) if readout == "maxout"
             else torch.tanh(torch.cat(parts, 1) @ p["readout/W"] + p["readout/b"]))
        logits = t @ p["output/W"] + p["output/b"]
        losses.append(F.cross_entropy(logits, words_out[i * B:(i + 1) * B], reduction="none", ignore_index=PAD,
                                      label_smoothing=smoothing))
        attention.append(alpha)
    losses = torch.cat(losses)
    words = (words_out != PAD).sum()
    write(name, f"RNNsearch: {kind}, {readout}, {layers} encoder layer(s), s_0 from {start}, label smoothing {smoothing}", p,
          {"loss": losses.sum() / words}, losses=losses, attention=torch.stack(attention), source=SOURCE, target=TARGET,
          cell=kind, readout=readout, layers=layers, start=start, label_smoothing=smoothing,
          sizes=dict(source_vocabulary=V_X, target_vocabulary=V_Y, embedding=E, hidden=H, attention=A, readout=L))


if __name__ == "__main__":
    torch.manual_seed(2)
    rnnsearch("rnnsearch_lstm_maxout", "lstm", "maxout")
    rnnsearch("rnnsearch_lstm_tanh", "lstm", "tanh", start="both", smoothing=0.1)
    rnnsearch("rnnsearch_gru_maxout", "gru", "maxout")
    rnnsearch("rnnsearch_gru_tanh", "gru", "tanh", layers=2, start="both")
    rnnsearch("rnnsearch_gru_pytorch", "gru-pytorch", "maxout")
