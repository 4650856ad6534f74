#include "models/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "data/io/error.h"
#include "data/io/json.h"
#include "models/old_names.h"

namespace softalign::models {
namespace {

using Json = nlohmann::json;

// Each function take stores the value if its type fits the field, and returns whether it fits.

bool take(const Json& json, std::string& value) {
  if (json.is_string()) value = json.get<std::string>();
  return json.is_string();
}

bool take(const Json& json, bool& value) {
  if (json.is_boolean()) value = json.get<bool>();
  return json.is_boolean();
}

bool take(const Json& json, double& value) {
  if (json.is_number()) value = json.get<double>();
  return json.is_number();
}

template <class Integer>
bool take(const Json& json, Integer& value) {
  if (json.is_number_unsigned()) value = json.get<Integer>();
  return json.is_number_unsigned();
}

template <class Value>
bool take(const Json& json, std::vector<Value>& values) {
  values.clear();
  return json.is_array() && std::all_of(json.begin(), json.end(),
                                        [&](const Json& element) { return take(element, values.emplace_back()); });
}

bool take_field(const Json& json, const EnumField& field) {
  return json.is_string() && field.set(json.get<std::string>());
}
template <class Value>
bool take_field(const Json& json, Value* value) {
  return take(json, *value);
}

nlohmann::ordered_json json_of(const EnumField& field) { return field.name(); }
template <class Value>
nlohmann::ordered_json json_of(const Value* value) {
  return *value;
}

std::string expected(const Field& field) {
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(field) ||
                       std::holds_alternative<std::vector<std::size_t>*>(field);
  return fmt::format("{}{}", is_list ? "a list, each of it " : "", kind_of(field));
}

// shown shortens a value for a message, because a value may have any length and depth.
std::string shown(const Json& json) {
  if (json.is_structured()) return json.is_array() ? "[...]" : "{...}";
  const std::string text = json.dump(-1, ' ', true);
  return text.size() <= 100 ? text : text.substr(0, 100) + "...";
}

// problem_of_entry returns the problem with the value. It returns "" if there is none, and then the field has the
// value.
std::string problem_of_entry(const Option& option, const Json& json) {
  if (std::holds_alternative<EnumField>(option.field) && json.is_string()) {
    const std::string problem = problem_of(option, json.get<std::string>());
    if (!problem.empty()) return problem;
  }
  const bool taken = std::visit([&](const auto& field) { return take_field(json, field); }, option.field);
  return taken ? problem_of(Table{option}) : fmt::format("{}; {} is expected", shown(json), expected(option.field));
}

// without_old_names replaces the old names of options and values. If an option is given under its old and its new name,
// the value of the new name counts.
nlohmann::ordered_json without_old_names(const nlohmann::ordered_json& values) {
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    const Setting now = with_current_names(Setting{name, text});
    if (now.option != name && values.contains(now.option)) continue;
    if (now.value == text) result[now.option] = value;
    else if (now.value == "true" || now.value == "false") result[now.option] = now.value == "true";
    else result[now.option] = now.value;
  }
  return result;
}

nlohmann::ordered_json parsed(const std::string& text, const std::string& where) {
  nlohmann::ordered_json values;
  try {
    values = data::parse_json(text, {.depth = 8});  // the list of an option's values is at depth 2
  } catch (const std::runtime_error& problem) {
    throw data::Error(data::kind_of(problem),
                      fmt::format("{}: {}; expected a run's config.json", where, problem.what()));
  }
  if (!values.is_object())
    throw data::Error(data::ErrorKind::damaged_file, where + ": expected a JSON object {\"option\": value, ...}");
  return without_old_names(values);
}

}  // namespace

std::string write_config(const Table& table) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const Option& option : table) {
    if (!option.asked) continue;
    values[option.name] = std::visit([](const auto& field) { return json_of(field); }, option.field);
  }
  return values.dump(2) + "\n";
}

namespace {

std::vector<std::string> all_names(const Option& option) {
  std::vector<std::string> names = other_names(option.name);
  names.insert(names.begin(), option.name);
  return names;
}

}  // namespace

void read_config(const Table& table, const std::string& text, const std::string& where) {
  const Json values = parsed(text, where);
  for (const Option& option : table) {
    if (!option.asked) continue;
    for (const std::string& name : all_names(option)) {
      const auto found = values.find(name);
      if (found == values.end()) continue;
      const std::string problem = problem_of_entry(option, *found);
      if (!problem.empty())
        throw data::Error(data::ErrorKind::bad_data, fmt::format("{}: \"{}\": {}", where, name, problem));
    }
  }
}

Table not_named(const Table& table, const std::string& text, const std::string& where) {
  const Json values = parsed(text, where);
  Table left;
  for (const Option& option : table) {
    const std::vector<std::string> names = all_names(option);
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return values.contains(name); }))
      left.push_back(option);
  }
  return left;
}

std::vector<std::string> names_in_config(const std::string& text, const std::string& where) {
  const auto values = parsed(text, where);
  std::vector<std::string> names;
  for (const auto& [name, value] : values.items()) names.push_back(name);
  return names;
}

}  // namespace softalign::models
