#!/usr/bin/env python3
"""Writes golden values of the Transformer's parts with all gradients, in PyTorch and float64: layer norm, multi-head
attention, and the layers of encoder and decoder in both norms. See make_golden.py for the layouts.

    /usr/bin/python3 tests/golden/make_transformer.py

The references are torch.nn.LayerNorm, PyTorch's multi-head attention, TransformerEncoderLayer and TransformerDecoderLayer. They
run without dropout and in training mode, because evaluation mode uses other code. Weights are (inputs, outputs) in the files,
and transposed in PyTorch. PyTorch's in_proj has queries, keys and values one above the other. The bias of its keys is 0,
because the softmax would cancel it. Masks are True at positions to which PyTorch must not attend.
"""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.stateless import functional_call

from make_golden import case, save, values, word_mask

D, HEADS, FORWARD = 6, 2, 8
SOURCE, TARGET = [5, 3], [4, 4]  # lengths; targets have no padding, and their mask is causal
S, T, B = max(SOURCE), max(TARGET), len(SOURCE)
PADDING = ~word_mask(SOURCE, S).T  # (B, S)
FUTURE = torch.ones(T, T).triu(1).bool()


def rows(x):
    return x.reshape(-1, x.shape[-1])


def declare_attention(room):
    p = {f"{room}/query/W": values(D, D, scale=0.5), f"{room}/query/b": values(D), f"{room}/key/W": values(D, D, scale=0.5)}
    return {**p, f"{room}/value/W": values(D, D, scale=0.5), f"{room}/value/b": values(D),
            f"{room}/output/W": values(D, D, scale=0.5), f"{room}/output/b": values(D)}


def in_projection(p, room):
    return (torch.cat([p[f"{room}/{part}/W"].T for part in ["query", "key", "value"]]),
            torch.cat([p[f"{room}/query/b"], torch.zeros(D), p[f"{room}/value/b"]]))


def attention_state(p, room, name):
    weight, bias = in_projection(p, room)
    return {f"{name}.in_proj_weight": weight, f"{name}.in_proj_bias": bias,
            f"{name}.out_proj.weight": p[f"{room}/output/W"].T, f"{name}.out_proj.bias": p[f"{room}/output/b"]}


def declare_rest(*rooms):
    p = {f"{room}/norm/{part}": values(D) for room in rooms for part in "gb"}
    return {**p, "feed_forward/first/W": values(D, FORWARD, scale=0.5), "feed_forward/first/b": values(FORWARD),
            "feed_forward/second/W": values(FORWARD, D, scale=0.5), "feed_forward/second/b": values(D)}


def rest_state(p, *rooms):
    state = {f"norm{i}.{name}": p[f"{room}/norm/{part}"]
             for i, room in enumerate(rooms, 1) for name, part in [("weight", "g"), ("bias", "b")]}
    for name, room in [("linear1", "first"), ("linear2", "second")]:
        state[f"{name}.weight"] = p[f"feed_forward/{room}/W"].T
        state[f"{name}.bias"] = p[f"feed_forward/{room}/b"]
    return state


def layer_norm():
    inputs = {"x": values(7, D, scale=2), "g": values(D), "b": values(D)}
    y = functional_call(nn.LayerNorm(D, eps=1e-5), {"weight": inputs["g"], "bias": inputs["b"]}, inputs["x"])
    save("layer_norm", case("torch.nn.LayerNorm", inputs, {"y": y}), "torch.nn.LayerNorm")


def multi_head(kind):
    """`kind` is self, causal or cross. The weights are (T*B, K, S)."""
    causal, cross = kind == "causal", kind == "cross"
    inputs = declare_attention("attention")
    inputs["x"] = values((T if causal or cross else S) * B, D)
    q = inputs["x"].reshape(-1, B, D)
    if cross:
        inputs["states"] = values(S * B, D)
    y = inputs["states"].reshape(S, B, D) if cross else q
    weight, bias = in_projection(inputs, "attention")
    context, weights = F.multi_head_attention_forward(
        q, y, y, D, HEADS, weight, bias, None, None, False, 0.0, inputs["attention/output/W"].T,
        inputs["attention/output/b"], training=True, key_padding_mask=None if causal else PADDING, need_weights=True,
        attn_mask=FUTURE if causal else None, average_attn_weights=False)
    weights = weights.permute(2, 0, 1, 3).reshape(-1, HEADS, y.shape[0])  # (B, K, T, S) -> (T*B, K, S)
    return case(f"multi-head attention, {kind}", inputs, {"context": rows(context), "weights": weights}, lengths=SOURCE)


def encoder_block(norm):
    inputs = {"x": values(S * B, D), **declare_attention("self"), **declare_rest("self", "feed_forward")}
    layer = nn.TransformerEncoderLayer(D, HEADS, FORWARD, dropout=0.0, norm_first=norm == "pre").train()
    state = {**attention_state(inputs, "self", "self_attn"), **rest_state(inputs, "self", "feed_forward")}
    y = functional_call(layer, state, inputs["x"].reshape(S, B, D), {"src_key_padding_mask": PADDING})
    return case(f"torch.nn.TransformerEncoderLayer, {norm}-norm", inputs, {"y": rows(y)}, lengths=SOURCE)


def decoder_block(norm):
    inputs = {"x": values(T * B, D), "states": values(S * B, D), **declare_attention("self"), **declare_attention("cross"),
              **declare_rest("self", "cross", "feed_forward")}
    layer = nn.TransformerDecoderLayer(D, HEADS, FORWARD, dropout=0.0, norm_first=norm == "pre").train()
    state = {**attention_state(inputs, "self", "self_attn"), **attention_state(inputs, "cross", "multihead_attn"),
             **rest_state(inputs, "self", "cross", "feed_forward")}
    y = functional_call(layer, state, (inputs["x"].reshape(T, B, D), inputs["states"].reshape(S, B, D)),
                        {"tgt_mask": FUTURE, "memory_key_padding_mask": PADDING})
    return case(f"torch.nn.TransformerDecoderLayer, {norm}-norm", inputs, {"y": rows(y)}, lengths=SOURCE)


def concatenated_positions():
    x, W, first = values(S * B, D), values(2 * D, D), 3
    i, j = torch.arange(first, first + S, dtype=torch.float64)[:, None], torch.arange(D // 2, dtype=torch.float64)
    angle = i * 10000 ** (-2 * j / D)
    P = torch.stack([torch.sin(angle), torch.cos(angle)], 2).reshape(S, 1, D).expand(S, B, D)
    y = torch.cat([x.reshape(S, B, D), P], 2) @ W
    return case("positions concatenated to words", {"x": x, "W": W}, {"y": rows(y)}, first=first)


torch.manual_seed(17)
layer_norm()
save("multi_head", {kind: multi_head(kind) for kind in ["self", "causal", "cross"]}, "PyTorch's multi-head attention")
save("encoder_block", {norm: encoder_block(norm) for norm in ["pre", "post"]}, "torch.nn.TransformerEncoderLayer")
save("decoder_block", {norm: decoder_block(norm) for norm in ["pre", "post"]}, "torch.nn.TransformerDecoderLayer")
save("concatenated_positions", concatenated_positions(), "positions concatenated to words")
