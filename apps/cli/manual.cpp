#include "apps/cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace softalign::apps {

std::vector<Group> groups(const Manual& manual) {
  std::vector<Group> found;
  for (const Entry& entry : manual.entries) {
    const std::string& heading = entry.option.group;
    const auto same = [&](const Group& group) { return group.first == heading; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({heading, {}});
    std::find_if(found.begin(), found.end(), same)->second.push_back(entry);
  }
  std::stable_partition(found.begin(), found.end(), [](const Group& group) { return group.first != general; });
  return found;
}

bool is_list(const Entry& entry) {
  return std::holds_alternative<std::vector<std::string>*>(entry.option.field) ||
         std::holds_alternative<std::vector<std::size_t>*>(entry.option.field);
}

bool is_flag(const Entry& entry) { return std::holds_alternative<bool*>(entry.option.field); }

std::string value_name(const Entry& entry) {
  const models::Field& field = entry.option.field;
  if (is_flag(entry)) return "";
  if (std::holds_alternative<std::vector<std::size_t>*>(field)) return "N,N,..";
  if (entry.option.rule.commas) return "LIST";
  if (!entry.option.rule.names.empty()) return "NAME";
  if (std::holds_alternative<double*>(field)) return "X";
  const bool is_text =
      std::holds_alternative<std::string*>(field) || std::holds_alternative<std::vector<std::string>*>(field);
  return is_text ? "TEXT" : "N";
}

std::string about(const Entry& entry, bool range) {
  const models::Rule& rule = entry.option.rule;
  std::string text = entry.option.help;
  const auto unsaid = [&](const std::string& name) { return text.find(name) == std::string::npos; };
  if (std::any_of(rule.names.begin(), rule.names.end(), unsaid))
    text += fmt::format(": {}", fmt::join(rule.names, ", "));
  if (range && rule.names.empty() && std::isfinite(rule.lowest)) {
    text += !rule.also.empty() ? fmt::format(" (or {})", rule.also.front())
                               : fmt::format(" ({} to {})", rule.lowest, rule.highest);
  }
  if (rule.repeated) text += "; may be given several times";
  if (rule.required) return text + " (required)";
  return entry.preset.empty() ? text : fmt::format("{} [{}]", text, entry.preset);
}

std::vector<std::string> spellings(const Entry& entry, bool others) {
  if (entry.is_word) return {};
  const std::string& name = entry.option.name;
  std::vector<std::string> all{"--" + name};
  if (name == "help") all.insert(all.begin(), "-h");
  if (entry.is_pair) all.push_back("--no-" + name);
  if (others)
    for (const std::string& other : models::other_names(name)) all.push_back("--" + other);
  return all;
}

std::string usage_of(const Entry& word) {
  const std::string name = word.option.name + (is_list(word) ? "..." : "");
  return word.option.rule.required ? name : fmt::format("[{}]", name);
}

Example example_of(const Manual& manual, const std::string& text) {
  const std::size_t gap = std::min(text.find("  "), text.size());
  const std::size_t after = std::min(text.find_first_not_of(' ', gap), text.size());
  Example example{text.substr(0, gap), text.substr(after)};
  const std::string piped = "| " + manual.program + " ";
  const std::string command = example.command + " ";
  if (command.rfind(manual.program + " ", 0) == 0) {
    example.command.replace(0, manual.program.size(), manual.called);
  } else if (const std::size_t at = command.find(piped); at != std::string::npos) {
    example.command.replace(at + 2, manual.program.size(), manual.called);
  }
  return example;
}

}  // namespace softalign::apps
