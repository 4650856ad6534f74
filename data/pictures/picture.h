// A picture in memory, 8 bits for each of red, green and blue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

struct Picture {
  size_t height = 0, width = 0;
  std::vector<std::uint8_t> rgb;  // (height, width, 3)
};

}  // namespace data
