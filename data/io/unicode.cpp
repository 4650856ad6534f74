#include "data/io/unicode.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

namespace softalign::data {

namespace {

// next_point reads the code point at the beginning of `text`. It sets the point to -1 if the bytes are not valid UTF-8.
// It returns the number of bytes, at least 1.
std::size_t next_point(std::string_view text, utf8proc_int32_t& point) {
  const auto length = static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4));
  const auto used = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), length, &point);
  if (used > 0) return static_cast<std::size_t>(used);
  point = -1;
  return 1;
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  utf8proc_int32_t point = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t used = next_point(text.substr(i), point);
    if (point < 0) return i;
    i += used;
  }
  return std::nullopt;
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  utf8proc_int32_t point = 0;
  for (std::size_t i = 0; i < text.size();) {
    i += next_point(text.substr(i), point);
    points.push_back(point < 0 ? U'\uFFFD' : static_cast<char32_t>(point));
  }
  return points;
}

std::string encode_utf8(char32_t point) {
  utf8proc_uint8_t bytes[4];
  const auto used = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes);
  return std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(used));
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

bool is_letter(char32_t point) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(char32_t point) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point));
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t point : decode_utf8(text)) {
    width += static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(point)));
  }
  return width;
}

namespace {

// beginning decodes only the part of the text that may be needed: a code point has at most four bytes.
std::u32string beginning(std::string_view text, std::size_t most, bool& cut) {
  const std::string_view front = text.substr(0, 4 * (most + 1));
  std::u32string points = decode_utf8(front);
  cut = points.size() > most;
  if (cut) points.resize(most);
  return points;
}

std::string escaped(char32_t point) {
  if (point == '\t') return "\\t";
  if (point == '\r') return "\\r";
  if (point == '\n') return "\\n";
  return fmt::format("\\u{:04x}", static_cast<unsigned>(point));
}

}  // namespace

bool is_hidden_command(char32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x061c || point == 0x200e || point == 0x200f ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
         (point & 0xfffe) == 0xfffe;  // the last code points are not characters, and XML forbids them
}

std::string shortened(std::string_view text, std::size_t most) {
  bool cut = false;
  const std::u32string points = beginning(text, most, cut);
  return cut ? encode_utf8(points) + "…" : std::string(text);
}

std::string in_quotes(std::string_view text, std::size_t most) {
  bool cut = false;
  std::string shown;
  for (const char32_t point : beginning(text, most, cut))
    shown += is_hidden_command(point) ? escaped(point) : encode_utf8(point);
  if (cut) shown += "…";
  const bool has_quotes = shown.find('"') != std::string::npos;
  return has_quotes ? "“" + shown + "”" : "\"" + shown + "\"";
}

std::string without_commands(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char32_t point : decode_utf8(text)) {
    const bool kept = point == '\n' || point == '\t' || !is_hidden_command(point);
    result += kept ? encode_utf8(point) : escaped(point);
  }
  return result;
}

}  // namespace softalign::data
