#include "autograd/ops/elementwise.h"

#include "autograd/ops/broadcast.h"
#include "autograd/storage/internal/xtensor.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// y = f(x) elementwise: one allocation, one vectorised pass.
template <class Function, class... Arrays>
Array map(Function f, const Array& first, const Arrays&... rest) {
  Array y(first.shape());
  auto out = flat(y);
  xt::noalias(out) = f(flat(first), flat(rest)...);
  return y;
}

// y = f(a, b) with broadcasting.
template <class Function>
Array map_broadcast(const char* op, Function f, const Array& a, const Array& b) {
  if (a.shape() == b.shape()) return map(f, a, b);
  Array y(broadcast_shape(op, a.shape(), b.shape()));
  if (y.size() == 0) return y;
  auto out = view(y);
  xt::noalias(out) = f(view(a), view(b));
  return y;
}

constexpr auto plus = [](auto&& a, auto&& b) { return a + b; };
constexpr auto minus = [](auto&& a, auto&& b) { return a - b; };
constexpr auto times = [](auto&& a, auto&& b) { return a * b; };
constexpr auto over = [](auto&& a, auto&& b) { return a / b; };
constexpr auto smaller = [](auto&& a, auto&& b) { return xt::minimum(a, b); };
constexpr auto not_above = [](auto&& a, auto&& b) { return xt::where(a <= b, Real(1), Real(0)); };

}  // namespace

// y = a + b            da = dy        db = dy
Var operator+(Var a, Var b) {
  const bool same = a.shape() == b.shape();
  Array y;
  if (same && a.can_be_spent()) {
    y = a.spend();
    add_into(y, b.can_be_spent() ? b.spend() : b.value());
  } else if (same && b.can_be_spent()) {
    y = b.spend();
    add_into(y, a.value());
  } else {
    y = map_broadcast("add", plus, a.value(), b.value());
  }
  return Var("add", y, {a, b}, [a, b](const Array& dy) {
    a.add_grad(dy);
    b.add_grad(dy);
  });
}

// y = a - b            da = dy        db = -dy
Var operator-(const Var& a, const Var& b) {
  return Var("sub", map_broadcast("sub", minus, a.value(), b.value()), {a, b}, [a, b](const Array& dy, const Array&) {
    a.add_grad(dy);
    if (b.needs_grad()) b.add_grad(map([](auto&& g) { return -g; }, dy));
  });
}

// y = a b              da = dy b      db = dy a
Var operator*(const Var& a, const Var& b) {
  return Var("mul", map_broadcast("mul", times, a.value(), b.value()), {a, b}, [a, b](const Array& dy, const Array&) {
    if (a.needs_grad()) a.add_grad(map_broadcast("mul", times, dy, b.value()));
    if (b.needs_grad()) b.add_grad(map_broadcast("mul", times, dy, a.value()));
  });
}

// y = a / b            da = dy / b    db = -dy y / b
Var operator/(const Var& a, const Var& b) {
  return Var("div", map_broadcast("div", over, a.value(), b.value()), {a, b}, [a, b](const Array& dy, const Array& y) {
    if (a.needs_grad()) a.add_grad(map_broadcast("div", over, dy, b.value()));
    if (b.needs_grad()) {
      const Array minus_dy_y = map([](auto&& g, auto&& v) { return -g * v; }, dy, y);
      b.add_grad(map_broadcast("div", over, minus_dy_y, b.value()));
    }
  });
}

// y = min(a, b)        da = dy [a <= b]        db = dy [a > b]
Var minimum(const Var& a, const Var& b) {
  return Var("minimum", map_broadcast("minimum", smaller, a.value(), b.value()), {a, b},
             [a, b](const Array& dy, const Array&) {
               const Array first = map_broadcast("minimum", not_above, a.value(), b.value());
               if (a.needs_grad()) a.add_grad(map(times, dy, first));
               if (b.needs_grad()) b.add_grad(map([](auto&& g, auto&& f) { return g * (Real(1) - f); }, dy, first));
             });
}

// y = x + k            dx = dy
Var operator+(const Var& x, Real k) {
  return Var("add", map([k](auto&& v) { return v + k; }, x.value()), {x},
             [x](const Array& dy, const Array&) { x.add_grad(dy); });
}

// y = k x              dx = k dy
Var operator*(const Var& x, Real k) {
  const auto scale = [k](auto&& v) { return v * k; };
  return Var("scale", map(scale, x.value()), {x},
             [x, scale](const Array& dy, const Array&) { x.add_grad(map(scale, dy)); });
}

// y = e^x              dx = dy y
Var exp(const Var& x) {
  return Var("exp", map([](auto&& v) { return xt::exp(v); }, x.value()), {x}, [x](const Array& dy, const Array& y) {
    x.add_grad(map([](auto&& g, auto&& v) { return g * v; }, dy, y));
  });
}

// y = log x            dx = dy / x
Var log(const Var& x) {
  return Var("log", map([](auto&& v) { return xt::log(v); }, x.value()), {x}, [x](const Array& dy, const Array&) {
    x.add_grad(map([](auto&& g, auto&& v) { return g / v; }, dy, x.value()));
  });
}

// y = tanh x           dx = dy (1 - y^2)
Var tanh(const Var& x) {
  return Var("tanh", map([](auto&& v) { return xt::tanh(v); }, x.value()), {x}, [x](const Array& dy, const Array& y) {
    x.add_grad(map([](auto&& g, auto&& v) { return g * (Real(1) - v * v); }, dy, y));
  });
}

// y = 1 / (1 + e^-x)   dx = dy y (1 - y)
Var sigmoid(const Var& x) {
  return Var("sigmoid", map([](auto&& v) { return Real(1) / (Real(1) + xt::exp(-v)); }, x.value()), {x},
             [x](const Array& dy, const Array& y) {
               x.add_grad(map([](auto&& g, auto&& v) { return g * v * (Real(1) - v); }, dy, y));
             });
}

// y = max(x, 0)        dx = dy [x > 0]
Var relu(const Var& x) {
  return Var("relu", map([](auto&& v) { return xt::maximum(v, Real(0)); }, x.value()), {x},
             [x](const Array& dy, const Array& y) {
               Array dx(dy.shape());
               for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = y[i] > 0 ? dy[i] : Real(0);
               x.add_grad(dx);
             });
}

// y = x^2              dx = 2 dy x
Var square(const Var& x) {
  return Var("square", map([](auto&& v) { return v * v; }, x.value()), {x}, [x](const Array& dy, const Array&) {
    x.add_grad(map([](auto&& g, auto&& v) { return Real(2) * g * v; }, dy, x.value()));
  });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
