#include "autograd/log_sum_exp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/simd.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Real largest(const Real* x, std::size_t n) {
  Lanes most(-std::numeric_limits<Real>::infinity());
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count) most = xsimd::max(most, Lanes::load_unaligned(x + i));
  Real each[lane_count];
  most.store_unaligned(each);
  const Real found = *std::max_element(each, each + lane_count);
  return std::accumulate(x + i, x + n, found, [](Real a, Real b) { return std::max(a, b); });
}

Real log_sum_exp(const Real* x, std::size_t n) {
  const Real m = largest(x, n);
  const Lanes shift(m);
  Lanes total(Real(0));
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count) total += xsimd::exp(Lanes::load_unaligned(x + i) - shift);
  Real rest = 0;
  for (; i < n; ++i) rest += std::exp(x[i] - m);
  return m + std::log(sum(total) + rest);
}

Array log_sum_exp(const Array& x) {
  const std::size_t R = x.dim(0), V = x.dim(1);
  Array y({R});
#pragma omp parallel for schedule(static) if (x.size() >= parallel_from)
  for (std::size_t r = 0; r < R; ++r) y[r] = log_sum_exp(x.data() + r * V, V);
  return y;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
