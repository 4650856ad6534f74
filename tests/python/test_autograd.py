"""softalign.autograd: operations, gradients and optimisers from Python."""

import threading
import unittest

import fixtures
import numpy as np
from softalign import autograd as ag

RANDOM = np.random.default_rng(1)


def numbers(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def sequence(x, W, U, b):  # the LSTM of layers/recurrent/lstm.h, one step after the other
    H = U.shape[0]
    h = c = ag.constant(np.zeros((x.shape[1], H)))
    states = []
    for t in range(x.shape[0]):
        a = x[t] @ W + h @ U + b
        i, f, g, o = (a[:, k * H:(k + 1) * H] for k in range(4))
        c = ag.sigmoid(f) * c + ag.sigmoid(i) * ag.tanh(g)
        h = ag.sigmoid(o) * ag.tanh(c)
        states.append(h)
    return ag.stack(states)


def additive(q, k, v):  # e_ij = v' tanh(q_i + k_j), with one query per sentence
    return ag.transpose(ag.sum(v * ag.tanh(q + k), axis=2))


def attend(s, h, W_a, U_a, v_a):
    alpha = ag.softmax(additive(s @ W_a, h @ U_a, v_a))  # (B, S)
    weights = ag.reshape(ag.transpose(alpha), (h.shape[0], h.shape[1], 1))
    return alpha, ag.sum(weights * h, axis=0)


class Layers(unittest.TestCase):
    def compare(self, ours, its, shapes):
        arrays = [numbers(*shape) for shape in shapes]
        results = []
        for function in (ours, its):
            inputs = [ag.variable(array) for array in arrays]
            y = function(*inputs)
            ag.backward(ag.sum(ag.square(y)))
            results.append([y.value] + [x.grad for x in inputs])
        for a, b in zip(*results):
            np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)

    def test_lstm(self):
        self.compare(sequence, ag.lstm, [(4, 3, 5), (5, 8), (2, 8), (8,)])

    def test_additive_attention(self):
        self.compare(additive, ag.additive_scores, [(3, 6), (5, 3, 6), (6,)])

    def test_attention_learns_to_copy_a_word(self):
        p = ag.Parameters(seed=1)
        S, B, D = 5, 16, 8
        E, W_a, U_a = p.declare("E", (12, D), "normal"), p.declare("W_a", (D, D)), p.declare("U_a", (D, D))
        v_a, O = p.declare("v_a", (D,), "normal"), p.declare("O", (D, 12))
        optimiser = ag.Optimiser(p, "adam")
        losses = []
        for step in range(150):
            words = np.array([RANDOM.permutation(12)[:S] for _ in range(B)])  # the query is a word; copy it
            targets = words[np.arange(B), step % S]
            h = ag.reshape(ag.gather(E, words.T.ravel()), (S, B, D))
            alpha, context = attend(ag.gather(E, targets), h, W_a, U_a, v_a)
            loss = ag.mean(ag.cross_entropy(context @ O, targets, ignore=-1))
            ag.backward(loss)
            optimiser.step(0.02, clip=5)
            losses.append(loss.item())
        self.assertLess(np.mean(losses[-10:]), 0.35 * losses[0])


class Ops(unittest.TestCase):
    def test_values(self):
        x, y = numbers(3, 4), numbers(3, 4)
        a, b = ag.variable(x), ag.variable(y)
        for ours, its in [(a + b, x + y), (a - 1, x - 1), (1 - a, 1 - x), (2 * a, 2 * x), (a / (b * b + 1), x / (y * y + 1)), (-a, -x),
                          (x * b, x * y), (a @ ag.transpose(b), x @ y.T), (a[1], x[1]), (a[-1, 1:3], x[-1, 1:3]), (a[:, 2], x[:, 2]),
                          (ag.sum(a), x.sum()), (ag.mean(a, axis=0), x.mean(0)), (ag.max(a), x.max(-1)), (ag.sum(a, axis=(0, 1)), x.sum()),
                          (ag.sum(a, axis=-1, keepdims=True), x.sum(-1, keepdims=True)), (ag.exp(a), np.exp(x)),
                          (ag.softmax(a), np.exp(x) / np.exp(x).sum(-1, keepdims=True)), (ag.reshape(a, (4, 3)), x.reshape(4, 3)),
                          (ag.concat([a, b], axis=1), np.concatenate([x, y], 1)), (ag.stack([a, b]), np.stack([x, y])),
                          (ag.gather(a, [2, 0, 2]), x[[2, 0, 2]]), (ag.relu(a), np.maximum(x, 0)), (ag.log(ag.square(a) + 1), np.log(x * x + 1))]:
            self.assertEqual(ours.shape, its.shape)
            np.testing.assert_allclose(ours.value, its, rtol=1e-5, atol=1e-6)

    def test_gradcheck(self):
        x = [ag.variable(numbers(3, 4)), ag.variable(numbers(3, 4))]
        good = ag.gradcheck(lambda a, b: ag.tanh(a * b) + ag.softmax(a) @ ag.transpose(b) @ ag.sigmoid(a), x)
        self.assertTrue(good.ok, good.report)
        self.assertEqual(good.checked, 24)
        wrong = ag.gradcheck(lambda a, b: a * ag.detach(a) + b, x)
        self.assertFalse(wrong.ok)
        self.assertIn("numeric", wrong.report)

    def test_gradients_accumulate_and_clear(self):
        x = ag.variable([1.0, 2.0])
        self.assertIsNone(x.grad)
        for _ in range(2):
            ag.backward(ag.sum(x * x))
        np.testing.assert_array_equal(x.grad, [4, 8])
        x.zero_grad()
        self.assertIsNone(x.grad)
        ag.backward(x * 3, [1.0, 10.0])
        np.testing.assert_array_equal(x.grad, [3, 30])

    def test_no_grad(self):
        x = ag.variable([1.0])
        with ag.no_grad():
            self.assertFalse((x * 2).needs_grad)
        self.assertTrue((x * 2).needs_grad)

    def test_a_new_value(self):
        x = ag.variable([1.0, 2.0])
        x.value = [3.0, 4.0]
        np.testing.assert_array_equal((x * 1).value, [3, 4])
        copy = x.value
        copy[0] = 7
        np.testing.assert_array_equal(x.value, [3, 4])

    def test_optimisers_are_those_of_the_formulas(self):
        p = ag.Parameters()
        w = p.scope("layer").declare("w", (2,), [1.0, 2.0])
        self.assertEqual([name for name, _ in p.all()], ["layer/w"])
        self.assertEqual(p.count(), 2)
        optimiser = ag.Optimiser(p, "sgd")
        ag.backward(ag.sum(w * w))
        self.assertAlmostEqual(optimiser.step(0.1), np.sqrt(20), places=5)
        np.testing.assert_allclose(w.value, [0.8, 1.6], rtol=1e-6)
        self.assertIsNone(w.grad)

    def test_threads(self):
        results = []
        def work(seed):
            x = ag.variable(np.full((20, 20), seed, np.float32))
            for _ in range(200):
                y = ag.sum(ag.tanh(x @ x))
            ag.backward(y)
            results.append((seed, float(y.item())))
        threads = [threading.Thread(target=work, args=(0.01 * i,)) for i in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, y in results:
            self.assertAlmostEqual(y, 400 * np.tanh(20 * seed * seed), delta=1e-2)


if __name__ == "__main__":
    unittest.main()
