#include "data/pictures/internal/decoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "data/io/fields.h"
#include "data/io/files.h"

namespace softalign::data {

namespace {

// number_at returns the number of `size` bytes at `at`. If `little` is true, the least significant byte comes first.
// The result is 0 if there are too few bytes.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size, bool little) {
  if (at > bytes.size() || bytes.size() - at < size) return 0;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + (little ? size - 1 - i : i)]);
  return value;
}

// free_png returns a name for the PNG of a picture. No file has this name yet.
std::string free_png(const std::string& path) {
  std::filesystem::path png(path);
  png.replace_extension(".png");
  const std::string stem = png.stem().string();
  for (int k = 1; exists(png.string()); ++k)
    png.replace_filename(fmt::format("{}-converted{}.png", stem, k == 1 ? "" : fmt::format("-{}", k)));
  return png.string();
}

}  // namespace

void check_picture_size(std::uint64_t height, std::uint64_t width, const std::string& where) {
  if (height == 0 || width == 0) fail(where, fmt::format("a picture of {} x {} pixels has no pixels", width, height));
  if (height > most_pixels_of_a_side || width > most_pixels_of_a_side || height * width > most_pixels)
    fail(where, fmt::format("the picture has {} x {} pixels, but at most {} per side and {} together are allowed. Make "
                            "the picture smaller",
                            width, height, most_pixels_of_a_side, most_pixels));
}

int orientation_of(std::string_view exif) {
  const bool little = exif.starts_with("II");
  if (!little && !exif.starts_with("MM")) return 1;
  const auto number = [&](std::size_t at, std::size_t size) { return number_at(exif, at, size, little); };
  constexpr std::size_t entry = 12;
  constexpr std::uint32_t tag = 274, type_short = 3;
  const std::size_t directory = number(4, 4);
  for (std::size_t i = 0, n = number(directory, 2); i < n; ++i) {
    const std::size_t at = directory + 2 + i * entry;
    if (number(at, 2) != tag) continue;
    const std::uint32_t value = number(at + 2, 2) == type_short ? number(at + 8, 2) : 0;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture picture, int orientation) {
  if (orientation <= 1) return picture;
  // Height and width are swapped first. Then columns or rows are mirrored.
  const bool sides = orientation >= 5;
  const bool columns = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool rows = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  Picture turned{sides ? picture.width : picture.height, sides ? picture.height : picture.width,
                 std::vector<std::uint8_t>(picture.rgb.size())};
  for (std::size_t y = 0; y < turned.height; ++y)
    for (std::size_t x = 0; x < turned.width; ++x) {
      const std::size_t v = rows ? turned.height - 1 - y : y, u = columns ? turned.width - 1 - x : x;
      const std::size_t from = sides ? u * picture.width + v : v * picture.width + u;
      std::copy_n(&picture.rgb[3 * from], 3, &turned.rgb[3 * (y * turned.width + x)]);
    }
  return turned;
}

std::string advice_to_convert(const std::string& path) {
  return fmt::format("Convert it, for example with ImageMagick: convert {} -auto-orient {}", path, free_png(path));
}

}  // namespace softalign::data
