#include "apps/cli/lists.h"
#include "data/io/unicode.h"

#include <fmt/format.h>

namespace softalign::apps {

namespace {

bool has_empty_item(const std::string& list) {
  return list.empty() || list.front() == ',' || list.back() == ',' || list.find(",,") != std::string::npos;
}

}  // namespace

std::string problem_of_lists(const std::vector<Entry>& entries, const std::vector<std::string>& words) {
  for (const Entry& entry : entries) {
    if (!entry.option.rule.commas) continue;
    for (const std::string& name : spellings(entry, true)) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        const bool joined = words[i].starts_with(name + "=");
        if (!joined && (words[i] != name || i + 1 == words.size())) continue;
        const std::string list = joined ? words[i].substr(name.size() + 1) : words[i + 1];
        if (has_empty_item(list))
          return fmt::format("{}: {} has an empty item; separate the items by one comma, as in 1,2", name,
                             data::in_quotes(list));
      }
    }
  }
  return "";
}

}  // namespace softalign::apps
