#include "data/io/internal/json_problem.h"

#include "data/io/utf8.h"

namespace data {

std::string json_problem(const std::exception& error) {
  const std::string text = error.what();
  const size_t number = text.find("] ");
  if (!text.starts_with("[json.exception.") || number == std::string::npos) return text;
  constexpr size_t most = 200;
  const std::u32string points = decode_utf8(text.substr(number + 2));
  return points.size() <= most ? encode_utf8(points) : encode_utf8(points.substr(0, most)) + " ...";
}

}  // namespace data
