"""A second implementation of EM word alignment, from the definitions of the papers. It enumerates every alignment of a pair,
uses no closed form, and follows the formula of each step. It handles pairs of up to four words; tests/em/test_links.py
compares `links` with it.

    Dyer, Chahuneau & Smith 2013: diagonal prior, null probability, variational Bayes
    Vogel, Ney & Tillmann 1996; Och & Ney 2003: jumps, an empty word that remembers the last linked position
    Liang, Taskar & Klein 2006: both directions learn from the links on which they agree
"""

import functools
import itertools
import math
import unicodedata
from collections import Counter, defaultdict


CONSTANT_ROUNDS = 7  # in the first rounds, lambda does not change
LEAST = 1e-150       # no probability is smaller


def digamma(x, step=1e-4):
    """psi(x) = d/dx ln Gamma(x), by a central difference at x + 3."""
    y = x + 3
    near = (math.lgamma(y + step) - math.lgamma(y - step)) / (2 * step)
    return near - 1 / x - 1 / (x + 1) - 1 / (x + 2)


def diagonal(lam, p0):
    """p(a_1 .. a_m | m, n). A state is j, where 0 is the empty word."""

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
    """A state is (j, linked). If the word is not linked, j is the last linked position."""

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
    """Returns log p(e | f), p(a_i = j | e, f) as rows of n + 1, and [(states, p(states | e, f))]."""
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


def similarity(e, f):
    """s(e, f) of folded words. The edit distance follows its definition."""
    def folded(word):
        return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))

    @functools.cache
    def distance(a, b):
        if not a or not b:
            return len(a) + len(b)
        return min(distance(a[1:], b[1:]) + (a[0] != b[0]), distance(a[1:], b) + 1, distance(a, b[1:]) + 1)
    e, f = folded(e), folded(f)
    if e == f:
        return 1.0
    return max(0.0, 1 - 2 * distance(e, f) / max(len(e), len(f))) if min(len(e), len(f)) >= 4 else 0.0


class Table:
    """t(e|f) from the expected counts c(e, f). f = None is the empty word."""

    def __init__(self, counts, pairs, alpha, prefix, letters, identity):
        self.counts, self.alpha, self.prefix, self.letters, self.identity = counts, alpha, prefix, letters, identity
        self.frequency = Counter(e for _, target in pairs for e in target)
        self.begins = Counter()  # c(s) of target words
        for e, c in self.frequency.items():
            self.begins[e[:letters]] += c
        together = {(f, e) for source, target in pairs for f in [None, *source] for e in target}
        totals, self.prior_of = defaultdict(float), defaultdict(float)
        for f, e in together:
            totals[f] += counts[f, e]
            self.prior_of[f] += self.prior(counts, f, e)
        self.t = {(f, e): max(LEAST, self.value(counts[f, e] + self.prior(counts, f, e)) / self.value(totals[f] + self.prior_of[f]))
                  for f, e in together}

    def value(self, x):
        return max(math.exp(digamma(x)), LEAST) if self.alpha > 0 else x

    def of_beginnings(self, counts, f, e, least=0.0):
        same_f = [(k, c) for k, c in counts.items() if k[0] is not None and k[0][:self.letters] == f[:self.letters]]
        all_f = sum(c for _, c in same_f)
        both = sum(c for k, c in same_f if k[1][:self.letters] == e[:self.letters])
        return both / all_f if min(both, all_f) > least else 0

    def prior(self, counts, f, e, least=0.0):
        if f is None:
            return self.alpha
        share = self.frequency[e] / self.begins[e[:self.letters]]
        return self.alpha + self.prefix * self.of_beginnings(counts, f, e, least) * share + self.identity * similarity(e, f)

    def without(self, own):
        """Returns the table without the counts that one pair contributed (leave-one-out)."""
        left = {key: c - own.get(key, 0) for key, c in self.counts.items()}
        # Counts below 1e-4 are rounding errors and count as zero.
        t = {}
        for f, e in own:
            c_f = max(0, sum(c for (g, _), c in left.items() if g == f))
            if left[f, e] > 1e-4:
                t[f, e] = self.value(left[f, e] + self.prior(left, f, e, 1e-4)) / self.value(c_f + self.prior_of[f])
            else:
                share = 1 / self.begins[e[:self.letters]]
                t[f, e] = 0 if f is None else (
                    (self.prefix * self.of_beginnings(left, f, e, 1e-4) * share + self.identity * similarity(e, f))
                    / (c_f + self.prefix + self.identity))
            t[f, e] = max(t[f, e], 1e-7)
        return t


def best_lambda(pairs, rows):
    """Returns the root of sum p(a_i = j | e, f) (h(i, j, m, n) - E_delta[h]) = 0. Each expectation is summed word by
    word."""

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


class Direction:
    """The model that generates the second side of each pair from the first side."""

    def __init__(self, pairs):
        self.pairs = pairs
        words = {e for _, target in pairs for e in target}
        self.t = defaultdict(lambda: 1 / (len(words) + 4))  # a vocabulary has four special entries
        self.lam = 2
        self.s = {d: math.exp(-abs(d - 1) / 2) for d in range(-60, 61)}
        self.s1 = [math.exp(-j / 2) for j in range(61)]
        self.perplexities = []

    def model(self, jumping, diagonal_p0, jump_p0):
        return jumps(self.s, self.s1, jump_p0) if jumping else diagonal(self.lam, diagonal_p0)

    def expect(self, model, jumping):
        self.rows, self.moved, self.first = [], Counter(), Counter()
        total = 0
        for f, e in self.pairs:
            log_p, matrix, paths = expect(model, self.t, f, e)
            total += log_p
            self.rows.append(matrix)
            if jumping:
                for path, p in paths:
                    if path[0][1]:
                        self.first[path[0][0] - 1] += p
                    for (before, _), (j, linked) in zip(path, path[1:]):
                        if linked:
                            self.moved[j - before] += p
        self.perplexities.append(math.exp(-total / sum(len(e) for _, e in self.pairs)))

    def maximise(self, jumping, priors, learns_lambda):
        counts = defaultdict(float)
        self.own = []  # the counts of each pair
        for (f, e), matrix in zip(self.pairs, self.rows):
            own = defaultdict(float)
            for i, row in enumerate(matrix):
                for j, p in enumerate(row):
                    own[[None, *f][j], e[i]] += p
            self.own.append(own)
            for key, p in own.items():
                counts[key] += p
        self.table = Table(counts, self.pairs, *priors)
        self.t = self.table.t
        if jumping:
            self.s, self.s1 = {d: self.moved[d] + 0.5 for d in self.s}, [self.first[j] + 0.5 for j in range(61)]
        elif learns_lambda:
            self.lam = best_lambda(self.pairs, self.rows)


def train(pairs, diagonal_rounds, jump_rounds, alpha=0.01, prefix=1.0, letters=4, identity=1.0, diagonal_p0=0.08, jump_p0=0.2,
          agreement=True):
    """Trains both directions. Each has the perplexities before each M step, the last table, and the last model."""
    both = [Direction(pairs), Direction([pair[::-1] for pair in pairs])]
    for number in range(diagonal_rounds + jump_rounds):
        jumping = number >= diagonal_rounds
        for direction in both:
            direction.expect(direction.model(jumping, diagonal_p0, jump_p0), jumping)
        if agreement:
            for forward, backward in zip(both[0].rows, both[1].rows):
                for i, j in itertools.product(range(len(forward)), range(len(backward))):
                    forward[i][j + 1] = backward[j][i + 1] = math.sqrt(forward[i][j + 1] * backward[j][i + 1])
        for direction in both:
            direction.maximise(jumping, (alpha, prefix, letters, identity), number + 1 >= CONSTANT_ROUNDS)
    for direction in both:
        direction.last = direction.model(jump_rounds > 0, diagonal_p0, jump_p0)
    return both
