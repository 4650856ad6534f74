"""The engine that computes gradients, for teaching.

>>> from softalign import autograd as ag
>>> x = ag.variable([1.0, 2.0])
>>> ag.backward(ag.sum(x * ag.tanh(x)))
>>> x.grad

Numbers are float32. Arguments of operations may be Var, numpy arrays, lists or numbers. Var has + - * / @, slices,
value (a copy, and for variables you can assign a new value), grad, shape, item() and zero_grad(). Wrong shapes raise
ValueError.
"""

from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from ._softalign import autograd as _engine

Var = _engine.Var


def variable(value: Any) -> Var:
    """Returns a leaf that needs a gradient."""
    return _engine.variable(value)


def constant(value: Any) -> Var:
    """Returns a leaf that needs no gradient."""
    return _engine.constant(value)


def detach(x: Var) -> Var:
    """Returns the value of x as a constant."""
    return _engine.detach(x)


def backward(y: Var, dy: Any = None) -> None:
    """Adds the gradient of y to every variable that y depends on. You can call it once per graph.

    y is one number, or dy is the gradient of the loss with respect to y, with the shape of y.
    """
    _engine.backward(y, dy)


def exp(x: Any) -> Var:
    """e^x, element by element."""
    return _engine.exp(x)


def log(x: Any) -> Var:
    """The natural logarithm, element by element."""
    return _engine.log(x)


def tanh(x: Any) -> Var:
    """The hyperbolic tangent, element by element."""
    return _engine.tanh(x)


def sigmoid(x: Any) -> Var:
    """1 / (1 + e^-x), element by element."""
    return _engine.sigmoid(x)


def relu(x: Any) -> Var:
    """max(x, 0), element by element."""
    return _engine.relu(x)


def square(x: Any) -> Var:
    """x^2, element by element."""
    return _engine.square(x)


def softplus(x: Any) -> Var:
    """log(1 + e^x), element by element."""
    return _engine.softplus(x)


def softmax(x: Any, mask: Any = None) -> Var:
    """Softmax over the last axis. The result is 0 for each entry whose mask is 0."""
    return _engine.softmax(x, mask)


def log_softmax(x: Any, mask: Any = None) -> Var:
    """The logarithm of the softmax over the last axis."""
    return _engine.log_softmax(x, mask)


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Var:
    """The sum over an axis, several axes, or all of them."""
    return _engine.sum(x, axis, keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Var:
    """The mean over an axis, several axes, or all of them."""
    return _engine.mean(x, axis, keepdims)


def max(x: Any, axis: int = -1, keepdims: bool = False) -> Var:
    """The maximum over an axis. The gradient goes to the first maximum."""
    return _engine.max(x, axis, keepdims)


def matmul(a: Any, b: Any) -> Var:
    """(.., K) @ (K, N) -> (.., N), or one product per first index: (G, M, K) @ (G, K, N) -> (G, M, N)."""
    return _engine.matmul(a, b)


def affine(x: Any, W: Any, b: Any) -> Var:
    """x W + b, with x (.., K), W (K, N) and b (N)."""
    return _engine.affine(x, W, b)


def reshape(x: Any, shape: Sequence[int]) -> Var:
    """The same numbers in another shape."""
    return _engine.reshape(x, list(shape))


def transpose(x: Any, axes: Optional[Sequence[int]] = None) -> Var:
    """Axis i of the result is axis axes[i] of x. Without axes, (M, N) -> (N, M)."""
    return _engine.transpose(x, None if axes is None else list(axes))


def concat(xs: Iterable[Any], axis: int = 0) -> Var:
    """Joins arrays along an axis."""
    return _engine.concat(xs, axis)


def stack(xs: Iterable[Any]) -> Var:
    """Joins arrays of equal shape along a new first axis."""
    return _engine.stack(xs)


def gather(x: Any, ids: Any) -> Var:
    """The rows ids of a table x (V, ..): the lookup of embeddings."""
    return _engine.gather(x, ids)


def dropout(x: Any, p: float, seed: int) -> Var:
    """Sets numbers to 0 with probability p, and divides the others by 1 - p."""
    return _engine.dropout(x, p, seed)


def cross_entropy(logits: Any, targets: Any, smoothing: float = 0.0, ignore: int = 0) -> Var:
    """The loss of each row of logits (.., V) in nats. Rows with the target `ignore` (padding) have the loss 0."""
    return _engine.cross_entropy(logits, targets, smoothing, ignore)


class no_grad:
    """In `with no_grad():`, operations record no graph."""

    def __init__(self) -> None:
        self._held = _engine.NoGrad()

    def __enter__(self) -> None:
        self._held.enter()

    def __exit__(self, *_: Any) -> None:
        self._held.exit()


class Gradcheck(NamedTuple):
    """The result of gradcheck. `worst` is the largest relative error, and `report` has the worst elements."""
    ok: bool
    worst: float
    checked: int
    report: str


def gradcheck(f: Callable[..., Var], inputs: Sequence[Var], tolerance: Optional[float] = None, samples: int = 0,
              seed: int = 1) -> Gradcheck:
    """Compares the gradient of f(*inputs) with finite differences.

    Numbers are float32, so the default tolerance is 0.02. samples limits the elements per input; 0 means all.
    """
    return Gradcheck(*_engine.gradcheck(f, list(inputs), tolerance, samples, seed))


class Parameters:
    """Named parameters of a model. The same seed gives the same initial values as in C++."""

    def __init__(self, seed: int = 1, _held: Any = None) -> None:
        self._held = _engine.Parameters(seed) if _held is None else _held

    def scope(self, name: str) -> "Parameters":
        """Returns the same parameters, where `name` precedes the names of new ones."""
        return Parameters(_held=self._held.scope(name))

    def declare(self, name: str, shape: Sequence[int], initial: Any = "glorot", blocks: int = 1) -> Var:
        """Returns a new parameter.

        `initial` is "zeros", "ones", "glorot", "orthogonal", "normal" or an array. With blocks=4, each quarter of the
        columns is initialised as a matrix of its own, as for the gates of an LSTM.
        """
        return self._held.declare(name, list(shape), initial, blocks)

    def all(self) -> List[Tuple[str, Var]]:
        """The names and the parameters."""
        return self._held.all()

    def count(self) -> int:
        """How many numbers the parameters have."""
        return self._held.count()

    def zero_grad(self) -> None:
        """Clears all gradients."""
        self._held.zero_grad()


class Optimiser:
    """Changes parameters against their gradients. `kind` is "sgd", "adadelta", "adam" or "adamw"."""

    def __init__(self, parameters: Parameters, kind: str = "adam", *, momentum: float = 0.0, rho: float = 0.95,
                 beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 0.0, weight_decay: float = 0.0) -> None:
        if not isinstance(parameters, Parameters):
            raise TypeError(f"parameters must be Parameters, not {type(parameters).__name__}")
        self._held = _engine.Optimiser(parameters._held, kind, momentum, rho, beta1, beta2, epsilon, weight_decay)

    def step(self, learning_rate: float, clip: float = 0.0) -> float:
        """Makes one step and clears the gradients. Returns the norm of the gradients before clipping; clip=0: none."""
        return self._held.step(learning_rate, clip)


def lstm(x: Var, W: Var, U: Var, b: Var) -> Var:
    """The LSTM layer of C++: x (S, B, E), W (E, 4H), U (H, 4H), b (4H) -> states (S, B, H). Gates: i f g o."""
    return _engine.lstm(x, W, U, b)


def additive_scores(q: Var, k: Var, v: Var) -> Var:
    """The additive scores of C++: v' tanh(q_b + k_jb) for q (B, A), k (S, B, A) and v (A) -> (B, S)."""
    return _engine.additive_scores(q, k, v)
