#!/usr/bin/env python3
"""Checks your solution of a chapter's programming exercise.

    python3 docs/course/check.py 7 mine.py      calls the functions of the exercise of chapter 7 in your file mine.py

If a function returns a wrong result, the program prints this result and the expected one, and ends with exit status 1.
Otherwise it prints "chapter 7: right".
"""

import importlib.util
import inspect
import itertools
import math
import random
import re
import sys
import traceback
from pathlib import Path

CHECKS = {}


def chapter(number):
    def keep(check):
        CHECKS[number] = check
        return check
    return keep


def same(name, found, expected):
    """Compares numbers, or lists and tuples of numbers, and allows for rounding."""
    def flat(x):
        return [y for part in x for y in flat(part)] if isinstance(x, (list, tuple)) else [x]
    a, b = flat(found), flat(expected)
    if len(a) != len(b) or not all(isinstance(x, (int, float)) and math.isclose(x, y, rel_tol=1e-5, abs_tol=1e-7) for x, y in zip(a, b)):
        raise AssertionError(f"{name} is {found}, expected {expected}")


def needed(check):
    """Returns how the check calls your functions, for example "attend(scores, values, length)". You may choose
    other names for the arguments."""
    solutions = load(Path(__file__).with_name("solutions.py"))
    names = dict.fromkeys(re.findall(r"\bmy\.(\w+)\(", inspect.getsource(check)))
    return " and ".join(f"{name}{inspect.signature(getattr(solutions, name))}" for name in names)


def load(file):
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_yours(file):
    """Returns your file as a module. Ends the program if the file does not exist or cannot be run."""
    if not Path(file).is_file():
        sys.exit(f"{file}: no such file. Write the functions of the exercise into this file")
    try:
        return load(file)
    except Exception as error:  # whatever your file raises, pylint: disable=broad-except
        where = "" if isinstance(error, SyntaxError) else line_in(file, error)  # a SyntaxError names the line itself
        return sys.exit(f"not yet: your file cannot be run: {type(error).__name__}: {error}{where}")


def line_in(file, error):
    """Returns the last line of the file in the traceback of the error, for example " (mine.py, line 3)", or ""
    if there is none."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).resolve() == Path(file).resolve()]
    return f" ({Path(file).name}, line {lines[-1]})" if lines else ""


@chapter(1)
def _(my):
    x, y = my.Var(3.0), my.Var(2.0)
    z = x * x + x * y
    z.backward()
    same("3 * 3 + 3 * 2", z.value, 15)
    same("the gradient by x, which is used three times", x.grad, 8)
    same("the gradient by y", y.grad, 3)
    a = my.Var(2.0)
    b = a * a
    c = b * b + b
    c.backward()
    same("d(a^4 + a^2)/da at 2: each node runs only after all of its uses", a.grad, 36)


@chapter(2)
def _(my):
    for x, y, dy in ((-1.0, 0.3132617, 0.2689414), (0.0, 0.6931472, 0.5), (2.0, 2.126928, 0.8807971)):
        value, rule = my.softplus(x)
        same(f"softplus({x})", value, y)
        same(f"its rule of dy = 3 at {x}", rule(3.0), 3 * dy)


@chapter(3)
def _(my):
    same("the gradient of a^2 b at (3, 5)", my.numeric_gradient(lambda x: x[0] ** 2 * x[1], [3.0, 5.0]), [30, 9])
    x = [1.0, 2.0]
    my.numeric_gradient(sum, x)
    same("x after the call", x, [1, 2])


@chapter(4)
def _(my):
    same("h', c' for a = 0 and c = 2", my.lstm_step([0, 0, 0, 0], 2.0), [0.5 * math.tanh(1), 1])
    same("h', c' for a = (1, 2, 3, -1), c = -0.5", my.lstm_step([1, 2, 3, -1], -0.5), [0.0751456, 0.2870448])


@chapter(5)
def _(my):
    for gradient in (0.002, -7.0):
        weight, m, v = my.adam_step(1.0, gradient, 0.0, 0.0, 1, 0.01)
        same(f"the weight after a first step with the gradient {gradient}", weight, 1 - math.copysign(0.01, gradient))
    weight, m, v = my.adam_step(weight, 7.0, m, v, 2, 0.01)
    same("the weight after a second step against the first one", weight, 1.01 - 0.01 * 0.0526315789)
    same("m and v", (m, v), (0.07, 0.097951))


@chapter(6)
def _(my):
    table = {(): {"a": math.log(.6), "b": math.log(.4)}, ("a",): {"x": math.log(.5), "</s>": math.log(.5)},
             ("b",): {"</s>": math.log(.9), "x": math.log(.1)}}

    def log_p(words):
        return table.get(words, {"</s>": 0.0})
    for K, expected, p in ((1, None, .3), (2, ("b", "</s>"), .36)):
        words, score = my.beam_search(log_p, K, 4)
        if expected and tuple(words) != expected:
            raise AssertionError(f"a beam of {K} finds {words}, expected {expected}")
        same(f"p of what a beam of {K} finds", math.exp(score), p)


@chapter(7)
def _(my):
    alpha, c = my.attend([2, 0, 1], [[1, 0], [0, 1], [1, 1]], 3)
    same("the weights", alpha, [0.6652410, 0.0900306, 0.2447285])
    same("the context", c, [0.9099694, 0.3347591])
    alpha, c = my.attend([2, 0, 50], [[1, 0], [0, 1], [1, 1]], 2)
    same("the weights, if the last word is padding", alpha, [0.8807971, 0.1192029, 0])
    alpha, c = my.attend([1000, 999], [[1.0], [0.0]], 2)
    same("the context of scores of 1000", c, [0.7310586])


@chapter(8)
def _(my):
    same("weights around 1, D = 2", my.local_p([0, 0, 0, 0, 9], 1, 2), [0.25 * math.exp(-.5), .25, 0.25 * math.exp(-.5), 0.25 * math.exp(-2), 0])


@chapter(9)
def _(my):
    same("AER of the figure", my.aer({(0, 0), (1, 1), (1, 2)}, {(0, 0), (2, 1), (1, 2)}, set()), 1 / 3)
    same("AER, if a possible link is found", my.aer({(0, 0), (1, 1)}, {(0, 0)}, {(1, 1)}), 0)
    same("AER of a missing link", my.aer({(0, 0)}, {(0, 0), (1, 1)}, set()), 1 / 3)


@chapter(10)
def _(my):
    same("the Jacobian at equal scores", my.softmax_jacobian([0, 0]), [[.25, -.25], [-.25, .25]])
    J = my.softmax_jacobian([10, 0, 1])
    same("the sum of each row", [sum(row) for row in J], [0, 0, 0])
    same("dalpha_1 / de_1 where softmax is nearly one-hot", J[0][0], 0.000168721)


@chapter(11)
def _(my):
    same("keys once", my.multiplications(10, 10, 128, 128, 256, True), 163840 + 12800 + 327680)
    same("keys at every step", my.multiplications(10, 10, 128, 128, 256, False), 163840 + 12800 + 3276800)


@chapter(12)
def _(my):
    pairs = [(["la", "maison"], ["the", "house"]), (["la", "fleur"], ["the", "flower"])]
    first = my.model_1(pairs, 1)
    same("t(maison | house) and t(la | the) after a round", (first["maison", "house"], first["la", "the"]), (.5, .5))
    later = my.model_1(pairs, 20)
    if not (later["la", "the"] > .99 and later["maison", "house"] > .95):
        raise AssertionError(f"after 20 rounds t(la | the) = {later['la', 'the']}, t(maison | house) = {later['maison', 'house']}")


@chapter(13)
def _(my):
    same("f(1)", my.nadaraya_watson(1, [0, 1, 2], [10, 20, 60], 1), 28.2220384)
    same("f(1) without the point at 1", my.nadaraya_watson(1, [0, 1, 2], [10, 20, 60], 1, own=1), 35)
    same("f(0.4) for a very narrow kernel", my.nadaraya_watson(.4, [0, 1, 2], [10, 20, 60], 20), 10)


@chapter(14)
def _(my):
    same("the look-up by hand", my.attention([[2, 1]], [[1, 0], [0, 1]], [[10, 0], [0, 20]]), [[6.6976155, 6.6047691]])
    same("two queries", my.attention([[0, 0], [32, 0]], [[1, 0], [0, 1]], [[10, 0], [0, 20]]), [[5, 10], [10, 0]])


@chapter(15)
def _(my):
    same("of (1, 0)", my.self_attention([1, 0], False), [0.7310586, 0.5])
    X = [0.3, -1.2, 0.8, 2.0]
    for order in itertools.permutations(range(4)):
        same(f"of the words in the order {order}", my.self_attention([X[i] for i in order], False),
             [my.self_attention(X, False)[i] for i in order])
    same("causal: the first word", my.self_attention(X, True)[0], X[0])
    same("causal: the last word", my.self_attention(X, True)[-1], my.self_attention(X, False)[-1])


@chapter(16)
def _(my):
    same("(1, 0) at position 1", my.rotate([1, 0], 1), [math.cos(1), math.sin(1)])
    same("(1, 0, 1, 0) at position 1", my.rotate([1, 0, 1, 0], 1), [math.cos(1), math.sin(1), math.cos(.01), math.sin(.01)])
    q, k = [0.5, -1.0, 2.0, 0.3], [1.0, 0.2, -0.7, 1.5]

    def product(i, j):
        return sum(a * b for a, b in zip(my.rotate(q, i), my.rotate(k, j)))
    same("q_25 . k_23, which is q_5 . k_3", product(25, 23), product(5, 3))
    same("the length of a rotated vector", sum(a * a for a in my.rotate(q, 7)), sum(a * a for a in q))
    if math.isclose(product(5, 3), product(5, 4)):
        raise AssertionError("the product does not depend on the distance")


@chapter(17)
def _(my):
    same("steps 1, 50, 100 of 1000", [my.learning_rate(s, 1000, .01, 100, .5) for s in (1, 50, 100)], [.0001, .005, .01])
    same("step 500", my.learning_rate(500, 1000, .01, 100, .5), .01)
    same("the last step", my.learning_rate(1000, 1000, .01, 100, .5), .01 / 500)


@chapter(18)
def _(my):
    random.seed(1)
    rows = [[[random.gauss(0, 1) for _ in range(4)] for _ in range(3)] for _ in range(6)]  # q, k, v of six words
    cache = []
    for t, (q, k, v) in enumerate(rows):
        y, cache = my.attention_step(q, k, v, cache)
        scores = [math.exp(sum(a * b for a, b in zip(q, row[1])) / 2) for row in rows[:t + 1]]
        same(f"step {t + 1}", y, [sum(s * row[2][c] for s, row in zip(scores, rows)) / sum(scores) for c in range(4)])
        same("the length of the cache", len(cache), t + 1)


@chapter(19)
def _(my):
    W = my.delta_write([[0.0] * 3 for _ in range(2)], [1, 0, 0], [5, 1], 1)
    same("a first value", W, [[5, 0, 0], [1, 0, 0]])
    same("a new value for the same key", my.delta_write(W, [1, 0, 0], [2, 4], 1), [[2, 0, 0], [4, 0, 0]])
    same("half of it", my.delta_write(W, [1, 0, 0], [2, 4], .5), [[3.5, 0, 0], [2.5, 0, 0]])


@chapter(20)
def _(my):
    same("the example", my.online_softmax([([1, 3], [10, 20]), ([2, 5], [30, 40])]), 36.8806)
    same("large scores", my.online_softmax([([1000, 1001], [0, 1]), ([1002, 990], [2, 3])]), 1.5752154)


@chapter(21)
def _(my):
    same("each word at a cell of its own", my.doubly_stochastic([[1, 0], [0, 1]], 1), 0)
    same("both at the first", my.doubly_stochastic([[1, 0], [1, 0]], 1), 2)
    same("one at the first, one at both", my.doubly_stochastic([[1, 0], [.5, .5]], 1), .5)


@chapter(22)
def _(my):
    R = [math.log(.9), math.log(.1)]
    same("the first drawn, b = 0", my.reinforce([.5, .5], 0, R[0], 0)[0], 0.0526803)
    same("the second drawn, b = 0", my.reinforce([.5, .5], 1, R[1], 0)[0], -1.1512925)
    b = sum(R) / 2
    same("the first drawn, b the mean", my.reinforce([.5, .5], 0, R[0], b)[0], my.reinforce([.5, .5], 1, R[1], b)[0])


@chapter(23)
def _(my):
    same("the example", my.squeeze_excite([[4, 0], [2, 2]], lambda z: [max(0, z[0] - z[1]), -max(0, z[0] - z[1])]),
         [[3.5231884, 0], [1.7615942, 0.2384058]])


@chapter(24)
def _(my):
    rows, columns = my.both_ways([[0, 3, 0], [0, 0, 2]])
    same("softmax of rows", rows, [[0.0452785, 0.9094430, 0.0452785], [0.1065070, 0.1065070, 0.7869860]])
    same("softmax of columns", columns, [[.5, 0.9525741, 0.1192029], [.5, 0.0474259, 0.8807971]])


@chapter(25)
def _(my):
    same("c~", my.read_tape([0, 2, 0], [[2, 0], [-1, 3], [.5, 1]]), [-0.5207185, 2.4674654])


@chapter(26)
def _(my):
    keys, values = [[4, 0, 0], [0, 4, 0]], [[0, 3, 0], [0, 0, 3]]
    one, two = my.hops([1, 0, 0], keys, values, 1), my.hops([1, 0, 0], keys, values, 2)
    same("u after one hop", one, [1, 2.9460414, 0.0539586])
    same("u after two hops", two, [1, 2.9472845, 3.0527155])


@chapter(27)
def _(my):
    same("a shift by one, round the end", my.address([0, 0, 1], [1, 0, 0], 0, {1: 1.0}, 1), [1, 0, 0])
    same("half by content", my.address([0, 0, 1], [1, 0, 0], .5, {0: 1.0}, 1), [.5, 0, .5])
    same("blurred, then sharpened", my.address([1, 0, 0, 0], [0] * 4, 0, {0: .1, 1: .9}, 2), [0.01 / .82, .81 / .82, 0, 0])


@chapter(28)
def _(my):
    same("1 followed 0 two times of two", my.predict([0, 1, 1, 2, 0, 1, 0], 3), [0.2, 0.6, 0.2])
    same("the last word did not occur before", my.predict([0, 1, 2], 4), [0.25] * 4)
    same("a word that follows itself", my.predict([1, 1, 1], 2), [0.25, 0.75])


@chapter(29)
def _(my):
    same("one peak", my.normalise([0, 5, 0]), [0, 1, 0])
    same("one peak above others", my.normalise([1, .5, .25]), [0.390625, 0.1953125, 0.09765625])
    same("equal peaks", my.normalise([2, 2, 2, 2]), [0, 0, 0, 0])
    same("peaks below a tenth do not count", my.normalise([1, .05, .5]), [.25, .0125, .125])
    same("no peak", my.normalise([0, 0]), [0, 0])


@chapter(30)
def _(my):
    one, other = [[.7, .2, .1], [.1, .8, .1], [.2, .2, .6]], [[.5, .4, .1], [.6, .3, .1], [.1, .1, .8]]
    same("two of three rows agree", my.agreement(one, other), 2 / 3)
    same("a model and itself", my.agreement(one, one), 1)
    same("the size of the largest weight does not count", my.agreement([[.9, .1]], [[.51, .49]]), 1)
    same("no row agrees", my.agreement([[1, 0], [1, 0]], [[0, 1], [0, 1]]), 0)


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    if int(sys.argv[1]) not in CHECKS:
        sys.exit(f"chapter {sys.argv[1]} has no exercise to check. The chapters are {min(CHECKS)} to {max(CHECKS)}")
    check, file = CHECKS[int(sys.argv[1])], sys.argv[2]
    mine = load_yours(file)
    try:
        check(mine)
    except (AssertionError, AttributeError) as error:
        sys.exit(f"not yet: {error}")
    except (TypeError, ValueError) as error:  # other arguments, or another number of results
        sys.exit(f"not yet: {error}{line_in(file, error)}. The check calls {needed(check)}")
    except Exception as error:  # in your functions, pylint: disable=broad-except
        sys.exit(f"not yet: {type(error).__name__}: {error}{line_in(file, error)}")
    print(f"chapter {int(sys.argv[1])}: right")


if __name__ == "__main__":
    main()
