// A Picture is a picture in memory. Each pixel has 8 bits for red, 8 for green and 8 for blue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace softalign::data {

// A picture may have at most most_pixels pixels, because a damaged file may name an enormous size. The readers refuse a
// larger picture before they allocate memory. Photographs have 12 to 60 million pixels; 64 million pixels take 192 MB.
inline constexpr std::size_t most_pixels_of_a_side = 16'384, most_pixels = 64'000'000;

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

struct Picture {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> rgb;  // (height, width, 3)
};

}  // namespace softalign::data
