#include "data/pictures/internal/orientation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace softalign::data {

namespace {

// A number of `size` bytes at `at`, with the last byte first if `little`; 0 where the bytes end before it.
std::uint32_t number_at(std::string_view bytes, size_t at, size_t size, bool little) {
  if (at > bytes.size() || bytes.size() - at < size) return 0;
  std::uint32_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + (little ? size - 1 - i : i)]);
  return value;
}

}  // namespace

int orientation_of(std::string_view exif) {
  const bool little = exif.starts_with("II");
  if (!little && !exif.starts_with("MM")) return 1;
  const auto number = [&](size_t at, size_t size) { return number_at(exif, at, size, little); };
  constexpr size_t entry = 12;
  constexpr std::uint32_t tag = 274, type_short = 3;
  const size_t directory = number(4, 4);
  for (size_t i = 0, n = number(directory, 2); i < n; ++i) {
    const size_t at = directory + 2 + i * entry;
    if (number(at, 2) != tag) continue;
    const std::uint32_t value = number(at + 2, 2) == type_short ? number(at + 8, 2) : 0;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  // Sides change places first, then columns or rows are mirrored.
  const bool sides = orientation >= 5;
  const bool columns = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool rows = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  Picture turned{sides ? picture.width : picture.height, sides ? picture.height : picture.width,
                 std::vector<std::uint8_t>(picture.rgb.size())};
  for (size_t y = 0; y < turned.height; ++y)
    for (size_t x = 0; x < turned.width; ++x) {
      const size_t v = rows ? turned.height - 1 - y : y, u = columns ? turned.width - 1 - x : x;
      const size_t from = sides ? u * picture.width + v : v * picture.width + u;
      std::copy_n(&picture.rgb[3 * from], 3, &turned.rgb[3 * (y * turned.width + x)]);
    }
  return turned;
}

}  // namespace softalign::data
