#!/usr/bin/env python3
"""Writes golden values of the LSTM that attends to its past states (Cheng et al. 2016), in PyTorch and float64. For the
layer, they are states, weights and all gradients. For complete models with this LSTM as encoder in both directions, they are
the loss, the attention and the gradient of every parameter. The models are Luong's, and the models with shallow and deep
fusion, which also have this LSTM as decoder. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_lstmn.py
"""
import torch

import make_luong
import make_rnnsearch
from make_attention import Score, declare, look
from make_golden import case, in_rows, save, values
from make_rnnsearch import declare_cell, in_room, save_model

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


def declare_reader(p, room, inputs):
    E, H, A = inputs, make_rnnsearch.H, make_rnnsearch.A
    declare_cell(p, "lstm", room + "/cell", E)
    for name, shape in {"W_h": (H, A), "W_x": (E, A), "W_t": (H, A), "v": (A,)}.items():
        p[f"{room}/{name}"] = values(*shape)


def read(p, room, x):
    """Returns h and c, (S, H) each, of one sentence x (S, E), in the order in which it is read."""
    tape = [[], []]
    h_t = c_t = torch.zeros(make_rnnsearch.H)
    for x_t in x:
        if tape[0]:
            h, c = map(torch.stack, tape)
            s = torch.softmax(torch.tanh(h @ p[room + "/W_h"] + x_t @ p[room + "/W_x"] + h_t @ p[room + "/W_t"]) @ p[room + "/v"], 0)
            h_t, c_t = s @ h, s @ c
        xW = x_t @ p[room + "/cell/W"] + p[room + "/cell/b"]
        now = make_rnnsearch.lstm(xW[None], (h_t[None], c_t[None]), p[room + "/cell/U"])
        for states, state in zip(tape, now):
            states.append(state[0])
    return map(torch.stack, tape)


def read_both_ways(p, source):
    """Returns the sums over both directions: the states (S*B, H), 0 at padding, the cells likewise, and the last h and c."""
    S, B, H = max(map(len, source)), len(source), make_rnnsearch.H
    states, cells, last = torch.zeros(S, B, H), torch.zeros(S, B, H), torch.zeros(2, B, H)
    for b, sentence in enumerate(source):
        for way in ["forward", "backward"]:
            x = p["source/E"][torch.tensor(sentence)]
            h, c = read(p, "encoder/" + way, x.flip(0) if way == "backward" else x)
            ends = torch.stack([h[-1], c[-1]])
            h, c = (h.flip(0), c.flip(0)) if way == "backward" else (h, c)
            at = torch.zeros(S, B, 1)
            at[:len(sentence), b] = 1
            pad = torch.zeros(S - len(sentence), H)
            states = states + at * torch.cat([h, pad])[:, None]
            cells = cells + at * torch.cat([c, pad])[:, None]
            mine = torch.zeros(1, B, 1)
            mine[0, b] = 1
            last = last + mine * ends[:, None]
    return states.reshape(S * B, H), cells.reshape(S * B, H), tuple(last)


def luong():
    """Luong's decoder over these states; see make_luong.py."""
    E, H, A, V_X, V_Y = (getattr(make_rnnsearch, name) for name in ["E", "H", "A", "V_X", "V_Y"])
    score, p, source = Score("general", H, H, A), {}, make_luong.sentences(False)
    p["source/E"], p["target/E"] = values(V_X, E), values(V_Y, E)
    for way in ["forward", "backward"]:
        declare_reader(p, "encoder/" + way, E)
    declare_cell(p, "lstm", "decoder", E)
    p.update({"attention/" + k: x for k, x in declare(score, "global").items()})
    p["attention/W_c"], p["decoder/F"] = values(2 * H, H), values(H, 4 * H)
    p["output/W"], p["output/b"] = values(H, V_Y), values(V_Y)
    states, _, last = read_both_ways(p, source)
    B = len(source)
    h_bar = in_rows(states, list(map(len, source)), list(range(B)))
    words = torch.tensor([len(s) for s in source])[:, None]
    now, fed, seen, losses, attention = [last], torch.zeros(B, H), torch.zeros(B, h_bar.shape[1]), [], []
    for i in range(len(make_luong.WORDS_IN) // B):
        y = p["target/E"][make_luong.WORDS_IN[i * B:(i + 1) * B]]
        h, now = make_luong.stack("lstm", p, 1, False, make_luong.first_projection(p, 1, y) + fed @ p["decoder/F"], now)
        context, alpha = look(score, "global", 1.0, in_room(p, "attention"), h, h_bar, words, i, seen)
        seen = seen + alpha.mean(1)
        fed = torch.tanh(torch.cat([context, h], 1) @ p["attention/W_c"])
        losses.append(make_luong.step_loss(p, fed, i))
        attention.append(alpha.mean(1))
    save_model("luong_lstmn", "Luong et al., the source read by an LSTM that looks back", p, make_luong.WORDS_OUT, losses,
               attention, model="luong", encoder="lstmn", attention=score.name)


def cheng(fusion):
    """Computes one sentence at a time, by the equations at the top of models/recurrent/cheng.h."""
    E, H, A, V_X, V_Y = (getattr(make_rnnsearch, name) for name in ["E", "H", "A", "V_X", "V_Y"])
    score, p, source = Score("additive", E + H, H, A), {}, make_luong.sentences(False)
    p["source/E"], p["target/E"] = values(V_X, E), values(V_Y, E)
    for way in ["forward", "backward"]:
        declare_reader(p, "encoder/" + way, E)
    declare_reader(p, "decoder", E)
    p.update({"attention/" + k: x for k, x in declare(score, "global").items()})
    if fusion == "deep":
        p["fusion/W"], p["fusion/b"] = values(H + E, H), values(H)
    else:
        p["decoder/C"] = values(H, 4 * H)
    p["output/W"], p["output/b"] = values(H, V_Y), values(V_Y)
    states, cells, _ = read_both_ways(p, source)
    B = len(source)
    S, T = len(states) // B, len(make_luong.WORDS_IN) // B
    written, attention = [], torch.zeros(T, B, S)
    for b, sentence in enumerate(source):
        gamma_s, alpha_s = (x.reshape(S, B, H)[:len(sentence), b] for x in (states, cells))
        gamma, h_t, tape = torch.zeros(H), torch.zeros(H), [[], []]
        for t in range(T):
            x = p["target/E"][make_luong.WORDS_IN[t * B + b]]
            query = torch.cat([x, gamma]) @ p["attention/W_a"]
            look = torch.softmax(torch.tanh(query + gamma_s @ p["attention/U_a"]) @ p["attention/v_a"], 0)  # eq. 10, 11
            gamma, alpha = look @ gamma_s, look @ alpha_s  # eq. 12
            c_t = torch.zeros(H)
            if tape[0]:
                h, c = map(torch.stack, tape)
                asked = h @ p["decoder/W_h"] + x @ p["decoder/W_x"] + h_t @ p["decoder/W_t"]
                s = torch.softmax(torch.tanh(asked) @ p["decoder/v"], 0)
                h_t, c_t = s @ h, s @ c
            a = x @ p["decoder/cell/W"] + h_t @ p["decoder/cell/U"] + p["decoder/cell/b"]
            i, f, g, o = (a if fusion == "deep" else a + gamma @ p["decoder/C"]).split(H)
            c_now = torch.sigmoid(f) * c_t + torch.sigmoid(i) * torch.tanh(g)
            if fusion == "deep":  # eq. 13, 14
                c_now = c_now + torch.sigmoid(torch.cat([gamma, x]) @ p["fusion/W"] + p["fusion/b"]) * alpha
            tape[0].append(torch.sigmoid(o) * torch.tanh(c_now))
            tape[1].append(c_now)
            attention[t, b, :len(sentence)] = look.detach()
        written.append(torch.stack(tape[0]))
    h = torch.stack(written, 1)  # (T, B, H)
    losses = [make_luong.step_loss(p, h[t], t) for t in range(T)]
    save_model(f"cheng_{fusion}", f"Cheng et al., {fusion} fusion", p, make_luong.WORDS_OUT, losses, list(attention),
               model="lstmn", fusion=fusion)


if __name__ == "__main__":
    torch.manual_seed(22)
    save("lstmn", lstmn(), "LSTM that looks back at its states")
    luong()
    cheng("shallow")
    cheng("deep")
