// This file defines the Parser, which all functions that read a grammar file share. The Parser has the lines of the
// file, and the names that the file has declared so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "data/grammar/grammar.h"

namespace softalign::data {

// A GrammarLine is one line without its comment, cut at spaces outside of brackets.
struct GrammarLine {
  std::size_t number = 0;  // number of the line, from 1
  bool indented = false;
  std::vector<std::string> fields;
};

// A GrammarHead is the beginning of a line: HEAD[arguments] *weight @tag ...
struct GrammarHead {
  std::string name;
  std::vector<std::string> arguments;
  double weight = 1;
  std::vector<std::string> tags;
  std::size_t fields = 0;  // number of fields of the line that belong to the head
};

// A Meaning says what a name in the file stands for.
enum class Meaning { feature, value, set, table, word_class, category };

// A Named says what a declared name stands for.
struct Named {
  Meaning meaning;
  std::size_t number = 0;   // number of the feature, table, class or category
  Values values = 0;        // the values that the name of a value or set stands for
  std::size_t feature = 0;  // the feature to which a value or set belongs
};

// A Parser has the lines of the file, the grammar that it has read so far, and functions for the parts that occur in
// several kinds of lines.
struct Parser {
  Parser(Grammar& grammar, const std::vector<std::string>& lines);

  // Throws Error, which names file and line.
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;
  void need_fields(const GrammarLine& line, std::size_t count, const std::string& form) const;
  void need_features(const GrammarLine& line, const std::string& name, std::size_t wanted, std::size_t given) const;

  void add_name(const GrammarLine& line, const std::string& name, Named meaning);
  const Named& lookup(const GrammarLine& line, const std::string& name) const;
  // Returns the feature of a variable: num, num2, num3 ... are variables of the feature num. Returns nothing for other
  // names.
  std::optional<std::size_t> variable_feature(const std::string& name) const;

  Side side(const GrammarLine& line, const std::string& language) const;
  GrammarHead parse_head(const GrammarLine& line) const;
  Values parse_values(const GrammarLine& line, const std::string& text, std::size_t feature) const;
  std::vector<std::string> trailing_tags(const GrammarLine& line, std::size_t first) const;
  // A class or a rule begins with the line `head`. An indented line for the source language and one for the target
  // language follow. This function moves `position` to the next line, and returns this line. It throws Error, with a
  // message that begins with `needed`, if this line is not the indented line for the language of the side `on`.
  const GrammarLine& next_side(std::size_t& position, const GrammarLine& head, Side on,
                               const std::string& needed) const;

  Grammar& grammar;
  std::vector<GrammarLine> lines;
  std::unordered_map<std::string, Named> names;  // the order of this map must not matter
  // A paradigm is a list of endings. Its key in this map is (language, name, number of endings), where the language is
  // a value of Side.
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::vector<std::string>> paradigms;
};

// Returns the key of a table in Parser::names. It is not the name itself, because a table and a plain word may have the
// same name, for example "was".
std::string table_key(const std::string& name);
// Reads NAME[feature ...]. Returns the features, and sets `name`.
std::vector<std::size_t> parse_signature(const Parser& parser, const GrammarLine& line, const std::string& text,
                                         std::string& name);
// Reads WORD or WORD|BEFORE_VOWEL.
Spelling parse_spelling(const Parser& parser, const GrammarLine& line, const std::string& text);

}  // namespace softalign::data
