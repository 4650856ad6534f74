// Numbers in text by one rule, on the command line, in config.json and in files: decimal, the whole text, finite, in
// the range of their type. Whole numbers are digits alone: "08" is 8, "-1", "0x10", "1e3", " 7" and "" are none.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>

namespace softalign::data {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::floating_point<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace softalign::data
