// A picture in memory, 8 bits for each of red, green and blue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace softalign::data {

// The largest picture in a file. A photograph has 12 to 60 million pixels, and 64 million pixels take 192 MB. A larger
// size in a damaged file is refused before memory is allocated.
inline constexpr std::size_t most_pixels_of_a_side = 16'384, most_pixels = 64'000'000;

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

struct Picture {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> rgb;  // (height, width, 3)
};

}  // namespace softalign::data
