#include "autograd/ops/fused.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/simd.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

Real mean_of(const Real* x, std::size_t d) {
  Lanes total(Real(0));
  for_lanes(d, [&](std::size_t i, std::size_t n) { total += load(x + i, n); });
  return sum(total) / static_cast<Real>(d);
}

Real variance_of(const Real* x, Real mean, std::size_t d) {
  Lanes total(Real(0));
  Real rest = 0;
  for_lanes(d, [&](std::size_t i, std::size_t n) {
    const Lanes c = load(x + i, n) - Lanes(mean);
    if (n == lane_count) total += c * c;
    else
      for (const Real* v = x + i; v < x + d; ++v) rest += (*v - mean) * (*v - mean);
  });
  return (sum(total) + rest) / static_cast<Real>(d);
}

// Row normalises one row of x: xh = (x - mean) w. In lanes beyond n, xh is not 0. The factors dy and g are 0 there, so
// these lanes change no sum.
struct Row {
  const Real* x;
  Real mean, w;  // w: 1 / sqrt(var + eps)

  Lanes normal(std::size_t i, std::size_t n) const { return (load(x + i, n) - Lanes(mean)) * Lanes(w); }
};

// y <- g xh + b
void normalise(const Row& row, const Real* g, const Real* b, Real* y, std::size_t d) {
  for_lanes(d, [&](std::size_t i, std::size_t n) {
    store(y + i, xsimd::fma(load(g + i, n), row.normal(i, n), load(b + i, n)), n);
  });
}

// dx <- (u - mean(u) - xh mean(u xh)) w      dg += dy xh      db += dy
void normalise_backward(const Real* dy, const Real* g, const Row& row, Real* dx, Real* dg, Real* db, std::size_t d) {
  Lanes us(Real(0)), uxs(Real(0));
  for_lanes(d, [&](std::size_t i, std::size_t n) {
    const Lanes u = load(dy + i, n) * load(g + i, n), h = row.normal(i, n);
    us += u;
    uxs += u * h;
    store(dg + i, load(dg + i, n) + load(dy + i, n) * h, n);
    store(db + i, load(db + i, n) + load(dy + i, n), n);
  });
  const Lanes mean_u(sum(us) / static_cast<Real>(d)), mean_ux(sum(uxs) / static_cast<Real>(d)), w(row.w);
  for_lanes(d, [&](std::size_t i, std::size_t n) {
    const Lanes u = load(dy + i, n) * load(g + i, n);
    store(dx + i, (u - mean_u - row.normal(i, n) * mean_ux) * w, n);
  });
}

}  // namespace

Var layer_norm(const Var& x, const Var& g, const Var& b, Real eps) {
  const std::size_t d = x.shape().rank() ? x.shape().back() : 0;
  if (d == 0 || !(g.shape() == Shape{d}) || !(b.shape() == Shape{d}))
    throw std::invalid_argument(fmt::format("layer_norm: x {}, g {} and b {} do not fit; (.., d), (d), (d) expected",
                                            to_string(x.shape()), to_string(g.shape()), to_string(b.shape())));
  const std::size_t rows = x.value().size() / d;
  Array y(x.shape()), mean({rows}), w({rows});
  {
    const Real *in = x.value().data(), *gain = g.value().data(), *bias = b.value().data();
    Real *const out = y.data(), *const means = mean.data(), *const widths = w.data();
    parallel_for(0, rows, rows * d >= parallel_from, [&](std::size_t r) {
      means[r] = mean_of(in + r * d, d);
      widths[r] = 1 / std::sqrt(variance_of(in + r * d, means[r], d) + eps);
      normalise({in + r * d, means[r], widths[r]}, gain, bias, out + r * d, d);
    });
  }
  // The backward pass computes xh again instead of storing it. This costs one pass over x. It needs no memory with
  // pre-norm, because the residual stream keeps x anyway.
  return Var("layer_norm", y, {x, g, b}, [x, g, b, mean, w, rows, d](const Array& dy) {
    constexpr std::size_t together = 64;  // rows of x whose gradients of g and b are one sum, for any number of threads
    const std::size_t parts = (rows + together - 1) / together;
    Array dx(x.shape()), dg = zeros({parts, d}), db = zeros({parts, d});
    const Real *in = x.value().data(), *up = dy.data(), *gain = g.value().data();
    const Real *means = mean.data(), *widths = w.data();
    Real *const to_x = dx.data(), *const to_g = dg.data(), *const to_b = db.data();
    parallel_for(0, parts, rows * d >= parallel_from, [&](std::size_t part) {
      for (std::size_t r = part * together; r < std::min(rows, (part + 1) * together); ++r)
        normalise_backward(up + r * d, gain, {in + r * d, means[r], widths[r]}, to_x + r * d, to_g + part * d,
                           to_b + part * d, d);
    });
    x.add_grad(dx);
    if (g.needs_grad()) add_column_sums(dg, g.zeroed_grad());
    if (b.needs_grad()) add_column_sums(db, b.zeroed_grad());
  });
}

}  // namespace softalign::autograd::fused
