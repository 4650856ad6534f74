#include "data/io/utf8.h"

#include <utf8proc.h>

#include <algorithm>

namespace softalign::data {
namespace {

// Reads the code point at the front of `text`; -1 if it is not valid UTF-8. Returns the number of bytes, at least 1.
size_t next_point(std::string_view text, utf8proc_int32_t& point) {
  const auto length = static_cast<utf8proc_ssize_t>(std::min<size_t>(text.size(), 4));
  const auto used = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), length, &point);
  if (used > 0) return static_cast<size_t>(used);
  point = -1;
  return 1;
}

}  // namespace

std::optional<size_t> invalid_utf8(std::string_view text) {
  utf8proc_int32_t point = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t used = next_point(text.substr(i), point);
    if (point < 0) return i;
    i += used;
  }
  return std::nullopt;
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  utf8proc_int32_t point = 0;
  for (size_t i = 0; i < text.size();) {
    i += next_point(text.substr(i), point);
    points.push_back(point < 0 ? U'\uFFFD' : static_cast<char32_t>(point));
  }
  return points;
}

std::string encode_utf8(char32_t point) {
  utf8proc_uint8_t bytes[4];
  const auto used = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes);
  return std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(used));
}

std::string encode_utf8(std::u32string_view points) {
  std::string text;
  text.reserve(points.size());
  for (const char32_t point : points) text += encode_utf8(point);
  return text;
}

bool is_space(char32_t point) {
  if (point < 0x80) return point == ' ' || (point >= 0x09 && point <= 0x0d) || (point >= 0x1c && point <= 0x1f);
  if (point == 0x85) return true;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (const char32_t point : decode_utf8(text)) {
    width += static_cast<size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(point)));
  }
  return width;
}

}  // namespace softalign::data
