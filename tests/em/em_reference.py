"""EM word alignment as the papers define it, written a second time: every alignment of a pair is enumerated, nothing is in
closed form, and each step is its formula. It takes pairs of four words; tests/em/test_links.py holds `links` to it.

    Dyer, Chahuneau & Smith 2013: diagonal prior, null probability, variational Bayes
    Vogel, Ney & Tillmann 1996; Och & Ney 2003: jumps, an empty word that remembers
"""

import itertools
import math
from collections import Counter, defaultdict


def digamma(x, step=1e-4):
    """psi(x) = d/dx ln Gamma(x), by a central difference at x + 3."""
    y = x + 3
    near = (math.lgamma(y + step) - math.lgamma(y - step)) / (2 * step)
    return near - 1 / x - 1 / (x + 1) - 1 / (x + 2)


def diagonal(lam, p0):
    """p(a_1 .. a_m | m, n); a state is j, 0 the empty word."""

    def weights(i, m, n):
        return [math.exp(-lam * abs(i / m - j / n)) for j in range(1, n + 1)]

    def prior(states, n):
        p = 1
        for i, j in enumerate(states, 1):
            w = weights(i, len(states), n)
            p *= p0 if j == 0 else (1 - p0) * w[j - 1] / sum(w)
        return p
    return lambda n: range(n + 1), prior, lambda state: state


def jumps(s, s1, p0):
    """A state is (j, linked); j is remembered while nothing is linked."""

    def prior(states, n):
        p, before = 1, None
        for j, linked in states:
            if not linked:
                p *= p0 * (1 / n if before is None else before == j)
            elif before is None:
                p *= (1 - p0) * s1[j - 1] / sum(s1[k] for k in range(n))
            else:
                p *= (1 - p0) * s[j - before] / sum(s[k - before] for k in range(1, n + 1))
            before = j
        return p
    return lambda n: [(j, linked) for j in range(1, n + 1) for linked in (True, False)], prior, \
        lambda state: state[0] * state[1]


def expect(model, t, f, e):
    """log p(e | f), p(a_i = j | e, f) as rows of n + 1, and [(states, p(states | e, f))]."""
    states, prior, word = model
    words = [None, *f]
    found = []
    for path in itertools.product(states(len(f)), repeat=len(e)):
        p = prior(path, len(f))
        if p > 0:
            found.append((path, p * math.prod(t[words[word(state)], e[i]] for i, state in enumerate(path))))
    total = sum(p for _, p in found)
    rows = [[0.0] * (len(f) + 1) for _ in e]
    for path, p in found:
        for i, state in enumerate(path):
            rows[i][word(state)] += p / total
    return math.log(total), rows, [(path, p / total) for path, p in found]


def maximise(counts, pairs, alpha, prefix, letters, identity):
    """t(e|f) of the expected counts c(e, f), f = None being the empty word."""
    frequency = Counter(e for _, target in pairs for e in target)
    begins, beginnings = Counter(), Counter()  # c(s) of targets; counts of (s', s)
    for e, c in frequency.items():
        begins[e[:letters]] += c
    for (f, e), c in counts.items():
        if f is not None:
            beginnings[f[:letters], e[:letters]] += c
    of_source = Counter()
    for (s, _), c in beginnings.items():
        of_source[s] += c

    def prior(f, e):
        if f is None:
            return alpha
        p0 = beginnings[f[:letters], e[:letters]] / of_source[f[:letters]] * frequency[e] / begins[e[:letters]]
        return alpha + prefix * p0 + identity * (f == e)
    value = (lambda x: math.exp(digamma(x))) if alpha > 0 else (lambda x: x)
    together = {(f, e) for source, target in pairs for f in [None, *source] for e in target}
    together |= {(None, e) for e in frequency}
    totals = defaultdict(float)
    for f, e in together:
        totals[f] += counts[f, e] + prior(f, e)
    return {(f, e): value(counts[f, e] + prior(f, e)) / value(totals[f]) for f, e in together}


def best_lambda(pairs, rows):
    """Where sum p(a_i = j | e, f) (h(i, j, m, n) - E_delta[h]) = 0, each expectation added up word by word."""

    def gradient(lam):
        total = 0
        for (f, e), matrix in zip(pairs, rows):
            for i, row in enumerate(matrix, 1):
                h = [-abs(i / len(e) - j / len(f)) for j in range(1, len(f) + 1)]
                w = [math.exp(lam * x) for x in h]
                mean = sum(x * y for x, y in zip(w, h)) / sum(w)
                total += sum(p * (x - mean) for p, x in zip(row[1:], h))
        return total
    low, high = 0.01, 100
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if gradient(middle) > 0 else (low, middle)
    return (low + high) / 2


def train(pairs, diagonal_rounds, jump_rounds, alpha=0.01, prefix=1.0, letters=4, identity=0.1, diagonal_p0=0.08, jump_p0=0.2):
    """The perplexity before each M step, the last t, and the last model."""
    target_words = {e for _, target in pairs for e in target}
    t = defaultdict(lambda: 1 / (len(target_words) + 4))  # the four special entries of a vocabulary count
    lam = 4
    s = {d: math.exp(-abs(d - 1) / 2) for d in range(-60, 61)}
    s1 = [math.exp(-j / 2) for j in range(61)]
    perplexities = []
    for number in range(diagonal_rounds + jump_rounds):
        jumping = number >= diagonal_rounds
        model = jumps(s, s1, jump_p0) if jumping else diagonal(lam, diagonal_p0)
        counts, rows, moved, first = defaultdict(float), [], Counter(), Counter()
        total = 0
        for f, e in pairs:
            log_p, matrix, paths = expect(model, t, f, e)
            total += log_p
            rows.append(matrix)
            for i, row in enumerate(matrix):
                for j, p in enumerate(row):
                    counts[[None, *f][j], e[i]] += p
            if jumping:
                for path, p in paths:
                    if path[0][1]:
                        first[path[0][0] - 1] += p
                    for (before, _), (j, linked) in zip(path, path[1:]):
                        if linked:
                            moved[j - before] += p
        perplexities.append(math.exp(-total / sum(len(e) for _, e in pairs)))
        t = maximise(counts, pairs, alpha, prefix, letters, identity)
        if jumping:
            s, s1 = {d: moved[d] + 0.5 for d in s}, [first[j] + 0.5 for j in range(61)]
        else:
            lam = best_lambda(pairs, rows)
    return perplexities, t, jumps(s, s1, jump_p0) if jump_rounds else diagonal(lam, diagonal_p0)
