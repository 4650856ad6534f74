// A half is a 16-bit floating-point number (IEEE 754 binary16): 1 bit of sign, 5 bits of exponent, 10 bits of fraction.
// It keeps three decimal digits, which is enough for the parameters of a trained model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace softalign::data {

// Rounds to the nearest half. If two are equally near, it takes the one with an even fraction. Numbers of 65520 or
// more become infinite.
inline std::uint16_t to_half(float x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x)) return sign | 0x7e00;
  const double size = std::fabs(static_cast<double>(x));
  if (size >= 65520) return sign | 0x7c00;
  // The magnitude of the half is units * 2^(exponent - 10), where rounding makes `units` an integer. A half below 2^-14
  // is subnormal: it has the smallest exponent, and `units` is below 1024.
  const int exponent = size > 0 ? std::max(-14, std::ilogb(size)) : -14;
  const double units = std::nearbyint(std::ldexp(size, 10 - exponent));
  return static_cast<std::uint16_t>(sign + (exponent + 14) * 1024 + static_cast<int>(units));
}

inline float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                     : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                     : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace softalign::data
