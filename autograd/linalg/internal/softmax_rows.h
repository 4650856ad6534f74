// Rows of a softmax and of its gradient, in vector lanes.
#pragma once

#include "autograd/linalg/internal/simd.h"

namespace softalign::autograd {

// x_j <- e^(s x_j - m) for n numbers. Returns their sum.
inline Real exponentials(Real* __restrict x, std::size_t n, Real s, Real m) {
  const Lanes scale(s), shift(m);
  Lanes total(Real(0));
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    store(x + j, xsimd::exp(scale * load(x + j, width) - shift), width);
    total += load(x + j, width);
  });
  return sum(total);
}

// x_j <- w x_j
inline void scale_row(Real* __restrict x, std::size_t n, Real w) {
  const Lanes scale(w);
  for_lanes(n, [&](std::size_t j, std::size_t width) { store(x + j, scale * load(x + j, width), width); });
}

// dx_j <- s y_j (dy_j - mean), the mean being sum_j y_j dy_j; dx may be dy.
inline void softmax_gradient(const Real* y, const Real* dy, Real mean, Real s, Real* dx, std::size_t n) {
  const Lanes scale(s), shift(mean);
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    store(dx + j, scale * load(y + j, width) * (load(dy + j, width) - shift), width);
  });
}

}  // namespace softalign::autograd
