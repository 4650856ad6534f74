#include "data/io/fields.h"

#include <fmt/format.h>

#include "data/io/unicode.h"

namespace softalign::data {

void fail(const std::string& where, const std::string& message, ErrorKind kind) {
  throw Error(kind, where + ": " + message);
}

std::vector<std::string> split_fields(const std::string& text, const std::string& separator) {
  std::vector<std::string> fields;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size()) {
    fields.push_back(text.substr(begin, end - begin));
  }
  fields.push_back(text.substr(begin));
  return fields;
}

std::size_t read_number(std::string_view text, const char* name, const std::string& where) {
  const auto value = number<std::size_t>(text);
  if (!value)
    fail(where, fmt::format("the {} is {}, but it must be a whole number of at least 0", name, in_quotes(text)));
  return *value;
}

}  // namespace softalign::data
