#include "data/io/quoted.h"

#include <fmt/format.h>

#include "data/io/utf8.h"

namespace softalign::data {
namespace {

// The beginning of the text, which is all that need be decoded: a code point has at most four bytes.
std::u32string beginning(std::string_view text, size_t most, bool& cut) {
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
         (point & 0xfffe) == 0xfffe;  // the last are no characters, and no XML has them
}

std::string shortened(std::string_view text, size_t most) {
  bool cut = false;
  const std::u32string points = beginning(text, most, cut);
  return cut ? encode_utf8(points) + "…" : std::string(text);
}

std::string in_quotes(std::string_view text, size_t most) {
  bool cut = false;
  std::string result = "\"";
  for (const char32_t point : beginning(text, most, cut))
    result += is_hidden_command(point) ? escaped(point) : encode_utf8(point);
  return result + (cut ? "…\"" : "\"");
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
