// How a grammar file is read: what data/grammar/grammar.cpp and grammar_{declarations,words,rules,check}.cpp share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/grammar/grammar.h"

namespace data {

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

class GrammarParser {
 public:
  GrammarParser(Grammar& grammar, const std::vector<std::string>& lines);
  void parse();

 private:
  [[noreturn]] void fail(size_t line, const std::string& message) const;
  void need_fields(const GrammarLine& line, size_t count, const std::string& form) const;

  // grammar_declarations.cpp
  void declare(const GrammarLine& line);
  void add_name(const GrammarLine& line, const std::string& name, Named meaning);
  void parse_feature(const GrammarLine& line);
  void parse_set(const GrammarLine& line);
  void parse_phonology(const GrammarLine& line);
  Side side(const GrammarLine& line, const std::string& language) const;
  const Named& lookup(const GrammarLine& line, const std::string& name) const;
  GrammarHead parse_head(const GrammarLine& line) const;
  std::vector<std::string> trailing_tags(const GrammarLine& line, size_t first) const;
  std::vector<size_t> parse_signature(const GrammarLine& line, const std::string& text, std::string& name) const;
  Values parse_values(const GrammarLine& line, const std::string& text, size_t feature) const;

  // grammar_words.cpp
  void parse_table(const GrammarLine& line);
  void parse_class(size_t& position);
  void parse_paradigm(const GrammarLine& line);
  void parse_lexeme(const GrammarLine& line);
  std::vector<Spellings> parse_forms(const GrammarLine& line, size_t first, size_t last, Side of, size_t count) const;
  Spelling parse_spelling(const GrammarLine& line, const std::string& text) const;

  // grammar_rules.cpp
  void parse_rule(size_t& position);
  Item parse_item(const GrammarLine& line, const std::string& text, Rule& rule, Side on) const;
  std::vector<Mark> cut_marks(const GrammarLine& line, std::string& text) const;
  Argument parse_argument(const GrammarLine& line, const std::string& text, size_t feature, Rule& rule) const;
  FormName parse_form(const GrammarLine& line, std::string text, Rule& rule) const;
  size_t variable(const GrammarLine& line, const std::string& name, Values allowed, Rule& rule) const;
  std::optional<size_t> variable_feature(const std::string& name) const;

  // grammar_check.cpp
  void check_links(const Rule& rule) const;
  void check_form(const Rule& rule, const Item& item, const std::vector<size_t>& names, Side on) const;
  void check_forms(const Rule& rule) const;

  Grammar& grammar_;
  std::vector<GrammarLine> lines_;
  std::unordered_map<std::string, Named> names_;  // looked up only, never walked
  // endings by (side, name, how many)
  std::map<std::tuple<size_t, std::string, size_t>, std::vector<std::string>> paradigms_;
};

// Tables have names of their own: "was" may be a table and a plain word.
std::string table_key(const std::string& name);

// grammar_check.cpp: every category has a rule, and no rules derive each other without adding a word.
void check_grammar(const Grammar& grammar);

}  // namespace data
