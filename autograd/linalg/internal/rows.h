// Rows times rows, as the attention ops need them. Pointers are __restrict parameters: only then do compilers
// vectorise. The products are added without rounding them first, by name: where it is left to compilers, the same line
// rounds in one loop and not in another, and one thread gets other bits than two.
#pragma once

#include "autograd/linalg/internal/simd.h"

namespace softalign::autograd {

// x . y
inline Real dot(const Real* __restrict x, const Real* __restrict y, std::size_t size) {
  Lanes product(Real(0));
  for_lanes(size, [&](std::size_t i, std::size_t n) { product = xsimd::fma(load(x + i, n), load(y + i, n), product); });
  return sum(product);
}

// y += w x
inline void add_scaled(Real w, const Real* __restrict x, Real* __restrict y, std::size_t size) {
  const Lanes scale(w);
  for_lanes(size,
            [&](std::size_t i, std::size_t n) { store(y + i, xsimd::fma(scale, load(x + i, n), load(y + i, n)), n); });
}

}  // namespace softalign::autograd
