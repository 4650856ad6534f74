#include "models/families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "data/io/choice.h"

namespace softalign::models {
namespace {

// Returns all families. Add a new family here.
std::vector<Family> families() {
  return {rnnsearch(),
          luong(),
          sutskever(),
          cho(),
          cheng(),
          transformer(),
          show_attend_tell(),
          sukhbaatar(),
          hermann(),
          parikh(),
          transformer_language_model(),
          recurrent_language_model(),
          lstmn_language_model()};
}

}  // namespace

const std::vector<Family>& known_families() {
  static const std::vector<Family> list = families();
  return list;
}

const Family* find_family(const ModelOptions& o) {
  const auto chosen = [&](const Family& f) {
    return (!f.author.empty() && f.author == o.model) || (f.name == o.model && (f.chosen == nullptr || f.chosen(o)));
  };
  const auto found = std::find_if(known_families().begin(), known_families().end(), chosen);
  return found == known_families().end() ? nullptr : &*found;
}

namespace {

// of_each_name returns say(family) for each name of --model, in order. If several families have the same name, it uses
// the first family. With `translating`, it skips families that do not translate.
template <class Say>
std::vector<std::string> of_each_name(const Say& say, bool translating = false) {
  std::vector<std::string> names, said;
  for (const Family& family : known_families()) {
    if (translating && family.task != Task::translation) continue;
    if (std::find(names.begin(), names.end(), family.name) != names.end()) continue;
    names.push_back(family.name);
    said.push_back(say(family));
  }
  return said;
}

// Returns a value of Family::defaults as help shows it.
std::string shown(const std::string& value) { return value == "true" ? "yes" : value; }

}  // namespace

const std::vector<std::string>& known_models() {
  static const std::vector<std::string> names = of_each_name([](const Family& f) { return f.name; });
  return names;
}

std::vector<std::string> known_authors() {
  std::vector<std::string> names;
  for (const Family& family : known_families())
    if (!family.author.empty()) names.push_back(family.author);
  return names;
}

std::string describe_models() {
  const auto say = [](const Family& f) { return fmt::format("`{}`: {}", f.name, f.title); };
  return fmt::format("model, or the author of its paper, for example vaswani. {}", fmt::join(of_each_name(say), "; "));
}

std::string describe_attentions() {
  const auto say = [](const Family& f) { return fmt::format("{} for {}", name_of(f.attention), f.name); };
  return fmt::format("{}", fmt::join(of_each_name(say, true), ", "));
}

std::string describe_own_defaults(const std::string& option) {
  std::string said;
  for (const Family& family : known_families()) {
    if (family.task != Task::translation) continue;
    for (const auto& [name, value] : family.defaults)
      if (name == option) said += fmt::format("; {}: {}", family.name, shown(value));
    for (const auto& [name, value] : family.defaults_of_attention)
      if (name == option) said += fmt::format("; {} with {}: {}", family.name, name_of(family.attention), shown(value));
  }
  return said;
}

std::string default_of_only_user(const std::string& option) {
  const Family* only = nullptr;
  for (const Family& family : known_families()) {
    if (std::find(family.uses.begin(), family.uses.end(), option) == family.uses.end()) continue;
    if (only) return "";
    only = &family;
  }
  if (only)
    for (const auto& [name, value] : only->defaults)
      if (name == option) return shown(value);
  return "";
}

const Family& family_of(const ModelOptions& o) {
  if (const Family* family = find_family(o)) return *family;
  throw std::invalid_argument(data::unknown_name("model", o.model, known_models()));
}

}  // namespace softalign::models
