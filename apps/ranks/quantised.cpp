#include "apps/ranks/quantised.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace softalign::apps {

using autograd::Real;

namespace {

// Returns the scale s of a block, or 0 if the numbers are so small that s has no inverse. Returns NaN if a number is
// not finite.
float scale_of(std::span<const Real> x) {
  constexpr float most = 127, least = 1e-30F;
  float largest = 0;
  bool finite = true;
  for (const Real number : x) {
    const auto magnitude = std::abs(static_cast<float>(number));
    finite = finite && magnitude <= std::numeric_limits<float>::max();
    largest = std::max(largest, magnitude);
  }
  if (!finite) return std::numeric_limits<float>::quiet_NaN();
  return largest < least ? 0 : largest / most;
}

// Calls work(x_i, s q_i) for each number.
template <class Work>
void for_each_number(const std::byte* from, std::span<Real> x, const Work& work) {
  for (std::size_t begin = 0; begin < x.size(); begin += quantised_block) {
    const std::size_t size = std::min(quantised_block, x.size() - begin);
    float scale = 0;
    std::memcpy(&scale, from, sizeof scale);
    const auto* const q = reinterpret_cast<const std::int8_t*>(from + sizeof scale);
    for (std::size_t i = 0; i < size; ++i) work(x[begin + i], scale * static_cast<float>(q[i]));
    from += sizeof scale + size;
  }
}

}  // namespace

void quantise(std::span<Real> x, std::byte* to) {
  while (!x.empty()) {
    const std::span<Real> block = x.first(std::min(quantised_block, x.size()));
    const float scale = scale_of(block);
    std::memcpy(to, &scale, sizeof scale);
    auto* const q = reinterpret_cast<std::int8_t*>(to + sizeof scale);
    const float inverse = scale > 0 ? 1 / scale : 0;  // also 0 for NaN, because q does not matter then
    for (std::size_t i = 0; i < block.size(); ++i) {
      const float nearest = std::nearbyint(static_cast<float>(block[i]) * inverse);
      q[i] = scale > 0 ? static_cast<std::int8_t>(std::clamp(nearest, -127.F, 127.F)) : std::int8_t{0};
      block[i] -= scale * static_cast<float>(q[i]);
    }
    to += sizeof scale + block.size();
    x = x.subspan(block.size());
  }
}

void dequantise(const std::byte* from, std::span<Real> x) {
  for_each_number(from, x, [](Real& number, float value) { number = value; });
}

void add_dequantised(const std::byte* from, std::span<Real> x) {
  for_each_number(from, x, [](Real& number, float value) { number += value; });
}

}  // namespace softalign::apps
