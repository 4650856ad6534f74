// This file gives names to the values of an enum. Options, files and messages use these names. Each enum has one table
// of names next to it:
//
//   enum class Norm { post, pre };
//   constexpr auto names_of(Norm) { return names<Norm>({{"pre", Norm::pre}, {"post", Norm::post}}); }
//
//   name_of(Norm::pre)            "pre"
//   value_named<Norm>("post")     Norm::post; std::nullopt for an unknown name
//   all_names<Norm>()             pre, post
//
// A value may have several names. The first name in the table is used when the value is written.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace softalign::autograd {

template <class Enum, std::size_t N>
constexpr std::array<std::pair<const char*, Enum>, N> names(const std::pair<const char*, Enum> (&table)[N]) {
  return std::to_array(table);
}

template <class Enum>
const char* name_of(Enum value) {
  for (const auto& [name, named] : names_of(value))
    if (named == value) return name;
  return "";
}

template <class Enum>
std::optional<Enum> value_named(const std::string& name) {
  for (const auto& [known, value] : names_of(Enum{}))
    if (known == name) return value;
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const auto& [name, value] : names_of(Enum{})) all.emplace_back(name);
  return all;
}

}  // namespace softalign::autograd
