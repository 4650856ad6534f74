#include "autograd/ops/log_sum_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/internal/simd.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd {

Real largest(const Real* x, std::size_t n) {
  Lanes most(-std::numeric_limits<Real>::infinity());
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count) most = xsimd::max(most, Lanes::load_unaligned(x + i));
  Real each[lane_count];
  most.store_unaligned(each);
  const Real found = *std::max_element(each, each + lane_count);
  return std::accumulate(x + i, x + n, found, [](Real a, Real b) { return std::max(a, b); });
}

namespace {

// sum_exp returns sum_v e^(x_v - m). It calls each(v, e, n) with the n exponentials from v on.
template <class Each>
Real sum_exp(const Real* x, std::size_t size, Real m, const Each& each) {
  const Lanes shift(m);
  Lanes total(Real(0));
  for_lanes(size, [&](std::size_t v, std::size_t n) {
    const Lanes e = xsimd::exp(load(x + v, n) - shift);
    each(v, e, n);
    if (n == lane_count) {
      total += e;
      return;
    }
    Real there[lane_count];
    e.store_unaligned(there);
    total += load(there, n);
  });
  return sum(total);
}

}  // namespace

Real Exponentials::log_sum_exp() const { return m + std::log(total); }

Real log_sum_exp(const Real* x, std::size_t n) {
  const Real m = largest(x, n);
  return Exponentials{m, sum_exp(x, n, m, [](std::size_t, const Lanes&, std::size_t) {})}.log_sum_exp();
}

Exponentials exponentiate(Real* x, std::size_t n) {
  const Real m = largest(x, n);
  return {m, sum_exp(x, n, m, [&](std::size_t v, const Lanes& e, std::size_t width) { store(x + v, e, width); })};
}

Array log_sum_exp(const Array& x) {
  const std::size_t R = x.dim(0), V = x.dim(1);
  Array y({R});
  parallel_for(0, R, x.size() >= parallel_from, [&](std::size_t r) { y[r] = log_sum_exp(x.data() + r * V, V); });
  return y;
}

}  // namespace softalign::autograd
