// This file has products of rows with rows, for the attention ops. Pointers are __restrict parameters, because
// compilers use vector instructions only then. The code explicitly calls fused multiply-add, which multiplies and adds
// with only one rounding. If the compiler could choose, the same line would round differently in different loops. The
// result would then depend on the number of threads.
#pragma once

#include "autograd/internal/simd.h"

namespace softalign::autograd {
inline namespace SOFTALIGN_LANES {

// Returns the dot product x . y.
inline Real dot(const Real* __restrict x, const Real* __restrict y, std::size_t size) {
  Lanes product(Real(0));
  for_lanes(size, [&](std::size_t i, std::size_t n) { product = xsimd::fma(load(x + i, n), load(y + i, n), product); });
  return sum(product);
}

// Adds w x to y.
inline void add_scaled(Real w, const Real* __restrict x, Real* __restrict y, std::size_t size) {
  const Lanes scale(w);
  for_lanes(size,
            [&](std::size_t i, std::size_t n) { store(y + i, xsimd::fma(scale, load(x + i, n), load(y + i, n)), n); });
}

// --- rows of a softmax and of its gradient ---

// Replaces each of n scores x_j by e^(s x_j - m), and returns the sum of the new numbers. s is the scale of the scores.
// For a softmax, m is the largest s x_j, so that no new number is above 1.
inline Real exponentials(Real* __restrict x, std::size_t n, Real s, Real m) {
  const Lanes scale(s), shift(m);
  Lanes total(Real(0));
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    store(x + j, xsimd::exp(scale * load(x + j, width) - shift), width);
    total += load(x + j, width);
  });
  return sum(total);
}

// Multiplies each x_j by w.
inline void scale_row(Real* __restrict x, std::size_t n, Real w) {
  const Lanes scale(w);
  for_lanes(n, [&](std::size_t j, std::size_t width) { store(x + j, scale * load(x + j, width), width); });
}

// Computes the gradient dx of the scores x for one row of a softmax y = softmax(s x). s is the scale of the scores, and
// dy is the gradient of y. The caller computes `mean`, which is sum_j y_j dy_j. dx and dy may be the same memory.
//   dx_j = s y_j (dy_j - mean)
inline void softmax_gradient(const Real* y, const Real* dy, Real mean, Real s, Real* dx, std::size_t n) {
  const Lanes scale(s), shift(mean);
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    store(dx + j, scale * load(y + j, width) * (load(dy + j, width) - shift), width);
  });
}

}  // namespace SOFTALIGN_LANES
}  // namespace softalign::autograd
