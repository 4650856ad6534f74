#include "autograd/ops/dropout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <utility>

#include "autograd/ops/elementwise.h"

namespace softalign::autograd {

Array dropout_mask(const Shape& shape, double p, Random& random) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument(fmt::format("dropout: probability {} is not in [0, 1)", p));
  Array mask(shape);
  const auto threshold = static_cast<std::uint64_t>(p * 0x1.0p32);
  const Real choice[] = {static_cast<Real>(1 / (1 - p)), 0};  // a table, because a branch would be unpredictable
  std::array<std::uint64_t, 256> draws;
  for (std::size_t first = 0; first < mask.size(); first += 2 * draws.size()) {  // 64 random bits decide two numbers
    const std::size_t n = std::min(mask.size() - first, 2 * draws.size());
    random.fill(std::span(draws).first((n + 1) / 2));
    for (std::size_t i = 0; i < n; ++i) mask[first + i] = choice[(draws[i / 2] >> i % 2 * 32 & 0xffffffff) < threshold];
  }
  return mask;
}

Var dropout(Var x, double p, Random& random) {
  if (p == 0) return x;
  const Var m = constant(dropout_mask(x.shape(), p, random));  // made before x is moved
  return std::move(x) * m;
}

}  // namespace softalign::autograd
