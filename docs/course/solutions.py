"""Solutions of the programming exercises of the course, one function or class per chapter, in plain Python.

Write your own version in a file of your own, and let docs/course/check.py try it before you look here.
"""

import math


# Chapter 1
class Var:
    def __init__(self, value, inputs=(), rule=None):
        self.value, self.inputs, self.rule, self.grad = value, inputs, rule, 0.0

    def __add__(self, other):
        return Var(self.value + other.value, (self, other), lambda dy: (dy, dy))

    def __mul__(self, other):
        return Var(self.value * other.value, (self, other), lambda dy: (dy * other.value, dy * self.value))

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for before in node.inputs:
                    visit(before)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            if node.rule:
                for before, dx in zip(node.inputs, node.rule(node.grad)):
                    before.grad += dx


# Chapter 2
def softplus(x):
    y = math.log1p(math.exp(x))
    return y, lambda dy: dy / (1 + math.exp(-x))


# Chapter 3
def numeric_gradient(f, x, h=6e-6):
    gradient = []
    for i in range(len(x)):
        above, below = list(x), list(x)
        above[i] += h
        below[i] -= h
        gradient.append((f(above) - f(below)) / (2 * h))
    return gradient


# Chapter 4
def lstm_step(a, c):
    def sigmoid(z):
        return 1 / (1 + math.exp(-z))
    i, f, g, o = sigmoid(a[0]), sigmoid(a[1]), math.tanh(a[2]), sigmoid(a[3])
    c_next = f * c + i * g
    return o * math.tanh(c_next), c_next


# Chapter 5
def adam_step(weight, gradient, m, v, t, rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient ** 2
    m_hat, v_hat = m / (1 - beta1 ** t), v / (1 - beta2 ** t)
    return weight - rate * m_hat / (math.sqrt(v_hat) + eps), m, v


# Chapter 6
def beam_search(log_p, K, longest):
    beam, finished = [((), 0.0)], []
    for _ in range(longest):
        continued = [(words + (word,), score + more) for words, score in beam for word, more in log_p(words).items()]
        continued.sort(key=lambda hypothesis: -hypothesis[1])
        beam = []
        for words, score in continued[:K]:
            (finished if words[-1] == "</s>" else beam).append((words, score))
    return max(finished, key=lambda hypothesis: hypothesis[1])


# Chapter 7
def attend(scores, values, length):
    powers = [math.exp(e - max(scores[:length])) if j < length else 0.0 for j, e in enumerate(scores)]
    alpha = [power / sum(powers) for power in powers]
    context = [sum(a * h[c] for a, h in zip(alpha, values)) for c in range(len(values[0]))]
    return alpha, context


# Chapter 8
def local_p(scores, centre, D):
    powers = [math.exp(e) if abs(j - centre) <= D else 0.0 for j, e in enumerate(scores)]
    sigma = D / 2
    return [power / sum(powers) * math.exp(-(j - centre) ** 2 / (2 * sigma ** 2)) for j, power in enumerate(powers)]


# Chapter 9
def aer(found, sure, possible):
    both = sure | possible
    return 1 - (len(found & sure) + len(found & both)) / (len(found) + len(sure))


# Chapter 10
def softmax_jacobian(scores):
    powers = [math.exp(e) for e in scores]
    alpha = [power / sum(powers) for power in powers]
    return [[a * ((i == j) - b) for j, b in enumerate(alpha)] for i, a in enumerate(alpha)]


# Chapter 11
def multiplications(S, T, H, A, D, keys_once):
    query, scores, keys = T * H * A, T * S * A, S * D * A
    return query + scores + (keys if keys_once else T * keys)


# Chapter 12
def model_1(pairs, rounds):
    t = {(e, f): 1.0 for target, source in pairs for e in target for f in source}
    for _ in range(rounds):
        counts, totals = {}, {}
        for target, source in pairs:
            for e in target:
                every = sum(t[e, f] for f in source)
                for f in source:
                    share = t[e, f] / every
                    counts[e, f] = counts.get((e, f), 0.0) + share
                    totals[f] = totals.get(f, 0.0) + share
        t = {(e, f): count / totals[f] for (e, f), count in counts.items()}
    return t


# Chapter 13
def nadaraya_watson(query, keys, values, w, own=None):
    kernel = [0.0 if i == own else math.exp(-(w * (query - key)) ** 2 / 2) for i, key in enumerate(keys)]
    return sum(k * y for k, y in zip(kernel, values)) / sum(kernel)


# Chapter 14
def attention(Q, K, V):
    out = []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]
        powers = [math.exp(e - max(scores)) for e in scores]
        out.append([sum(p * v[c] for p, v in zip(powers, V)) / sum(powers) for c in range(len(V[0]))])
    return out


# Chapter 15
def self_attention(X, causal):
    out = []
    for t, x in enumerate(X):
        seen = X[:t + 1] if causal else X
        powers = [math.exp(x * other) for other in seen]
        out.append(sum(p * other for p, other in zip(powers, seen)) / sum(powers))
    return out


# Chapter 16
def rotate(x, i):
    d, y = len(x), []
    for j in range(d // 2):
        angle = i * 10000 ** (-2 * j / d)
        a, b = x[2 * j], x[2 * j + 1]
        y += [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
    return y


# Chapter 17
def learning_rate(step, total, peak, warmup, decay_start):
    begin = decay_start * total
    rate = peak if step - 1 <= begin else peak * (total - (step - 1)) / (total - begin)
    return rate * min(1, step / warmup)


# Chapter 18
def attention_step(q, k, v, cache):
    cache = cache + [(k, v)]
    scores = [sum(a * b for a, b in zip(q, key)) / math.sqrt(len(q)) for key, _ in cache]
    powers = [math.exp(e - max(scores)) for e in scores]
    return [sum(p * value[c] for p, (_, value) in zip(powers, cache)) / sum(powers) for c in range(len(v))], cache


# Chapter 19
def delta_write(W, k, v, beta):
    known = [sum(w * a for w, a in zip(row, k)) for row in W]
    return [[w + beta * (new - old) * a for w, a in zip(row, k)] for row, new, old in zip(W, v, known)]


# Chapter 20
def online_softmax(tiles):
    m, l, o = -math.inf, 0.0, 0.0
    for scores, values in tiles:
        new = max(m, *scores)
        kept = math.exp(m - new)
        powers = [math.exp(e - new) for e in scores]
        l = kept * l + sum(powers)
        o = kept * o + sum(p * v for p, v in zip(powers, values))
        m = new
    return o / l


# Chapter 21
def doubly_stochastic(alpha, tau):
    return sum((tau - sum(column)) ** 2 for column in zip(*alpha))


# Chapter 22
def reinforce(alpha, drawn, reward, baseline):
    return [-(reward - baseline) * ((i == drawn) - a) for i, a in enumerate(alpha)]


# Chapter 23
def squeeze_excite(cells, mlp):
    z = [sum(channel) / len(cells) for channel in zip(*cells)]
    gates = [1 / (1 + math.exp(-s)) for s in mlp(z)]
    return [[g * x for g, x in zip(gates, cell)] for cell in cells]


# Chapter 24
def both_ways(e):
    def softmax(scores):
        powers = [math.exp(score) for score in scores]
        return [power / sum(powers) for power in powers]
    of_rows = [softmax(row) for row in e]
    of_columns = [list(row) for row in zip(*(softmax(column) for column in zip(*e)))]
    return of_rows, of_columns


# Chapter 25
def read_tape(scores, tape):
    powers = [math.exp(score) for score in scores]
    return [sum(p * cell[c] for p, cell in zip(powers, tape)) / sum(powers) for c in range(len(tape[0]))]


# Chapter 26
def hops(u, keys, values, n):
    for _ in range(n):
        scores = [sum(a * b for a, b in zip(u, m)) for m in keys]
        powers = [math.exp(e - max(scores)) for e in scores]
        o = [sum(p * c[i] for p, c in zip(powers, values)) / sum(powers) for i in range(len(u))]
        u = [a + b for a, b in zip(u, o)]
    return u


# Chapter 27
def address(before, content, g, shift, gamma):
    N = len(before)
    w = [g * c + (1 - g) * b for c, b in zip(content, before)]
    moved = [sum(w[(i - s) % N] * p for s, p in shift.items()) for i in range(N)]
    sharp = [x ** gamma for x in moved]
    return [x / sum(sharp) for x in sharp]


# Chapter 28
def predict(words, V):
    counts = [0] * V
    for before, word in zip(words, words[1:]):
        if before == words[-1]:
            counts[word] += 1
    return [(n + 1) / (sum(counts) + V) for n in counts]


# Chapter 29
def normalise(peaks):
    if max(peaks) == 0:
        return peaks
    scaled = [peak / max(peaks) for peak in peaks]
    others = sorted(peak for peak in scaled if peak > 0.1)[:-1]
    m = sum(others) / len(others) if others else 0
    return [peak * (1 - m) ** 2 for peak in scaled]


# Chapter 30
def agreement(one, other):
    chosen = [(a.index(max(a)), b.index(max(b))) for a, b in zip(one, other)]
    return sum(i == j for i, j in chosen) / len(chosen)
