#!/usr/bin/env python3
"""Writes golden values of complete small Transformers (Vaswani et al. 2017): loss, attention, the gradient of every
parameter and the losses of ten steps of Adam, over a padded batch of three pairs, in PyTorch and float64. See make_golden.py
for the layouts.

    /usr/bin/python3 tests/golden/make_transformer_model.py

The equations are those at the top of models/transformer/transformer.h. Parameters have the names of checkpoints. Attention
and layer norm are PyTorch's own functions. nn.Transformer cannot be the reference, because it adds a norm after each stack,
even in post-norm.
"""
import torch
from torch.nn import functional as F

from make_golden import values, word_mask, write
from make_rnnsearch import END, PAD, SOURCE, START, TARGET, V_X, V_Y, padded

D, HEADS, FORWARD, LAYERS = 8, 2, 6, 2
SOURCES, B = [s + [END] for s in SOURCE], len(SOURCE)
WORDS, WORDS_IN, WORDS_OUT = padded(SOURCES), padded([[START] + t for t in TARGET]), padded([t + [END] for t in TARGET])
S, T = len(WORDS) // B, len(WORDS_IN) // B
PADDING = ~word_mask([len(s) for s in SOURCES], S).T  # (B, S), True at positions to which no word may attend
FUTURE = torch.ones(T, T).triu(1).bool()


def matrix(*shape):
    """Returns a matrix whose products are as large as their inputs. With larger products, the softmax saturates and rounding
    shows in the gradients."""
    return values(*shape, scale=D ** -0.5)


def gain():
    """Returns gains near 1. Gains near 0 leave gradients that are smaller than rounding errors."""
    return values(D, scale=0.2).detach().add(1).requires_grad_()


def declare(norm, tied, positions):
    p = {"source/E": matrix(V_X, D), "target/E": matrix(V_Y, D)}
    for stack, rooms in [("encoder", ["self"]), ("decoder", ["self", "cross"])]:
        if positions == "learned":
            p[f"{stack}/positions/P"] = matrix(9, D)
        for layer in range(LAYERS):
            at = f"{stack}/layer{layer}"
            for room in rooms:
                for part in ["query", "key", "value", "output"]:
                    p[f"{at}/{room}/{part}/W"] = matrix(D, D)
                    if part != "key":
                        p[f"{at}/{room}/{part}/b"] = values(D, scale=0.5)
            for part, shape in [("first/W", (D, FORWARD)), ("first/b", (FORWARD,)), ("second/W", (FORWARD, D)), ("second/b", (D,))]:
                p[f"{at}/feed_forward/{part}"] = matrix(*shape)
            for room in rooms + ["feed_forward"]:
                p[f"{at}/{room}/norm/g"], p[f"{at}/{room}/norm/b"] = gain(), values(D, scale=0.5)
        if norm == "pre":
            p[f"{stack}/norm/g"], p[f"{stack}/norm/b"] = gain(), values(D, scale=0.5)
    if not tied:
        p["output/W"] = matrix(D, V_Y)
    p["output/b"] = matrix(V_Y)
    return p


def sinusoids(n):
    w = 10000 ** (-2 * torch.arange(D // 2) / D)
    angles = torch.arange(n)[:, None] * w
    return torch.stack([torch.sin(angles), torch.cos(angles)], 2).reshape(n, D)


def words(p, table, stack, ids, positions):
    x = D ** 0.5 * p[table][ids].reshape(-1, B, D)
    places = {"sinusoidal": sinusoids, "learned": lambda n: p[f"{stack}/positions/P"][:n], "none": lambda n: torch.zeros(n, D)}
    return x + places[positions](len(x))[:, None]


def layer_norm(p, room, x):
    return F.layer_norm(x, (D,), p[f"{room}/norm/g"], p[f"{room}/norm/b"], 1e-5)


def about(p, norm, room, x, sub):
    return layer_norm(p, room, x + sub(x)) if norm == "post" else x + sub(layer_norm(p, room, x))


def attend(p, room, x, y, looks=None, **mask):
    W = torch.cat([p[f"{room}/{part}/W"].T for part in ["query", "key", "value"]])
    b = torch.cat([p[f"{room}/query/b"], torch.zeros(D), p[f"{room}/value/b"]])
    context, weights = F.multi_head_attention_forward(
        x, y, y, D, HEADS, W, b, None, None, False, 0.0, p[f"{room}/output/W"].T, p[f"{room}/output/b"], training=True,
        need_weights=True, average_attn_weights=False, **mask)
    if looks is not None:
        looks.append(weights)  # (B, K, T, S)
    return context


def feed_forward(p, room, x):
    return torch.relu(x @ p[f"{room}/first/W"] + p[f"{room}/first/b"]) @ p[f"{room}/second/W"] + p[f"{room}/second/b"]


def forward(p, norm, tied, positions):
    """Returns -log p of every target word, and the mean of all heads of all layers (T, B, S)."""
    looks = []
    x = words(p, "source/E", "encoder", WORDS, positions)
    for layer in range(LAYERS):
        at = f"encoder/layer{layer}"
        x = about(p, norm, f"{at}/self", x, lambda y: attend(p, f"{at}/self", y, y, key_padding_mask=PADDING))
        x = about(p, norm, f"{at}/feed_forward", x, lambda y: feed_forward(p, f"{at}/feed_forward", y))
    x = layer_norm(p, "encoder", x) if norm == "pre" else x
    y = words(p, "target/E", "decoder", WORDS_IN, positions)
    for layer in range(LAYERS):
        at = f"decoder/layer{layer}"
        y = about(p, norm, f"{at}/self", y, lambda z: attend(p, f"{at}/self", z, z, attn_mask=FUTURE))
        y = about(p, norm, f"{at}/cross", y, lambda z: attend(p, f"{at}/cross", z, x, looks, key_padding_mask=PADDING))
        y = about(p, norm, f"{at}/feed_forward", y, lambda z: feed_forward(p, f"{at}/feed_forward", z))
    y = layer_norm(p, "decoder", y) if norm == "pre" else y
    logits = y.reshape(T * B, D) @ (p["target/E"].T if tied else p["output/W"]) + p["output/b"]
    losses = F.cross_entropy(logits, WORDS_OUT, reduction="none", ignore_index=PAD)
    return losses, torch.cat(looks, 1).mean(1).transpose(0, 1)


def adam(p, *options, steps=10):
    """Returns the losses before each of ten steps. It trains copies of the parameters."""
    p = {name: x.detach().clone().requires_grad_() for name, x in p.items()}
    optimiser, losses = torch.optim.Adam(p.values(), lr=0.01, betas=(0.9, 0.98), eps=1e-9), []
    for _ in range(steps):
        optimiser.zero_grad()
        loss = forward(p, *options)[0].sum() / (WORDS_OUT != PAD).sum()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return torch.tensor(losses)


def transformer(name, norm, tied, positions):
    p = declare(norm, tied, positions)
    losses, attention = forward(p, norm, tied, positions)
    write(name, f"Vaswani et al.: {norm}-norm, {positions} positions{', tied' if tied else ''}", p,
          {"loss": losses.sum() / (WORDS_OUT != PAD).sum()}, losses=losses, attention=attention, source=SOURCE, target=TARGET,
          label_smoothing=0.0, adam=adam(p, norm, tied, positions),
          options=dict(model="transformer", source_vocabulary=V_X, target_vocabulary=V_Y, hidden=D, layers=LAYERS, heads=HEADS,
                       feed_forward=FORWARD, norm=norm, positions=positions, tie="target" if tied else "none", dropout=0.0,
                       known_positions=9))


if __name__ == "__main__":
    torch.manual_seed(23)
    transformer("transformer_pre", "pre", False, "sinusoidal")
    transformer("transformer_post", "post", True, "learned")
