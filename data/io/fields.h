// These functions read fields and numbers in text. Every error message names file and line.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/io/error.h"
#include "data/io/number.h"

namespace softalign::data {

// Reads a number. The same rule holds on the command line, in config.json and in files: the number is decimal, finite
// and in the range of its type, and the text contains nothing else. An integer has only digits: "08" is 8, but "-1",
// "0x10", "1e3", " 7" and "" are not integers.
template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::floating_point<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

// Throws Error (data/io/error.h) with the message "WHERE: MESSAGE". `where` is "FILE:LINE".
[[noreturn]] void fail(const std::string& where, const std::string& message, ErrorKind kind = ErrorKind::bad_data);

// Returns the fields of a text that `separator` separates. An empty text has one empty field.
std::vector<std::string> split_fields(const std::string& text, const std::string& separator);

// Reads an integer of at least 0.
std::size_t read_number(std::string_view text, const char* name, const std::string& where);

}  // namespace softalign::data
