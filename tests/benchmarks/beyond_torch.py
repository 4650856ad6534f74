#!/usr/bin/env python3
"""The baseline of bench_beyond in PyTorch, with the same models, sizes and training step. It uses the fastest known form:
input projections before the loops, logits after the loops, and all losses in one call.

    tests/benchmarks/beyond_torch.py THREADS captioner [--secs S]        # the last line is JSON
"""
import argparse
import json
import os
import statistics
import sys
import time

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):  # they replace OpenBLAS's own choice of kernels
    os.environ.pop(name, None)
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = sys.argv[1] if len(sys.argv) > 1 else "1"

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

B = 32


def lstm(gates, c):
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


class Convolution(nn.Module):
    """x + relu(conv(x)) over x = relu(conv(relu(conv(picture)))), then two layers at each cell."""
    counted, in_a_batch = "pictures", B

    def __init__(self):
        super().__init__()
        self.conv_1, self.conv_2 = nn.Conv2d(3, 24, 3, 2, 1), nn.Conv2d(24, 48, 3, 2, 1)
        self.conv_3 = nn.Conv2d(48, 48, 3, 1, 1)
        self.first, self.second = nn.Linear(48, 48), nn.Linear(48, 6)
        self.x, self.y = torch.rand(B, 3, 32, 32), torch.randint(6, (B * 64,))

    def loss(self):
        x = F.relu(self.conv_2(F.relu(self.conv_1(self.x))))
        x = x + F.relu(self.conv_3(x))
        rows = x.permute(0, 2, 3, 1).reshape(B * 64, 48)
        return F.cross_entropy(self.second(F.relu(self.first(rows))), self.y)


class Captioner(nn.Module):
    """Show, attend and tell with soft attention. models/pictures/show_attend_tell.h has the equations."""
    counted, in_a_batch = "pictures", B

    def __init__(self, V=20, T=9, E=32, H=96, A=64, D=64, N=36):
        super().__init__()
        self.conv_1, self.conv_2 = nn.Conv2d(3, 24, 3, 2, 1), nn.Conv2d(24, 48, 3, 2, 1)
        self.conv_3 = nn.Conv2d(48, D, 3, 1, 1)
        self.P = nn.Parameter(0.3 * torch.randn(N, D))
        self.words = nn.Embedding(V, E)
        self.start_h, self.start_c = nn.Linear(D, H), nn.Linear(D, H)
        self.W, self.U, self.C = nn.Linear(E, 4 * H), nn.Linear(H, 4 * H, bias=False), nn.Linear(D, 4 * H, bias=False)
        self.W_a, self.U_a = nn.Linear(H, A, bias=False), nn.Linear(D, A, bias=False)
        self.v_a = nn.Parameter(0.1 * torch.randn(A))
        self.gate = nn.Linear(H, 1)
        self.L_h, self.L_z = nn.Linear(H, E, bias=False), nn.Linear(D, E, bias=False)
        self.out = nn.Linear(E, V)
        self.x = torch.rand(B, 3, 24, 24)
        self.read, self.written = torch.randint(4, V, (T, B)), torch.randint(4, V, (T * B,))

    def loss(self):
        x = F.relu(self.conv_3(F.relu(self.conv_2(F.relu(self.conv_1(self.x))))))
        a = x.flatten(2).transpose(1, 2) + self.P  # (B, N, D)
        keys, mean = self.U_a(a), a.mean(1)
        h, c = torch.tanh(self.start_h(mean)), torch.tanh(self.start_c(mean))
        y = self.words(self.read)  # (T, B, E)
        hs, zs = [], []
        for yW in self.W(y).unbind(0):
            alpha = torch.softmax(torch.tanh(self.W_a(h)[:, None] + keys) @ self.v_a, 1)
            z = torch.sigmoid(self.gate(h)) * torch.bmm(alpha[:, None], a)[:, 0]
            h, c = lstm(yW + self.U(h) + self.C(z), c)
            hs.append(h)
            zs.append(z)
        logits = self.out(y + self.L_h(torch.stack(hs)) + self.L_z(torch.stack(zs)))
        return F.cross_entropy(logits.flatten(0, 1), self.written)


class Lstmn(nn.Module):
    """A language model whose LSTM attends to all of its past states: layers/recurrent/lstmn.h."""
    counted, in_a_batch = "words", 30 * B

    def __init__(self, V=1000, T=30, E=64, H=128, A=128):
        super().__init__()
        self.H, self.words = H, nn.Embedding(V, E)
        self.W, self.U = nn.Linear(E, 4 * H), nn.Linear(H, 4 * H, bias=False)
        self.W_h, self.W_x, self.W_t = (nn.Linear(n, A, bias=False) for n in (H, E, H))
        self.v = nn.Parameter(0.1 * torch.randn(A))
        self.out = nn.Linear(H, V)
        self.read, self.written = torch.randint(V, (T, B)), torch.randint(V, (T * B,))

    def loss(self):
        x = self.words(self.read)
        h_t = c_t = torch.zeros(B, self.H)
        hs, tape, keys = [], [], []
        for t, (xW, asked) in enumerate(zip(self.W(x).unbind(0), self.W_x(x).unbind(0))):
            if t > 0:
                e = torch.tanh(torch.stack(keys, 1) + (asked + self.W_t(h_t))[:, None]) @ self.v  # (B, t)
                h_t, c_t = torch.bmm(torch.softmax(e, 1)[:, None], torch.stack(tape, 1))[:, 0].chunk(2, 1)
            h, c = lstm(xW + self.U(h_t), c_t)
            hs.append(h)
            tape.append(torch.cat([h, c], 1))
            keys.append(self.W_h(h))
        return F.cross_entropy(self.out(torch.stack(hs)).flatten(0, 1), self.written)


SUBJECTS = {"convolution": Convolution, "captioner": Captioner, "lstmn": Lstmn}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("threads", type=int)
    parser.add_argument("what", choices=list(SUBJECTS))
    parser.add_argument("--secs", type=float, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    model = SUBJECTS[arguments.what]()
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
    times, begun = [], None
    while len(times) < 6 or time.perf_counter() - begun < arguments.secs:
        start = time.perf_counter()
        adam.zero_grad(set_to_none=True)
        loss = model.loss()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        adam.step()
        times.append(time.perf_counter() - start)
        if len(times) == 3:  # the first steps are a warm-up
            begun = time.perf_counter()
    step = statistics.median(times[3:])
    print(json.dumps({"train_step_ms": 1e3 * step, "train_per_s": model.in_a_batch / step, "loss": loss.item(),
                      "params": sum(p.numel() for p in model.parameters()), "threads": arguments.threads}))


if __name__ == "__main__":
    main()
