#!/usr/bin/env python3
"""Writes golden values of complete small RNNsearch models (Bahdanau et al. 2015): loss, attention and the gradient of every
parameter, over a padded batch of three pairs, in PyTorch and float64. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_rnnsearch.py

The equations are those at the top of models/recurrent/rnnsearch.h. Parameters have the names of checkpoints.
"""
import torch
from torch.nn import functional as F

from make_attention import Score, look
from make_golden import gru_cho, in_rows, maxout, values, word_mask, write

PAD, START, END = 0, 2, 3
SOURCE = [[4, 5, 6], [7], [6, 4, 1, 5]]
TARGET = [[5, 4], [6, 6, 5, 1], [4]]
V_X, V_Y, E, H, A, L = 8, 7, 3, 4, 5, 2


def lstm(xW, state, U):
    """The LSTM of Hochreiter & Schmidhuber 1997 with a forget gate. The order of gates is i f g o."""
    h, c = state
    i, f, g, o = (xW + h @ U).split(h.shape[1], 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_pytorch(xW, h, U, b_u):
    """The GRU of torch.nn.GRU. gru_pytorch.json compares both."""
    H = h.shape[1]
    hU = h @ U
    r, z = torch.sigmoid(xW[:, :2 * H] + hU[:, :2 * H]).split(H, 1)
    n = torch.tanh(xW[:, 2 * H:] + r * (hU[:, 2 * H:] + b_u))
    return (1 - z) * n + z * h


def cell(kind, p, room, xW, state):
    """Returns the next state, a tuple whose first part is h."""
    if kind == "lstm":
        return lstm(xW, state, p[room + "/U"])
    if kind == "gru":
        return (gru_cho(xW, state[0], p[room + "/U"]),)
    return (gru_pytorch(xW, state[0], p[room + "/U"], p[room + "/b_u"]),)


def first_state(kind, h):
    return (h, torch.zeros_like(h)) if kind == "lstm" else (h,)


def run(kind, p, room, x, lengths, backward):
    """Returns all h (S*B, H) and the last state. The state does not change at padding."""
    B, S = len(lengths), len(x) // len(lengths)
    mask = word_mask(lengths, S)[:, :, None]
    state, states = first_state(kind, torch.zeros(B, H)), [None] * S
    for t in reversed(range(S)) if backward else range(S):
        after = cell(kind, p, room, x[t * B:(t + 1) * B] @ p[room + "/W"] + p[room + "/b"], state)
        state = tuple(torch.where(mask[t], new, old) for new, old in zip(after, state))
        states[t] = state[0]
    return torch.cat(states), state


GATES = {"lstm": 4, "gru": 3, "gru-pytorch": 3}


def declare_cell(p, kind, room, inputs):
    gates = GATES[kind] * H
    p[room + "/W"], p[room + "/U"], p[room + "/b"] = values(inputs, gates), values(H, gates), values(gates)
    if kind == "gru-pytorch":
        p[room + "/b_u"] = values(H)


def in_room(p, room):
    """Returns the parameters of one module under their names within the module."""
    return {name[len(room) + 1:]: x for name, x in p.items() if name.startswith(room + "/")}


def declare(kind, readout, layers, start, score, D):
    p = {}
    p["source/E"], p["target/E"] = values(V_X, E), values(V_Y, E)
    for layer in range(layers):
        for direction in ["forward", "backward"]:
            room = "encoder/" + (f"layer{layer}/" if layers > 1 else "") + direction
            declare_cell(p, kind, room, E if layer == 0 else 2 * H)
    p["start/W"], p["start/b"] = values(2 * H if start == "both" else H, H), values(H)
    declare_cell(p, kind, "decoder", E)
    p["decoder/C"] = values(D, GATES[kind] * H)
    p.update({"attention/" + name: x for name, x in score.declare().items()})
    width = 2 * L if readout == "maxout" else L
    p["readout/W"], p["readout/b"] = values(H + D + E, width), values(width)
    p["output/W"], p["output/b"] = values(L, V_Y), values(V_Y)
    return p


def encode(kind, p, source, layers, bidirectional=True, add=False, residual=False):
    """Runs a stack over sentences of ids. Returns the states of the top layer (S*B, D) and, per layer, the last state of
    each direction."""
    lengths = [len(s) for s in source]
    states, lasts = p["source/E"][padded(source)], []
    for layer in range(layers):
        room = "encoder/" + (f"layer{layer}/" if layers > 1 else "")
        read, last = zip(*(run(kind, p, room + way, states, lengths, way == "backward")
                           for way in ["forward", "backward"][:2 if bidirectional else 1]))
        read = sum(read) if add else torch.cat(read, 1)
        states = read + states if residual and layer > 0 else read
        lasts.append(last)
    return states, lasts


def padded(sentences):
    """Returns the ids in time-major rows t*B + b."""
    steps = max(map(len, sentences))
    return torch.tensor([s[t] if t < len(s) else PAD for t in range(steps) for s in sentences])


def save_model(name, about, p, words_out, losses, weights, smoothing=0.0, **options):
    """Saves a model. `options` are the options of models/options.h that differ from their defaults."""
    losses = torch.cat(losses)
    attention = dict(attention=torch.stack(weights)) if weights else {}
    words = (words_out != PAD).sum()
    write(name, about, p, {"loss": losses.sum() / words}, losses=losses, **attention, source=SOURCE, target=TARGET,
          label_smoothing=smoothing, options=dict(source_vocabulary=V_X, target_vocabulary=V_Y, embedding=E, hidden=H,
                                                  attention_size=A, readout=L, dropout=0.0, **options))


def rnnsearch(name, kind, readout, layers=1, start="backward", smoothing=0.0, query_word=False, readout_state="current",
              coverage=False, source_bridging=False):
    D = 2 * H + (E if source_bridging else 0)
    score = Score("additive", H + E if query_word else H, D, A, coverage=coverage)
    p = declare(kind, readout, layers, start, score, D)
    source = [s + [END] for s in SOURCE]
    lengths, B = [len(s) for s in source], len(source)

    states, lasts = encode(kind, p, source, layers)
    (right_last, *_), (left_last, *_) = lasts[-1]
    summary = torch.cat([right_last, left_last], 1) if start == "both" else left_last
    state = first_state(kind, torch.tanh(summary @ p["start/W"] + p["start/b"]))
    if source_bridging:
        states = torch.cat([states, p["source/E"][padded(source)]], 1)
    words_in, words_out = padded([[START] + t for t in TARGET]), padded([t + [END] for t in TARGET])
    losses, attention = [], []
    h = in_rows(states, lengths, list(range(B)))
    seen = torch.zeros(B, h.shape[1])
    for i in range(len(words_in) // B):
        y = p["target/E"][words_in[i * B:(i + 1) * B]]
        query = torch.cat([state[0], y], 1) if query_word else state[0]
        context, alpha = look(score, "global", 0, in_room(p, "attention"), query, h, torch.tensor(lengths)[:, None], i, seen)
        seen = seen + alpha[:, 0]
        xW = y @ p["decoder/W"] + p["decoder/b"] + context @ p["decoder/C"]
        before, state = state, cell(kind, p, "decoder", xW, state)
        parts = [before[0] if readout_state == "previous" else state[0], context, y]
        t = (maxout(*parts, p["readout/W"], p["readout/b"]) if readout == "maxout"
             else torch.tanh(torch.cat(parts, 1) @ p["readout/W"] + p["readout/b"]))
        logits = t @ p["output/W"] + p["output/b"]
        losses.append(F.cross_entropy(logits, words_out[i * B:(i + 1) * B], reduction="none", ignore_index=PAD,
                                      label_smoothing=smoothing))
        attention.append(alpha[:, 0])
    save_model(name, f"RNNsearch: {kind}, {readout}, {layers} encoder layer(s), s_0 from {start}, label smoothing {smoothing}"
               + (", the previous word in the query" if query_word else "") + (", coverage" if coverage else "")
               + (", readout of the previous state" if readout_state == "previous" else "")
               + (", source-side bridging" if source_bridging else ""), p, words_out, losses, attention,
               smoothing, cell=kind, readout_kind=readout, layers=layers, start=start, query_word=query_word,
               readout_state=readout_state, coverage=coverage, source_bridging=source_bridging)


if __name__ == "__main__":
    torch.manual_seed(2)
    rnnsearch("rnnsearch_lstm_maxout", "lstm", "maxout")
    rnnsearch("rnnsearch_lstm_tanh", "lstm", "tanh", start="both", smoothing=0.1)
    rnnsearch("rnnsearch_gru_maxout", "gru", "maxout")
    rnnsearch("rnnsearch_gru_tanh", "gru", "tanh", layers=2, start="both")
    rnnsearch("rnnsearch_gru_pytorch", "gru-pytorch", "maxout")
    rnnsearch("rnnsearch_appendix", "gru", "maxout", query_word=True, readout_state="previous", coverage=True)
    rnnsearch("rnnsearch_bridging", "lstm", "maxout", layers=2, query_word=True, source_bridging=True)
