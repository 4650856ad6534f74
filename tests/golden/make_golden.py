#!/usr/bin/env python3
"""Writes the golden values with which tests/ compare: PyTorch's values and gradients, computed in float64.

    /usr/bin/python3 tests/golden/make_golden.py        (Debian: python3-torch; made with PyTorch 1.13)

This is a developer's tool, because the tests read only the JSON files. Each file has "inputs", "outputs", the gradient
"upstream" of each output, and the "gradients" of sum_o upstream_o . output_o by each input. Inputs are rounded to three
decimals, so that float32 and float64 start from the same numbers.

All values have softalign's layouts, which differ from PyTorch's:
  rows         time-major t*B + b, so (S, B, K) is (S*B, K)
  weights      (inputs, outputs): W = weight_ih', U = weight_hh' (PyTorch multiplies by the transpose)
  gate order   LSTM i f g o, GRU r z n: the same in both
  biases       LSTM: b = bias_ih + bias_hh.  GRU: b = bias_ih + (bias_hh's r and z), b_u = bias_hh's n,
               which stays inside the reset gate. PyTorch's redundant biases are set to zero.
  padding      PyTorch's packed sequences are zero at padding, but softalign's states keep their values. The files have
               softalign's values, so that the gradient of padding is tested too.
"""
import json
import pathlib

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

HERE = pathlib.Path(__file__).parent
torch.set_default_dtype(torch.float64)


def values(*shape, scale=1.0, grad=True):
    """Returns a leaf of random numbers with three decimals."""
    return (torch.randn(*shape) * scale).mul(1000).round().div(1000).requires_grad_(grad)


def text(x, indent=0):
    """Returns x as JSON: nested lists with one row per line, ten significant digits."""
    if isinstance(x, torch.Tensor):
        x = x.detach().tolist()
    if isinstance(x, dict):
        pad = " " * (indent + 1)
        return "{\n" + ",\n".join(f"{pad}{json.dumps(k)}: {text(v, indent + 1)}" for k, v in x.items()) + "\n" + pad[1:] + "}"
    if isinstance(x, list) and x and isinstance(x[0], list):
        pad = " " * (indent + 1)
        return "[\n" + ",\n".join(pad + text(row, indent + 1) for row in x) + "]"
    if isinstance(x, list):
        return "[" + ", ".join(text(v) for v in x) + "]"
    return f"{x:.10g}" if isinstance(x, float) else json.dumps(x)


def case(about, inputs, outputs, **facts):
    """Back-propagates a random upstream gradient of every output. The upstream gradient of a loss is 1."""
    upstream = {k: values(*y.shape, grad=False) if y.dim() else torch.tensor(1.0) for k, y in outputs.items()}
    loss = sum((upstream[k] * y).sum() for k, y in outputs.items())
    gradients = dict(zip(inputs, torch.autograd.grad(loss, list(inputs.values()))))
    return dict(about=about, **facts, inputs=inputs, outputs=outputs, upstream=upstream, gradients=gradients)


def save(name, content, about):
    (HERE / f"{name}.json").write_text(text(content) + "\n")
    print(f"{name}.json: {about}")


def write(name, about, inputs, outputs, **facts):
    save(name, case(about, inputs, outputs, **facts), about)


def word_mask(lengths, S):
    return torch.arange(S)[:, None] < torch.tensor(lengths)[None, :]  # (S, B)


def with_states_kept(y, first, last, lengths, direction):
    """Converts (S, B, H) of a packed run to (S*B, H). At padding, the state keeps its value."""
    S = y.shape[0]
    at_padding = last if direction == "forward" else first
    return torch.where(word_mask(lengths, S)[:, :, None], y, at_padding[None]).reshape(S * len(lengths), -1)


DIRECTIONS = ["forward", "backward"]


def bidirectional(make, cell, gates, lengths, S, E, H):
    """Runs nn.LSTM or nn.GRU over a packed batch. The leaves are parameters in softalign's layout."""
    B = len(lengths)
    inputs = {"x": values(S * B, E)}
    for d in DIRECTIONS:
        inputs[f"{d}/W"] = values(E, gates * H)
        inputs[f"{d}/U"] = values(H, gates * H)
        inputs[f"{d}/b"] = values(gates * H)
        if cell == "gru":
            inputs[f"{d}/b_u"] = values(H)
        for state in ["h0", "c0"] if cell == "lstm" else ["h0"]:
            inputs[f"{d}/{state}"] = values(B, H)

    weights = {}
    for d, suffix in zip(DIRECTIONS, ["", "_reverse"]):
        weights[f"weight_ih_l0{suffix}"] = inputs[f"{d}/W"].T
        weights[f"weight_hh_l0{suffix}"] = inputs[f"{d}/U"].T
        weights[f"bias_ih_l0{suffix}"] = inputs[f"{d}/b"]
        inner = torch.zeros((gates if cell == "lstm" else 2) * H)
        weights[f"bias_hh_l0{suffix}"] = inner if cell == "lstm" else torch.cat([inner, inputs[f"{d}/b_u"]])

    states = [torch.stack([inputs[f"{d}/{s}"] for d in DIRECTIONS]) for s in (["h0", "c0"] if cell == "lstm" else ["h0"])]
    packed = pack_padded_sequence(inputs["x"].reshape(S, B, E), torch.tensor(lengths), enforce_sorted=False)
    module = make(E, H, bidirectional=True)
    # The weights are not leaves, so gradients pass through.
    module._flat_weights = [weights[name] for name in module._flat_weights_names]
    y, last = module(packed, tuple(states) if cell == "lstm" else states[0])
    y, _ = pad_packed_sequence(y, total_length=S)

    outputs = {}
    for i, d in enumerate(DIRECTIONS):
        h_last = last[0][i] if cell == "lstm" else last[i]
        outputs[f"{d}/h"] = with_states_kept(y[:, :, i * H:(i + 1) * H], inputs[f"{d}/h0"], h_last, lengths, d)
        outputs[f"{d}/h_last"] = h_last
        if cell == "lstm":
            outputs[f"{d}/c_last"] = last[1][i]
    return inputs, outputs


def gru_cho(xW, h, U):
    """The GRU of Cho et al. 2014, equations 5-8; Bahdanau et al. 2015, appendix A.1.1."""
    H = h.shape[1]
    r, z = torch.sigmoid(xW[:, :2 * H] + h @ U[:, :2 * H]).split(H, 1)
    n = torch.tanh(xW[:, 2 * H:] + (r * h) @ U[:, 2 * H:])
    return (1 - z) * h + z * n


def run_gru_cho(x, W, U, b, h, lengths, direction):
    S, B = len(x) // len(lengths), len(lengths)
    mask = word_mask(lengths, S)[:, :, None]
    states = [None] * S
    for t in range(S) if direction == "forward" else reversed(range(S)):
        h = torch.where(mask[t], gru_cho(x[t * B:(t + 1) * B] @ W + b, h, U), h)
        states[t] = h
    return torch.cat(states), h


def in_rows(states, lengths, sentence):
    """Converts (S*B, D) in time-major order to (R, S, D): the states to which each row attends."""
    B = len(lengths)
    return states.reshape(len(states) // B, B, -1)[:, sentence].transpose(0, 1)


def additive_attention(s, W_a, U_a, v_a, states, lengths, sentence):
    """The attention of Bahdanau et al. 2015, section 3.1. Returns scores (R, S), weights (R, S) and contexts (R, D)."""
    h = in_rows(states, lengths, sentence)
    e = torch.tanh((s @ W_a)[:, None] + h @ U_a) @ v_a
    alpha = e.masked_fill(~word_mask(lengths, h.shape[1]).T[sentence], -torch.inf).softmax(1)
    return e, alpha, (alpha[:, :, None] * h).sum(1)


def maxout(s, c, y, W, b):
    t = torch.cat([s, c, y], 1) @ W + b
    return t.reshape(len(t), -1, 2).amax(2)


def main():
    torch.manual_seed(1)
    S, E, H, lengths = 5, 3, 4, [5, 1, 3]
    write("lstm", "nn.LSTM, bidirectional, packed padding", *bidirectional(nn.LSTM, "lstm", 4, lengths, S, E, H), lengths=lengths)
    write("gru_pytorch", "nn.GRU, bidirectional, packed padding", *bidirectional(nn.GRU, "gru", 3, lengths, S, E, H), lengths=lengths)

    inputs, outputs = {"x": values(S * 3, E)}, {}
    for d in DIRECTIONS:
        W, U, b, h0 = values(E, 3 * H), values(H, 3 * H), values(3 * H), values(3, H)
        inputs.update({f"{d}/W": W, f"{d}/U": U, f"{d}/b": b, f"{d}/h0": h0})
        outputs[f"{d}/h"], outputs[f"{d}/h_last"] = run_gru_cho(inputs["x"], W, U, b, h0, lengths, d)
    write("gru_cho", "Cho's GRU from its equations, both directions, padding", inputs, outputs, lengths=lengths)

    sentence = [0, 2, 1, 2]
    inputs = {"s": values(4, H), "W_a": values(H, 6), "U_a": values(E, 6), "v_a": values(6), "states": values(S * 3, E)}
    names = ["scores", "weights", "context"]
    outputs = dict(zip(names, additive_attention(*inputs.values(), lengths, sentence)))
    write("additive_attention", "Bahdanau's attention from its equations, two rows sharing a sentence", inputs, outputs,
          lengths=lengths, sentence=sentence)

    targets = [3, 0, 6, 1, 0]
    inputs = {"x": values(5, H), "W": values(H, 7), "b": values(7)}
    logits = inputs["x"] @ inputs["W"] + inputs["b"]
    outputs = {f"loss_{eps}": F.cross_entropy(logits, torch.tensor(targets), reduction="none", ignore_index=0, label_smoothing=eps)
               for eps in [0.0, 0.1]}
    write("output_cross_entropy", "F.cross_entropy over an output layer, without and with label smoothing; target 0 is padding",
          inputs, outputs, targets=targets)

    inputs = {"s": values(3, H), "c": values(3, E), "y": values(3, 2), "W": values(H + E + 2, 10), "b": values(10)}
    write("maxout", "maxout readout of Bahdanau et al. 2015, appendix A.1.2", inputs, {"t": maxout(*inputs.values())})


if __name__ == "__main__":
    main()
