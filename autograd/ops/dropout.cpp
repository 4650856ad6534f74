#include "autograd/ops/dropout.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/elementwise.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Array dropout_mask(const Shape& shape, double p, Random& random) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument(fmt::format("dropout: probability {} is not in [0, 1)", p));
  Array mask(shape);
  const auto threshold = static_cast<std::uint64_t>(p * 0x1.0p32);
  const Real kept = static_cast<Real>(1 / (1 - p));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {  // each draw of 64 bits decides two elements
    bits = i % 2 == 0 ? random.next() : bits >> 32;
    mask[i] = (bits & 0xffffffff) < threshold ? Real(0) : kept;
  }
  return mask;
}

Var dropout(const Var& x, double p, Random& random) {
  if (p == 0) return x;
  return x * constant(dropout_mask(x.shape(), p, random));
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
