// How a grammar file is read: its lines, the names it has declared so far, and what every kind of line needs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "data/grammar/grammar.h"

namespace softalign::data {

// One line without its comment, cut at spaces outside of brackets.
struct GrammarLine {
  size_t number = 0;  // from 1
  bool indented = false;
  std::vector<std::string> fields;
};

// HEAD[arguments] *weight @tag ...
struct GrammarHead {
  std::string name;
  std::vector<std::string> arguments;
  double weight = 1;
  std::vector<std::string> tags;
  size_t fields = 0;  // of the line, that belong to the head
};

// What a name in the file stands for.
enum class Meaning { feature, value, set, table, word_class, category };
struct Named {
  Meaning meaning;
  size_t number = 0;   // of the feature, table, class or category
  Values values = 0;   // of a value or set
  size_t feature = 0;  // that a value or set belongs to
};

struct Parser {
  Parser(Grammar& grammar, const std::vector<std::string>& lines);

  // Throws std::runtime_error naming file and line.
  [[noreturn]] void fail(size_t line, const std::string& message) const;
  void need_fields(const GrammarLine& line, size_t count, const std::string& form) const;
  void need_features(const GrammarLine& line, const std::string& name, size_t wanted, size_t given) const;

  void add_name(const GrammarLine& line, const std::string& name, Named meaning);
  const Named& lookup(const GrammarLine& line, const std::string& name) const;
  // num, num2, num3 ... are variables of feature num; none for another name.
  std::optional<size_t> variable_feature(const std::string& name) const;

  Side side(const GrammarLine& line, const std::string& language) const;
  GrammarHead parse_head(const GrammarLine& line) const;
  Values parse_values(const GrammarLine& line, const std::string& text, size_t feature) const;
  std::vector<std::string> trailing_tags(const GrammarLine& line, size_t first) const;

  Grammar& grammar;
  std::vector<GrammarLine> lines;
  std::unordered_map<std::string, Named> names;  // looked up only, never walked
  // endings by (side, name, how many)
  std::map<std::tuple<size_t, std::string, size_t>, std::vector<std::string>> paradigms;
};

// Tables have names of their own: "was" may be a table and a plain word.
std::string table_key(const std::string& name);

}  // namespace softalign::data
