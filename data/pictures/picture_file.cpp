#include "data/pictures/picture_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "data/io/files.h"
#include "data/io/internal/fields.h"
#include "data/pictures/netpbm.h"
#include "data/pictures/png.h"

namespace softalign::data {

namespace {

using namespace std::string_view_literals;

// What other pictures begin with.
struct Kind {
  const char* name;
  std::string_view begin;
};
constexpr Kind others[] = {{"JPEG", "\xff\xd8\xff"sv},
                           {"GIF", "GIF8"sv},
                           {"BMP", "BM"sv},
                           {"WebP", "RIFF"sv},
                           {"TIFF", "II*\0"sv},
                           {"TIFF", "MM\0*"sv},
                           {"JPEG XL", "\xff\x0a"sv},
                           {"SVG", "<svg"sv},
                           {"SVG", "<?xml"sv},
                           {"JPEG 2000", "\0\0\0\x0cjP"sv},
                           {"PDF", "%PDF"sv}};

// A name for the PNG of a picture that is neither the picture's own nor another file's.
std::string free_png(const std::string& path) {
  std::filesystem::path png(path);
  png.replace_extension(".png");
  const std::string stem = png.stem().string();
  for (int k = 1; exists(png.string()); ++k)
    png.replace_filename(fmt::format("{}-converted{}.png", stem, k == 1 ? "" : fmt::format("-{}", k)));
  return png.string();
}

}  // namespace

Picture read_picture(const std::string& path) {
  std::error_code none;  // a pipe, or not there
  constexpr std::uintmax_t most_bytes = 10 * most_pixels;
  if (const auto size = std::filesystem::file_size(path, none); !none && size > most_bytes)
    fail(path, fmt::format("{} bytes are more than a picture of at most {} pixels has", size, most_pixels));
  const std::string bytes = read_bytes(path);
  constexpr const char* expected = "a PNG, PPM or PGM file is expected";
  if (bytes.empty()) fail(path, fmt::format("the file is empty; {}", expected));
  if (is_png(bytes)) return parse_png(bytes, path);
  if (bytes[0] == 'P' && bytes.size() > 1 && bytes[1] >= '1' && bytes[1] <= '7') return parse_netpbm(bytes, path);
  for (const auto& [name, begin] : others)
    if (bytes.starts_with(begin))
      fail(path, fmt::format("this looks like {}; {}: convert it, for example with ImageMagick's "
                             "convert {} -auto-orient {}",
                             name, expected, path, free_png(path)));
  fail(path, fmt::format("this is no picture; {}", expected));
}

}  // namespace softalign::data
