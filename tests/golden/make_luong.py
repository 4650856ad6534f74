#!/usr/bin/env python3
"""Writes golden values of complete small models: Luong et al. 2015 and the two models without attention (Sutskever et al.
2014, Cho et al. 2014). They are loss, attention and the gradient of every parameter, in PyTorch and float64. See
make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_luong.py

The equations are those at the top of models/recurrent/{luong,sutskever,cho}.h. Parameters have the names of checkpoints.
"""
import torch
from torch.nn import functional as F

from make_attention import Score, declare, look
from make_golden import in_rows, maxout, values
from make_rnnsearch import (A, E, END, GATES, H, L, PAD, SOURCE, START, TARGET, V_X, V_Y, cell, declare_cell, encode,
                            first_state, in_room, padded, save_model)

WORDS_IN, WORDS_OUT = padded([[START] + t for t in TARGET]), padded([t + [END] for t in TARGET])
B = len(SOURCE)


def layer_room(layers, layer):
    return f"/layer{layer}" if layers > 1 else ""


def sentences(reverse):
    return [(s[::-1] if reverse else s) + [END] for s in SOURCE]


def back_in_order(states):
    """Reorders the states (S*B, H) of the reversed sentences, so that each word is at its own position again."""
    in_place = states.reshape(-1, B, states.shape[1]).clone()
    for b, s in enumerate(SOURCE):
        in_place[:len(s), b] = in_place[:len(s), b].flip(0)
    return in_place.reshape(states.shape)


def declare_stacks(p, kind, layers, bidirectional):
    p["source/E"], p["target/E"] = values(V_X, E), values(V_Y, E)
    for layer in range(layers):
        for way in ["forward", "backward"][:2 if bidirectional else 1]:
            declare_cell(p, kind, f"encoder{layer_room(layers, layer)}/{way}", H if layer else E)
    for layer in range(layers):
        declare_cell(p, kind, "decoder" + layer_room(layers, layer), H if layer else E)


def stack(kind, p, layers, residual, xW, states):
    """Runs one step of the decoder's cells, from the projected input of the first cell."""
    after = []
    for layer in range(layers):
        room = "decoder" + layer_room(layers, layer)
        after.append(cell(kind, p, room, xW if layer == 0 else h @ p[room + "/W"] + p[room + "/b"], states[layer]))
        h = after[-1][0] + h if residual and layer else after[-1][0]
    return h, after


def first_projection(p, layers, y):
    room = "decoder" + layer_room(layers, 0)
    return y @ p[room + "/W"] + p[room + "/b"]


def step_loss(p, t, i):
    logits = t @ p["output/W"] + p["output/b"]
    return F.cross_entropy(logits, WORDS_OUT[i * B:(i + 1) * B], reduction="none", ignore_index=PAD)


def luong(name, kind, score, scope="global", layers=1, bidirectional=True, residual=False, feeding=True, reverse=False):
    p = {}
    declare_stacks(p, kind, layers, bidirectional)
    p.update({"attention/" + k: x for k, x in declare(score, scope).items()})
    p["attention/W_c"] = values(2 * H, H)
    if feeding:
        p["decoder/F"] = values(H, GATES[kind] * H)
    p["output/W"], p["output/b"] = values(H, V_Y), values(V_Y)

    source = sentences(reverse)
    states, lasts = encode(kind, p, source, layers, bidirectional, add=True, residual=residual)
    h_bar = in_rows(back_in_order(states) if reverse else states, list(map(len, source)), list(range(B)))
    now = [tuple(sum(parts) for parts in zip(*last)) for last in lasts]  # adds both directions, part by part
    words = torch.tensor([len(s) for s in source])[:, None]
    fed, seen, losses, attention = torch.zeros(B, H), torch.zeros(B, h_bar.shape[1]), [], []
    for i in range(len(WORDS_IN) // B):
        xW = first_projection(p, layers, p["target/E"][WORDS_IN[i * B:(i + 1) * B]])
        h, now = stack(kind, p, layers, residual, xW + fed @ p["decoder/F"] if feeding else xW, now)
        context, alpha = look(score, scope, 1.0, in_room(p, "attention"), h, h_bar, words, i, seen)
        seen = seen + alpha.mean(1)
        fed = torch.tanh(torch.cat([context, h], 1) @ p["attention/W_c"])
        losses.append(step_loss(p, fed, i))
        attention.append(alpha.mean(1))
    save_model(name, f"Luong et al.: {kind}, {layers} layer(s), {score.name}, {scope}", p, WORDS_OUT, losses, attention,
               model="luong", cell=kind, layers=layers, attention=score.name, scope=scope, window=1.0,
               heads=score.heads, encoder="bidirectional" if bidirectional else "unidirectional", residual=residual,
               input_feeding=feeding, reverse_source=reverse)


def sutskever(name, kind, layers, residual, reverse):
    p = {}
    declare_stacks(p, kind, layers, False)
    p["output/W"], p["output/b"] = values(H, V_Y), values(V_Y)
    _, lasts = encode(kind, p, sentences(reverse), layers, False, residual=residual)
    now, losses = [last[0] for last in lasts], []
    for i in range(len(WORDS_IN) // B):
        xW = first_projection(p, layers, p["target/E"][WORDS_IN[i * B:(i + 1) * B]])
        h, now = stack(kind, p, layers, residual, xW, now)
        losses.append(step_loss(p, h, i))
    save_model(name, f"Sutskever et al.: {kind}, {layers} layer(s)", p, WORDS_OUT, losses, [], model="encdec",
               summary="once", cell=kind, layers=layers, residual=residual, reverse_source=reverse)


def cho(name, kind):
    p = {}
    declare_stacks(p, kind, 1, False)
    p["summary/W"], p["summary/b"], p["start/W"], p["start/b"] = values(H, H), values(H), values(H, H), values(H)
    p["decoder/C"] = values(H, GATES[kind] * H)
    p["readout/W"], p["readout/b"] = values(2 * H + E, 2 * L), values(2 * L)
    p["output/W"], p["output/b"] = values(L, V_Y), values(V_Y)
    _, [[last]] = encode(kind, p, sentences(False), 1, False)
    c = torch.tanh(last[0] @ p["summary/W"] + p["summary/b"])
    now, losses = first_state(kind, torch.tanh(c @ p["start/W"] + p["start/b"])), []
    for i in range(len(WORDS_IN) // B):
        y = p["target/E"][WORDS_IN[i * B:(i + 1) * B]]
        now = cell(kind, p, "decoder", first_projection(p, 1, y) + c @ p["decoder/C"], now)
        losses.append(step_loss(p, maxout(now[0], c, y, p["readout/W"], p["readout/b"]), i))
    save_model(name, f"Cho et al.: {kind}", p, WORDS_OUT, losses, [], model="encdec", summary="every-step", cell=kind)


if __name__ == "__main__":
    torch.manual_seed(4)
    luong("luong_general", "lstm", Score("general", H, H, A), layers=2)
    luong("luong_local", "gru", Score("dot", H, H, A), "local-p", layers=2, bidirectional=False, residual=True,
          feeding=False, reverse=True)
    sutskever("sutskever", "lstm", 2, True, True)
    cho("cho", "gru")
