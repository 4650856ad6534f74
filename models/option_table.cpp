#include "models/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "data/io/choice.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::models {

Rule one_of(std::vector<std::string> names) { return {.names = std::move(names)}; }
Rule between(double lowest, double highest) { return {.lowest = lowest, .highest = highest}; }

namespace {

// spoken returns the name as a sentence contains it, for example "attention size".
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::string problem_of_field(const Option& option, const EnumField& field) { return problem_of(option, field.name()); }

template <class Value>
std::string problem_of_value(const Option& option, const Value& value) {
  return problem_of(option, fmt::format("{}", value));
}

template <class Value>
std::string problem_of_value(const Option& option, const std::vector<Value>& values) {
  for (const Value& value : values)
    if (const std::string problem = problem_of_value(option, value); !problem.empty()) return problem;
  return "";
}

template <class Value>
std::string problem_of_field(const Option& option, const Value* value) {
  return problem_of_value(option, *value);
}

std::string text_of_field(const EnumField& field) { return field.name(); }
template <class Value>
std::string text_of_field(const Value* value) {
  return fmt::format("{}", *value);
}

}  // namespace

Option::Option(std::string its_name, Field its_field, std::string its_help, Rule its_rule, bool is_asked,
               std::string its_group)
    : name(std::move(its_name)),
      field(its_field),
      help(std::move(its_help)),
      rule(std::move(its_rule)),
      asked(is_asked),
      group(std::move(its_group)) {
  if (const EnumField* chosen = std::get_if<EnumField>(&field); chosen && rule.names.empty())
    rule.names = chosen->names();
}

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
      {"format", {"to"}},
      {"initialiser", {"initializer"}},
      {"lr", {"learning-rate"}},
      {"model", {"decoder"}},
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
  return std::isfinite(rule.highest) ? fmt::format("in {}..{}", rule.lowest, rule.highest) : "";
}

const char* kind_of(const Field& field) {
  if (std::holds_alternative<bool*>(field)) return "true or false";
  if (std::holds_alternative<double*>(field)) return "a number";
  const bool is_text = std::holds_alternative<std::string*>(field) || std::holds_alternative<EnumField>(field) ||
                       std::holds_alternative<std::vector<std::string>*>(field);
  return is_text ? "text" : "a whole number";
}

std::string problem_of(const Option& option, const std::string& value, const std::string& what) {
  const Rule& rule = option.rule;
  const std::string kind = kind_of(option.field);
  if (kind == "text") {
    const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), value) != names.end(); };
    return rule.names.empty() || among(rule.names) || among(rule.also)
               ? ""
               : data::unknown_name(what.empty() ? spoken(option.name) : what, value, rule.names, rule.also);
  }
  if (kind == "true or false") return "";
  const auto number = data::number<double>(value);
  const bool right = number && *number >= rule.lowest && *number <= rule.highest &&
                     (kind == "a number" || data::number<unsigned long>(value));
  if (right) return "";
  const std::string range = describe(rule);
  return fmt::format("{} is {}; {}{}{} is expected", spoken(option.name),
                     value.empty() ? "empty" : data::shortened(value, 100), kind, range.empty() ? "" : " ", range);
}

std::string text_of(const Option& option) {
  return std::visit([](const auto& field) { return text_of_field(field); }, option.field);
}

std::string problem_of(const Table& table) {
  for (const Option& option : table) {
    const std::string problem =
        std::visit([&](const auto& field) { return problem_of_field(option, field); }, option.field);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace softalign::models
