#include "apps/cli/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/io/choice.h"
#include "data/io/quoted.h"

namespace softalign::apps {

namespace {

std::vector<std::string> names_of_options(const Manual& manual) {
  std::vector<std::string> all;
  for (const Entry& entry : manual.entries)
    for (const std::string& spelling : spellings(entry, true))
      if (spelling != "-h") all.push_back(spelling.substr(2));
  return all;
}

}  // namespace

std::string problem_of_words(const Manual& manual,
                             const std::function<std::vector<std::string>(const std::string& name)>& given) {
  for (const Entry& entry : manual.entries) {
    if (!entry.is_word) continue;
    const std::vector<std::string> words = given(entry.option.name);
    const bool empty = std::find(words.begin(), words.end(), "") != words.end();
    if (empty || (entry.option.rule.required && words.empty()))
      return fmt::format("{} is {}; {}", entry.option.name, empty ? "empty" : "missing", manual.usage());
  }
  return "";
}

std::string problem_of_rest(const std::vector<std::string>& rest, const Manual& manual) {
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& word) { return word[0] == '-'; });
  if (option == rest.end()) {
    const bool takes_words =
        std::any_of(manual.entries.begin(), manual.entries.end(), [](const Entry& entry) { return entry.is_word; });
    return takes_words ? fmt::format("{} is one word too many; {}, in quotes what has spaces",
                                     data::in_quotes(rest.front()), manual.usage())
                       : fmt::format("{} belongs to no option; each value follows its option's name",
                                     data::in_quotes(rest.front()));
  }
  const std::string name = option->substr(0, option->find('='));
  const std::string meant =
      data::nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), names_of_options(manual));
  return fmt::format("no option {}{}", name, meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
}

}  // namespace softalign::apps
