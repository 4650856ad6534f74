// What can only be checked when the whole grammar has been read.
#include <fmt/format.h>

#include <stdexcept>

#include "data/grammar_parser.h"

namespace data {
namespace {

// A chain of rules whose source side is a single category that leads back to where it began never adds a word.
void check_chains(const Grammar& grammar) {
  enum class Visit { fresh, open, done };
  std::vector<Visit> visits(grammar.categories.size(), Visit::fresh);
  const auto walk = [&](const auto& self, size_t category) -> void {
    visits[category] = Visit::open;
    for (const size_t number : grammar.categories[category].rules) {
      const Rule& rule = grammar.rules[number];
      const std::vector<Item>& source = rule.sides[source_side];
      if (source.size() != 1 || source[0].kind != Item::Kind::phrase) continue;
      const size_t next = source[0].symbol;
      if (visits[next] == Visit::open) {
        throw std::runtime_error(grammar.at(rule.line) +
                                 fmt::format("this rule and those of {} derive each other without adding a word; a "
                                             "rule that only renames must not lead back",
                                             grammar.categories[next].name));
      }
      if (visits[next] == Visit::fresh) self(self, next);
    }
    visits[category] = Visit::done;
  };
  for (size_t i = 0; i < grammar.categories.size(); ++i) {
    if (visits[i] == Visit::fresh) walk(walk, i);
  }
}

}  // namespace

void check_grammar(const Grammar& grammar) {
  for (const Category& category : grammar.categories) {
    if (category.rules.empty()) {
      throw std::runtime_error(grammar.at(category.line) + fmt::format("category {} has no rule", category.name));
    }
  }
  for (const WordClass& words : grammar.classes) {
    if (words.lexemes.empty()) {
      throw std::runtime_error(grammar.at(words.line) + fmt::format("class {} has no word", words.name));
    }
  }
  check_chains(grammar);
}

}  // namespace data
