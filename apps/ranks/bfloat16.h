// bfloat16: the upper half of a float, 8 bits of exponent and 7 of mantissa. Gradients keep their range in it, and two
// to three decimal digits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

using Bfloat16 = std::uint16_t;

// The nearest, of two equally near ones the even; what is not a number stays none.
inline Bfloat16 to_bfloat16(autograd::Real x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (std::isnan(x)) return static_cast<Bfloat16>(bits >> 16 | 0x40);
  return static_cast<Bfloat16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline autograd::Real from_bfloat16(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }

}  // namespace softalign::apps
