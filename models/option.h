// What an option is, whoever asks for it: where its value stands, and which values it may have. Command lines,
// config.json and messages walk the same (name, field, help, rule).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace models {

// Where an option's value stands, its default from the start. (std::size_t and std::uint64_t are each one of the two.)
using Field = std::variant<std::string*, bool*, double*, unsigned long*, unsigned long long*, std::vector<std::string>*,
                           std::vector<std::size_t>*>;

// Which values an option may have: {.required = true}, one_of({"lstm", "gru"}), between(0, 0.99).
struct Rule {
  std::vector<std::string> names{};  // one of these; empty: any
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
  // On a command line:
  bool required = false;  // has to be given
  bool repeated = false;  // of lists: one value each time it is given, in place of any number
  bool commas = false;    // of lists: values are separated by commas too
};

Rule one_of(std::vector<std::string> names);
Rule at_least(double lowest);
Rule between(double lowest, double highest);

// For --help: "{lstm,gru}", ">= 0", "in 0..1"; "" where every value is right.
std::string describe(const Rule& rule);

// What is wrong with a value (an element, for a list), given as text: "lstn not in {lstm,gru}", "2 is not a number in
// 0..1"; "" if nothing is. NaN is in no range.
std::string problem_of(const Rule& rule, const std::string& value);

}  // namespace models
