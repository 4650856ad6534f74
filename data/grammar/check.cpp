#include "data/grammar/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

[[noreturn]] void fail(const Grammar& grammar, std::size_t line, const std::string& message) {
  throw Error(ErrorKind::bad_data, grammar.at(line) + message);
}

// Recursive functions generate sentences of at most 200 words. Each word may need a chain of renaming rules, so this
// limit also limits the depth of the recursion.
constexpr std::size_t longest_chain = 50;

// In a chain, the source side of each rule is a single category. A chain that leads back to its first category never
// adds a word.
void check_chains(const Grammar& grammar) {
  enum class Visit { fresh, open, done };
  std::vector<Visit> visits(grammar.categories.size(), Visit::fresh);
  std::vector<std::size_t> lengths(grammar.categories.size(), 0);  // of the longest chain from each category
  const auto walk = [&](const auto& self, std::size_t category, std::size_t depth) -> void {
    visits[category] = Visit::open;
    for (const std::size_t number : grammar.categories[category].rules) {
      const Rule& rule = grammar.rules[number];
      const std::vector<Item>& source = rule.sides[source_side];
      if (source.size() != 1 || source[0].kind != Item::Kind::phrase) continue;
      const std::size_t next = source[0].symbol;
      if (visits[next] == Visit::open) {
        throw Error(
            ErrorKind::bad_data,
            grammar.at(rule.line) + fmt::format("this rule and the rules of {} derive each other without adding a "
                                                "word, so a derivation might never end. Remove one of these rules",
                                                grammar.categories[next].name));
      }
      if (visits[next] == Visit::fresh && depth < longest_chain) self(self, next, depth + 1);
      lengths[category] = std::max(lengths[category], lengths[next] + 1);
      if (depth == longest_chain || lengths[category] > longest_chain)
        fail(grammar, rule.line,
             fmt::format("more than {0} rules in a row, beginning at {1}, only replace one symbol by another. Remove "
                         "some of these rules",
                         longest_chain, grammar.categories[category].name));
    }
    visits[category] = Visit::done;
  };
  for (std::size_t i = 0; i < grammar.categories.size(); ++i) {
    if (visits[i] == Visit::fresh) walk(walk, i, 0);
  }
}

void check_form(const Grammar& grammar, const Rule& rule, const Item& item, const std::vector<std::size_t>& start,
                Side on) {
  // The loop gives all values to one variable of the form after the other.
  std::vector<std::vector<std::size_t>> assignments{start};
  for (const FormName::Part& part : item.form.parts) {
    if (part.variable == Argument::none) continue;
    const Variable& of = rule.variables[part.variable];
    std::vector<std::vector<std::size_t>> longer;
    for (std::vector<std::size_t> assignment : assignments) {
      for (std::size_t value = 0; value < grammar.features[of.feature].values.size(); ++value) {
        if (!(of.allowed >> value & 1)) continue;
        assignment[part.variable] = value;
        longer.push_back(assignment);
      }
    }
    assignments = std::move(longer);
  }
  for (const std::vector<std::size_t>& assignment : assignments) {
    const std::string name = form_name(grammar, rule, item.form, assignment);
    if (item.kind == Item::Kind::table) {
      const Table& table = grammar.tables[item.symbol];
      if (!table.forms.count(name))
        fail(grammar, rule.line, fmt::format("table {} has no form {}", table.name, in_quotes(name)));
    } else {
      const WordClass& words = grammar.classes[item.symbol];
      const bool only_one = item.form.parts.empty() && words.form_count[on] == 1;
      if (!only_one && !words.form_names[on].count(name)) {
        fail(grammar, rule.line,
             fmt::format("class {} has no {} form {}", words.name, grammar.languages[on], in_quotes(name)));
      }
    }
  }
}

}  // namespace

void check_links(const Grammar& grammar, const Rule& rule) {
  std::map<std::size_t, std::array<std::vector<const Item*>, 2>> by_number;
  for (const Side on : {source_side, target_side}) {
    for (const Item& item : rule.sides[on]) {
      for (const Mark& mark : item.marks) by_number[mark.number][on].push_back(&item);
    }
  }
  for (const auto& [number, sides] : by_number) {
    for (const Side on : {source_side, target_side}) {
      if (sides[on].empty()) {
        fail(grammar, rule.line,
             fmt::format(
                 "the number ~{} is missing on the {} side of the rule. It links two words, so write it on both sides",
                 number, grammar.languages[on]));
      }
    }
    const Item* named = nullptr;
    std::array<std::size_t, 2> mentions{};
    for (const Side on : {source_side, target_side}) {
      for (const Item* item : sides[on]) {
        const bool plain = item->kind == Item::Kind::word || item->kind == Item::Kind::table;
        if (plain) continue;
        ++mentions[on];
        if (named && !item->arguments.empty()) {
          fail(grammar, rule.line,
               fmt::format("symbols marked ~{0} have features in two places. Write features only at the first symbol "
                           "marked ~{0}",
                           number));
        }
        if (!named) named = item;
        if (named->kind != item->kind || named->symbol != item->symbol) {
          fail(grammar, rule.line,
               fmt::format("the number ~{} marks two different classes or categories. Use different numbers", number));
        }
      }
    }
    if (!named) continue;
    const bool phrase = named->kind == Item::Kind::phrase;
    const bool once = sides[0].size() == 1 && sides[1].size() == 1 && mentions[0] == 1 && mentions[1] == 1;
    if (phrase && !once) {
      fail(grammar, rule.line,
           fmt::format("the number ~{} marks a phrase, so it must occur exactly once on each side", number));
    }
    if (mentions[source_side] == 0) {
      fail(grammar, rule.line,
           fmt::format("the number ~{} marks a class that occurs only on the {} side. Use the number on both sides",
                       number, grammar.languages[1]));
    }
    const std::size_t features =
        phrase ? grammar.categories[named->symbol].features.size() : grammar.classes[named->symbol].features.size();
    if (named->arguments.size() != features) {
      fail(grammar, rule.line, fmt::format("number {} needs {} features in brackets", number, features));
    }
  }
}

void check_forms(const Grammar& grammar, const Rule& rule) {
  for (const Side on : {source_side, target_side}) {
    for (const Item& item : rule.sides[on]) {
      if (item.kind == Item::Kind::word || item.kind == Item::Kind::phrase) continue;
      std::vector<std::size_t> assignment(rule.variables.size(), 0);
      check_form(grammar, rule, item, assignment, on);
    }
  }
}

void check_grammar(const Grammar& grammar) {
  for (const Category& category : grammar.categories) {
    if (category.rules.empty()) {
      throw Error(ErrorKind::bad_data,
                  grammar.at(category.line) + fmt::format("category {} has no rule", category.name));
    }
  }
  for (const WordClass& words : grammar.classes) {
    if (words.lexemes.empty()) {
      throw Error(ErrorKind::bad_data, grammar.at(words.line) + fmt::format("class {} has no word", words.name));
    }
  }
  check_chains(grammar);
}

}  // namespace softalign::data
