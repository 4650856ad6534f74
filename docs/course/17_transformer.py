#!/usr/bin/env python3
"""Chapter 17: a complete Transformer in plain Python, which translates with the weights of a run that `train` has made.

    python3 docs/course/17_transformer.py runs/course/transformer "a b c d"

Only inference, one sentence at a time, sinusoidal positions and pre-norm: a page of code to read, not to be fast.
"""

import json
import math
import struct
import sys
from pathlib import Path

PAD, UNK, BOS, EOS = range(4)  # the first ids of every vocabulary


# A matrix is a list of rows.
def matmul(X, W):
    columns = list(zip(*W))
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in X]


def add(X, Y):
    return [[a + b for a, b in zip(x, y)] for x, y in zip(X, Y)]


def softmax(scores):
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


def linear(X, p, name):
    """X W + b; keys have no bias."""
    b = p.get(name + "/b", [0.0] * len(p[name + "/W"][0]))
    return [[a + c for a, c in zip(row, b)] for row in matmul(X, p[name + "/W"])]


def layer_norm(X, p, name):
    """g (x - mean) / sqrt(variance + 1e-5) + b, for each row."""
    out = []
    for x in X:
        mean = sum(x) / len(x)
        deviation = math.sqrt(sum((a - mean) ** 2 for a in x) / len(x) + 1e-5)
        out.append([g * (a - mean) / deviation + b for a, g, b in zip(x, p[name + "/g"], p[name + "/b"])])
    return out


def attention(Q, K, V, causal):
    """softmax(Q K' / sqrt(d_k) + M) V; with `causal`, query t sees the keys 0 .. t only."""
    out = []
    for t, q in enumerate(Q):
        seen = t + 1 if causal else len(K)
        alpha = softmax([sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K[:seen]])
        out.append([sum(a * v[c] for a, v in zip(alpha, V)) for c in range(len(V[0]))])
    return out


def multi_head(X, Y, p, name, heads, causal=False):
    """[head_1; ..; head_K] W_O + b_O: queries from X, keys and values from Y, each head on its own columns."""
    Q, K, V = linear(X, p, name + "/query"), linear(Y, p, name + "/key"), linear(Y, p, name + "/value")
    size = len(Q[0]) // heads
    parts = []
    for h in range(heads):
        of_head = slice(h * size, (h + 1) * size)
        parts.append(attention([q[of_head] for q in Q], [k[of_head] for k in K], [v[of_head] for v in V], causal))
    joined = [sum(rows, []) for rows in zip(*parts)]
    return linear(joined, p, name + "/output")


def feed_forward(X, p, name):
    """max(0, x W_1 + b_1) W_2 + b_2, for each row."""
    hidden = [[max(0.0, a) for a in row] for row in linear(X, p, name + "/first")]
    return linear(hidden, p, name + "/second")


def encoder_layer(X, p, name, heads):
    N = layer_norm(X, p, name + "/self/norm")
    X = add(X, multi_head(N, N, p, name + "/self", heads))
    N = layer_norm(X, p, name + "/feed_forward/norm")
    return add(X, feed_forward(N, p, name + "/feed_forward"))


def decoder_layer(Y, memory, p, name, heads):
    N = layer_norm(Y, p, name + "/self/norm")
    Y = add(Y, multi_head(N, N, p, name + "/self", heads, causal=True))
    N = layer_norm(Y, p, name + "/cross/norm")
    Y = add(Y, multi_head(N, memory, p, name + "/cross", heads))
    N = layer_norm(Y, p, name + "/feed_forward/norm")
    return add(Y, feed_forward(N, p, name + "/feed_forward"))


def embed(ids, E):
    """sqrt(d) E[w] + P, with P[i, 2j] = sin(i w_j), P[i, 2j+1] = cos(i w_j), w_j = 10000^(-2j/d)."""
    d = len(E[0])
    rows = []
    for i, word in enumerate(ids):
        angles = [i * 10000 ** (-2 * (c // 2) / d) for c in range(d)]
        P = [math.cos(angle) if c % 2 else math.sin(angle) for c, angle in enumerate(angles)]
        rows.append([math.sqrt(d) * e + place for e, place in zip(E[word], P)])
    return rows


def encode(source, p, layers, heads):
    X = embed(source, p["source/E"])
    for l in range(layers):
        X = encoder_layer(X, p, f"encoder/layer{l}", heads)
    return layer_norm(X, p, "encoder/norm")  # the final layer norm


def next_word(target, memory, p, layers, heads):
    """The probabilities of the word after `target`."""
    Y = embed(target, p["target/E"])
    for l in range(layers):
        Y = decoder_layer(Y, memory, p, f"decoder/layer{l}", heads)
    last = layer_norm(Y, p, "decoder/norm")[-1:]  # the final layer norm; only the last row predicts the next word
    return softmax(linear(last, p, "output")[0])


def translate(source, p, layers, heads):
    """Greedy search: the ids written, with </s>, and log p."""
    memory = encode(source, p, layers, heads)
    target, log_p = [BOS], 0.0
    while target[-1] != EOS and len(target) < 2 * len(source) + 10:
        probabilities = next_word(target, memory, p, layers, heads)
        target.append(max(range(len(probabilities)), key=probabilities.__getitem__))
        log_p += math.log(probabilities[target[-1]])
    return target[1:], log_p


def load(run):
    """The parameters of a run by name, and its configuration."""
    data = (Path(run) / "model.safetensors").read_bytes()
    length, = struct.unpack("<Q", data[:8])
    parameters = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        first, end = (8 + length + offset for offset in entry["data_offsets"])
        numbers = list(struct.unpack(f"<{(end - first) // 4}f", data[first:end]))
        columns = entry["shape"][-1]
        matrix = [numbers[i:i + columns] for i in range(0, len(numbers), columns)]
        parameters[name] = matrix if len(entry["shape"]) == 2 else numbers
    return parameters, json.loads((Path(run) / "config.json").read_text())


def main():
    run, sentence = Path(sys.argv[1]), sys.argv[2]
    parameters, config = load(run)
    source_words = (run / "source.vocab").read_text().splitlines()
    target_words = (run / "target.vocab").read_text().splitlines()
    ids = [source_words.index(word) if word in source_words else UNK for word in sentence.split()] + [EOS]
    written, log_p = translate(ids, parameters, config["layers"], config["heads"])
    print(" ".join(target_words[i] for i in written[:-1]), f"||| log p {log_p:.4f}, per word {log_p / len(written):.4f}")


if __name__ == "__main__":
    main()
