#include "models/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "autograd/choice.h"

namespace models {

Rule one_of(std::vector<std::string> names) { return {.names = std::move(names)}; }
Rule at_least(double lowest) { return {.lowest = lowest}; }
Rule between(double lowest, double highest) { return {.lowest = lowest, .highest = highest}; }

namespace {

bool is_range(const Rule& rule) { return std::isfinite(rule.lowest) || std::isfinite(rule.highest); }

bool in_range(const Rule& rule, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && value >= rule.lowest && value <= rule.highest;
}

// As a sentence says it: "attention size".
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

template <class Value>
std::string problem_of_value(const Option& option, const Value& value) {
  return problem_of(option.name, option.rule, fmt::format("{}", value));
}

template <class Value>
std::string problem_of_value(const Option& option, const std::vector<Value>& values) {
  for (const Value& value : values)
    if (const std::string problem = problem_of_value(option, value); !problem.empty()) return problem;
  return "";
}

}  // namespace

Table in_group(const std::string& heading, Table table) {
  for (Option& option : table) option.group = heading;
  return table;
}

Table operator+(Table a, const Table& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::string> other_names(const std::string& option) {
  static const std::map<std::string, std::vector<std::string>> others{
      {"batch", {"batch-size"}},
      {"color", {"colour"}},
      {"initialiser", {"initializer"}},
      {"lr", {"learning-rate"}},
      {"normalisation", {"normalization"}},
      {"optimiser", {"optimizer"}},
      {"out", {"output"}},
      {"tokenized", {"tokenised"}},
      {"tokenizer", {"tokeniser"}},
  };
  const auto found = others.find(option);
  return found == others.end() ? std::vector<std::string>{} : found->second;
}

std::string describe(const Rule& rule) {
  if (!rule.names.empty()) return fmt::format("{{{}}}", fmt::join(rule.names, ","));
  if (!is_range(rule)) return "";
  return std::isfinite(rule.highest) ? fmt::format("in {}..{}", rule.lowest, rule.highest)
                                     : fmt::format(">= {}", rule.lowest);
}

std::string problem_of(const std::string& name, const Rule& rule, const std::string& value) {
  if (!rule.names.empty()) {
    const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), value) != names.end(); };
    return among(rule.names) || among(rule.also) ? ""
                                                 : autograd::unknown_name(spoken(name), value, rule.names, rule.also);
  }
  if (is_range(rule) && !in_range(rule, value))
    return fmt::format("{} is {}; a number {} expected", spoken(name), value, describe(rule));
  return "";
}

std::string text_of(const Option& option) {
  return std::visit([](const auto* value) { return fmt::format("{}", *value); }, option.field);
}

std::string problem_of(const Table& table) {
  for (const Option& option : table) {
    const std::string problem =
        std::visit([&](const auto* value) { return problem_of_value(option, *value); }, option.field);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace models
