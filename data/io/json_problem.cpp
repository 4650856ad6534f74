#include "data/io/internal/json_problem.h"

#include <algorithm>

#include "data/io/utf8.h"

namespace data {

std::string json_problem(const std::exception& error) {
  const std::string text = error.what();
  if (!text.starts_with("[json.exception.")) return text;
  constexpr size_t most = 200;
  const std::u32string points = decode_utf8(text.substr(text.find("] ") + 2));
  return points.size() <= most ? encode_utf8(points) : encode_utf8(points.substr(0, most)) + " ...";
}

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_text = !in_text;
    else if (in_text) i += c == '\\';
    else if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    else if (c == ']' || c == '}') depth -= depth > 0;
  }
  return deepest;
}

}  // namespace data
