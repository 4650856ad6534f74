#include "autograd/ops/elementwise.h"

#include "autograd/array.h"
#include "autograd/internal/strided_copy.h"
#include "autograd/internal/xtensor.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

// map computes y = f(x) elementwise, with one allocation and one vectorised pass. The threads share a long pass.
template <class Function, class... Arrays>
Array map(Function f, const Array& first, const Arrays&... rest) {
  Array y(first.shape());
  in_parts(y.size(), [&](std::size_t begin, std::size_t size) {
    auto out = part(y, begin, size);
    const auto assign = [&](const auto&... x) { xt::noalias(out) = f(x...); };
    assign(part(first, begin, size), part(rest, begin, size)...);
  });
  return y;
}

// map_broadcast computes y = f(a, b) with broadcasting. xtensor repeats rows at full speed, but is 8 times slower along
// the last axis (32 x 1 to 32 x 512). Therefore map_broadcast stretches the last axis first.
template <class Function>
Array map_broadcast(const char* op, Function f, const Array& a, const Array& b) {
  if (a.shape() == b.shape()) return map(f, a, b);
  Array y(broadcast_shape(op, a.shape(), b.shape()));
  if (y.size() == 0) return y;
  const auto wide = [&](const Array& x) {
    return x.rank() == 0 || x.shape().back() != y.shape().back() ? stretched(x, y.shape()) : x;
  };
  const Array a_wide = wide(a), b_wide = wide(b);
  auto out = view(y);
  xt::noalias(out) = f(view(a_wide), view(b_wide));
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
  const Array y = map_broadcast("add", plus, a.value(), b.value());
  give_back(a), give_back(b);
  return Var("add", y, {a, b}, [a, b](const Array& dy) {
    a.add_grad(dy);
    b.add_grad(dy);
  });
}

// y = a - b            da = dy        db = -dy
Var operator-(Var a, Var b) {
  const Array y = map_broadcast("sub", minus, a.value(), b.value());
  give_back(a), give_back(b);
  return Var("sub", y, {a, b}, [a, b](const Array& dy) {
    a.add_grad(dy);
    if (b.needs_grad()) b.add_grad(map([](auto& g) { return -g; }, dy));
  });
}

// y = a b              da = dy b      db = dy a
Var operator*(Var a, Var b) {
  const Array y = map_broadcast("mul", times, a.value(), b.value());
  if (!b.needs_grad()) give_back(a);
  if (!a.needs_grad()) give_back(b);
  return Var("mul", y, {a, b}, [a, b](const Array& dy) {
    if (a.needs_grad()) a.add_grad(map_broadcast("mul", times, dy, b.value()));
    if (b.needs_grad()) b.add_grad(map_broadcast("mul", times, dy, a.value()));
  });
}

// y = a / b            da = dy / b    db = -dy y / b
Var operator/(const Var& a, const Var& b) {
  return Var("div", map_broadcast("div", over, a.value(), b.value()), {a, b}, [a, b](const Array& dy, const Array& y) {
    if (a.needs_grad()) a.add_grad(map_broadcast("div", over, dy, b.value()));
    if (b.needs_grad()) {
      const Array minus_dy_y = map([](auto& g, auto& v) { return -g * v; }, dy, y);
      b.add_grad(map_broadcast("div", over, minus_dy_y, b.value()));
    }
  });
}

// y = min(a, b)        da = dy [a <= b]        db = dy [a > b]
Var minimum(const Var& a, const Var& b) {
  return Var("minimum", map_broadcast("minimum", smaller, a.value(), b.value()), {a, b}, [a, b](const Array& dy) {
    const Array first = map_broadcast("minimum", not_above, a.value(), b.value());
    if (a.needs_grad()) a.add_grad(map(times, dy, first));
    if (b.needs_grad()) b.add_grad(map([](auto& g, auto& f) { return g * (Real(1) - f); }, dy, first));
  });
}

namespace {

// y = f(x)             dx = df(dy, x), elementwise
template <class F, class Df>
Var by_input(const char* op, const Var& x, F f, Df df) {
  return Var(op, map(f, x.value()), {x}, [x, df](const Array& dy) { x.add_grad(map(df, dy, x.value())); });
}

// y = f(x)             dx = df(dy, y), elementwise
template <class F, class Df>
Var by_output(const char* op, const Var& x, F f, Df df) {
  const Array value = map(f, x.value());
  give_back(x);
  return Var(op, value, {x}, [x, df](const Array& dy, const Array& y) { x.add_grad(map(df, dy, y)); });
}

constexpr Real one = 1, two = 2;

}  // namespace

// clang-format off
// y = x + k            dx = dy
Var operator+(Var x, Real k) {
  const Array y = map([k](auto& v) { return v + k; }, x.value());
  give_back(x);
  return Var("add", y, {x}, [x](const Array& dy) { x.add_grad(dy); });
}

// y = k x              dx = k dy
Var operator*(Var x, Real k) {
  const Array y = map([k](auto& v) { return v * k; }, x.value());
  give_back(x);
  return Var("scale", y, {x}, [x, k](const Array& dy) { x.add_grad(map([k](auto& g) { return g * k; }, dy)); });
}

// y = e^x              dx = dy y
Var exp(Var x) {
  return by_output("exp", x, [](auto& v) { return xt::exp(v); }, [](auto& dy, auto& y) { return dy * y; });
}

// y = log x            dx = dy / x
Var log(const Var& x) {
  return by_input("log", x, [](auto& v) { return xt::log(v); }, [](auto& dy, auto& v) { return dy / v; });
}

// y = tanh x           dx = dy (1 - y^2)
Var tanh(Var x) {
  return by_output("tanh", x, [](auto& v) { return xt::tanh(v); }, [](auto& dy, auto& y) { return dy * (one - y * y); });
}

// y = 1 / (1 + e^-x)   dx = dy y (1 - y)
Var sigmoid(Var x) {
  return by_output("sigmoid", x, [](auto& v) { return one / (one + xt::exp(-v)); },
                   [](auto& dy, auto& y) { return dy * y * (one - y); });
}

// y = max(x, 0)        dx = dy [y > 0]
Var relu(Var x) {
  return by_output("relu", x, [](auto& v) { return xt::maximum(v, Real(0)); },
                   [](auto& dy, auto& y) { return xt::where(y > Real(0), dy, Real(0)); });
}

// y = x^2              dx = 2 dy x
Var square(const Var& x) {
  return by_input("square", x, [](auto& v) { return v * v; }, [](auto& dy, auto& v) { return two * dy * v; });
}

// y = log(1 + e^x)     dx = dy / (1 + e^-x)        as max(x, 0) + log(1 + e^-|x|): no exponential is large
Var softplus(const Var& x) {
  return by_input("softplus", x, [](auto& v) { return xt::maximum(v, Real(0)) + xt::log1p(xt::exp(-xt::abs(v))); },
                  [](auto& dy, auto& v) { return dy / (one + xt::exp(-v)); });
}
// clang-format on

}  // namespace softalign::autograd
