#include "autograd/ops/softmax.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/strided_copy.h"
#include "autograd/internal/xtensor.h"

namespace softalign::autograd {
namespace {

// The next functions compute one row each. With `omp simd`, sums are vectorised, and the compiler fixes their order.
// The functions are loops, because xtensor takes longer for rows of 10 to 2000 numbers. It takes 15 times as long for
// the maximum of a row, 9 times for its sum, and 3 to 10 times for a complete softmax.
Real row_max(const Real* __restrict x, std::size_t n) {
  Real m = std::numeric_limits<Real>::lowest();
#pragma omp simd reduction(max : m)
  for (std::size_t j = 0; j < n; ++j) m = x[j] > m ? x[j] : m;
  return m;
}
Real row_sum(const Real* __restrict x, std::size_t n) {
  Real s = 0;
#pragma omp simd reduction(+ : s)
  for (std::size_t j = 0; j < n; ++j) s += x[j];
  return s;
}
Real row_dot(const Real* __restrict a, const Real* __restrict b, std::size_t n) {
  Real s = 0;
#pragma omp simd reduction(+ : s)
  for (std::size_t j = 0; j < n; ++j) s += a[j] * b[j];
  return s;
}
void softmax_gradient(const Real* __restrict dy, const Real* __restrict y, Real dot, Real* __restrict dx,
                      std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) dx[j] = y[j] * (dy[j] - dot);
}
void log_softmax_gradient(const Real* __restrict dy, const Real* __restrict y, Real* __restrict p, Real total,
                          std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) p[j] = y[j] <= log_of_zero ? Real(0) : dy[j] - p[j] * total;
}
Real kept_sum(const Real* __restrict dy, const Real* __restrict y, std::size_t n) {
  Real s = 0;
#pragma omp simd reduction(+ : s)
  for (std::size_t j = 0; j < n; ++j) s += y[j] <= log_of_zero ? Real(0) : dy[j];
  return s;
}

std::size_t row_width(const char* op, const Shape& shape) {
  if (shape.rank() == 0) throw std::invalid_argument(fmt::format("{}: a scalar has no last axis", op));
  return shape.back();
}

Array exponential(const Array& x) {
  Array y(x.shape());
  auto out = flat(y);
  xt::noalias(out) = xt::exp(flat(x));
  return y;
}

// shifted returns x - max x for each row. Masked entries become log_of_zero or less, so that padding gets weight
// exp(log_of_zero) = 0. A row without other entries is not shifted.
Array shifted(const char* op, const Array& x, const Array& mask) {
  const std::size_t width = row_width(op, x.shape());
  Array y;
  if (mask.defined()) {
    if (!(broadcast_shape(op, x.shape(), mask.shape()) == x.shape()))
      throw std::invalid_argument(
          fmt::format("{}: the mask {} does not broadcast to x {}", op, to_string(mask.shape()), to_string(x.shape())));
    y = Array(x.shape());
    const Array keep = stretched(mask, x.shape());
    auto kept = flat(y);
    xt::noalias(kept) = xt::where(xt::not_equal(flat(keep), Real(0)), flat(x), log_of_zero);
  } else {
    y = x.clone();
  }
  for (std::size_t i = 0; i < y.size(); i += width) {
    const Real m = row_max(y.data() + i, width);
    if (m > log_of_zero) part(y, i, width) -= m;
  }
  return y;
}

Var masked_softmax(const Var& x, const Array& mask) {
  Array y = exponential(shifted("softmax", x.value(), mask));
  const std::size_t width = x.shape().back();
  for (std::size_t i = 0; i < y.size(); i += width) {
    const Real s = row_sum(y.data() + i, width);
    if (s != 0) part(y, i, width) *= 1 / s;
  }
  return Var("softmax", y, {x}, [x, width](const Array& dy, const Array& p) {
    Array dx(p.shape());
    for (std::size_t i = 0; i < p.size(); i += width) {
      const Real dot = row_dot(dy.data() + i, p.data() + i, width);
      softmax_gradient(dy.data() + i, p.data() + i, dot, dx.data() + i, width);
    }
    x.add_grad(dx);
  });
}

Var masked_log_softmax(const Var& x, const Array& mask) {
  Array y = shifted("log_softmax", x.value(), mask);
  const Array e = exponential(y);
  const std::size_t width = x.shape().back();
  for (std::size_t i = 0; i < y.size(); i += width) {
    const Real s = row_sum(e.data() + i, width);
    if (s != 0) part(y, i, width) -= std::log(s);
  }
  auto all = flat(y);
  xt::noalias(all) = xt::where(all < log_of_zero, log_of_zero, all);  // NaN stays NaN
  return Var("log_softmax", y, {x}, [x, width](const Array& dy, const Array& log_p) {
    Array dx = exponential(log_p);
    for (std::size_t i = 0; i < dx.size(); i += width) {
      const Real total = kept_sum(dy.data() + i, log_p.data() + i, width);
      log_softmax_gradient(dy.data() + i, log_p.data() + i, dx.data() + i, total, width);
    }
    x.add_grad(dx);
  });
}

}  // namespace

Var softmax(const Var& x) { return masked_softmax(x, Array()); }
Var softmax(const Var& x, const Array& mask) { return masked_softmax(x, mask); }
Var log_softmax(const Var& x) { return masked_log_softmax(x, Array()); }
Var log_softmax(const Var& x, const Array& mask) { return masked_log_softmax(x, mask); }

}  // namespace softalign::autograd
