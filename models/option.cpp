#include "models/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

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

}  // namespace

std::string describe(const Rule& rule) {
  if (!rule.names.empty()) return fmt::format("{{{}}}", fmt::join(rule.names, ","));
  if (!is_range(rule)) return "";
  return std::isfinite(rule.highest) ? fmt::format("in {}..{}", rule.lowest, rule.highest)
                                     : fmt::format(">= {}", rule.lowest);
}

std::string problem_of(const Rule& rule, const std::string& value) {
  if (!rule.names.empty()) {
    const bool known = std::find(rule.names.begin(), rule.names.end(), value) != rule.names.end();
    return known ? "" : fmt::format("{} not in {}", value, describe(rule));
  }
  if (is_range(rule) && !in_range(rule, value)) return fmt::format("{} is not a number {}", value, describe(rule));
  return "";
}

}  // namespace models
