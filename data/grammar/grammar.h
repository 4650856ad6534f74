// Grammar: a synchronous grammar read from a text file. The file format is explained at the head of
// data/toy/en-fr.grammar; here are the things it declares, with names replaced by numbers and features checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

enum Side : std::size_t { source_side = 0, target_side = 1 };

// A set of values of one feature: bit i stands for value i.
using Values = std::uint32_t;

struct Feature {
  std::string name;
  std::vector<std::string> values;
  Values all() const { return (Values{1} << values.size()) - 1; }
};

// The text in brackets: a variable of the rule, or one or several values.
struct Argument {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t variable = none;
  Values values = 0;  // without variable: what is allowed
};

// One word of an item or a form, as written in the grammar: beau|bel is plain "beau", "bel" before a vowel.
struct Spelling {
  std::string plain, before_vowel;  // the second is empty if the word has one form
};
using Spellings = std::vector<Spelling>;

// Names which form of a word is meant: parts joined by ".", each a name or the value of a variable.
struct FormName {
  struct Part {
    std::size_t variable = Argument::none;
    std::string name;
  };
  std::vector<Part> parts;
  bool plain = false;  // "!": the plain form even before a vowel
};

// The number by which an item is linked: all source and target words of a rule with the same number are linked.
struct Mark {
  std::size_t number = 0;
  bool sure = true;
};

struct Item {
  enum class Kind { word, table, lexeme, phrase };
  Kind kind = Kind::word;
  Spelling word;                    // of a plain word
  std::size_t symbol = 0;           // number of the table, word class or category
  std::vector<Argument> arguments;  // of a class or category, on the side and place where they are given
  FormName form;                    // of a table or class
  std::vector<Mark> marks;          // of a class or category: exactly one, sure
};

struct Variable {
  std::string name;
  std::size_t feature = 0;
  Values allowed = 0;
  std::size_t mentions = 0;  // in the rule
};

struct Rule {
  std::size_t category = 0;
  std::vector<Argument> head;
  double weight = 1;
  std::vector<std::string> tags;
  std::vector<Variable> variables;
  std::array<std::vector<Item>, 2> sides;
  std::size_t line = 0;
};

struct Category {
  std::string name;
  std::vector<std::size_t> features;
  std::vector<std::size_t> rules;
  std::size_t line = 0;
};

// A word and its translation, in all forms: forms[side][form] is one or several words.
struct Lexeme {
  std::vector<Values> features;
  double weight = 1;
  std::vector<std::string> tags;
  std::array<std::vector<Spellings>, 2> forms;
  std::size_t line = 0;
};

using FormIndex = std::map<std::string, std::size_t, std::less<>>;

struct WordClass {
  std::string name;
  std::vector<std::size_t> features;
  std::array<FormIndex, 2> form_names;  // name -> which form; one form may have several names
  std::array<std::size_t, 2> form_count{};
  std::vector<Lexeme> lexemes;
  std::size_t line = 0;
};

struct Table {
  std::string name;
  std::map<std::string, Spelling, std::less<>> forms;
};

// The changes of a word that depend on its neighbour.
struct Elision {
  std::string before_vowel;
  std::vector<std::string> tags;
};
struct Contraction {
  std::string first, second, joined;
  std::vector<std::string> tags;
};
struct Phonology {
  std::string vowels;                   // letters
  std::vector<std::string> exceptions;  // words that begin with one of them and do not count
  std::map<std::string, Elision, std::less<>> elisions;
  std::vector<Contraction> contractions;
};

struct Grammar {
  std::string file;  // for messages
  std::array<std::string, 2> languages;
  std::size_t start = 0;  // category
  std::vector<Feature> features;
  std::vector<Table> tables;
  std::vector<WordClass> classes;
  std::vector<Category> categories;
  std::vector<Rule> rules;
  std::array<Phonology, 2> phonology;
  std::vector<Tokens> reserved;  // word sequences that no source may contain

  // "FILE:LINE: ", the beginning of every message about the grammar.
  std::string at(std::size_t line) const;
};

// Reads and checks a grammar. Throws Error naming file and line: unknown or twice declared names, wrong
// features, a form that a word lacks, a number that stands on one side only, a category without rules, rules that
// derive each other without adding a word (the derivation would never end), and whatever is not of the format.
Grammar read_grammar(const std::string& path);
// The same from text; `name` stands for the path in messages.
Grammar parse_grammar(const std::vector<std::string>& lines, const std::string& name);

// The name of a form once the variables have values (value numbers by variable), such as "3.sg".
std::string form_name(const Grammar& grammar, const Rule& rule, const FormName& form,
                      const std::vector<std::size_t>& assignment);

// The form of a class's word that an item requires on one side.
std::size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item,
                       const std::vector<std::size_t>& values, Side side);

}  // namespace softalign::data
