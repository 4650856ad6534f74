// A synchronous grammar builds a sentence and its translation at the same time. read_grammar.h reads such a grammar
// from a text file. data/toy/en-fr.grammar explains the file format. The structs below are the declarations of the
// file, with numbers instead of names.
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

// The type Values is a set of values of one feature. For example, the feature number has the values singular and
// plural. Bit i is 1 if the set contains value i.
using Values = std::uint32_t;

struct Feature {
  std::string name;
  std::vector<std::string> values;
  Values all() const { return (Values{1} << values.size()) - 1; }
};

// An Argument is the text in brackets after a category or word class: a variable of the rule, or one or several values
// of a feature.
struct Argument {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t variable = none;
  Values values = 0;  // if there is no variable: the allowed values
};

// A Spelling is one word as the grammar writes it. For example, beau|bel is normally "beau", and "bel" before a vowel.
struct Spelling {
  std::string plain, before_vowel;  // the second is empty if the word has one form
};
using Spellings = std::vector<Spelling>;

// A FormName says which form of a word a rule needs, for example "3.sg" for a verb. Its parts are joined by ".". Each
// part is a fixed name, or a variable of the rule whose value is the name.
struct FormName {
  struct Part {
    std::size_t variable = Argument::none;
    std::string name;
  };
  std::vector<Part> parts;
  bool plain = false;  // "!": use the plain form, even before a vowel
};

// A Mark is a number that links the words of a rule. All source words with the number are linked to all target words
// with the same number.
struct Mark {
  std::size_t number = 0;
  bool sure = true;
};

struct Item {
  enum class Kind { word, table, lexeme, phrase };
  Kind kind = Kind::word;
  Spelling word;                    // only for a plain word
  std::size_t symbol = 0;           // number of the table, word class or category
  std::vector<Argument> arguments;  // only for a class or category
  FormName form;                    // only for a table or class
  std::vector<Mark> marks;          // a class or category has exactly one mark, which is sure
};

struct Variable {
  std::string name;
  std::size_t feature = 0;
  Values allowed = 0;
  std::size_t mentions = 0;  // how often the rule uses it
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

// A Lexeme is a word and its translation, in all their forms. forms[side][form] is one or several words.
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
  std::array<FormIndex, 2> form_names;  // name -> index of the form; one form may have several names
  std::array<std::size_t, 2> form_count{};
  std::vector<Lexeme> lexemes;
  std::size_t line = 0;
};

struct Table {
  std::string name;
  std::map<std::string, Spelling, std::less<>> forms;
};

// The structs below describe how a word changes because of its neighbour.
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
  std::vector<std::string> exceptions;  // words that begin with a vowel but do not count
  std::map<std::string, Elision, std::less<>> elisions;
  std::vector<Contraction> contractions;
};

struct Grammar {
  std::string file;  // name of the file, for messages
  std::array<std::string, 2> languages;
  std::size_t start = 0;  // index of the start category
  std::vector<Feature> features;
  std::vector<Table> tables;
  std::vector<WordClass> classes;
  std::vector<Category> categories;
  std::vector<Rule> rules;
  std::array<Phonology, 2> phonology;
  std::vector<Tokens> reserved;  // word sequences that no source may contain

  // Returns "FILE:LINE: ", the beginning of every message about the grammar.
  std::string at(std::size_t line) const;
};

// Returns the name of a form, such as "3.sg", for given values of the rule's variables. `assignment` has the index of
// each variable's value.
std::string form_name(const Grammar& grammar, const Rule& rule, const FormName& form,
                      const std::vector<std::size_t>& assignment);

// An item of a rule stands for a word, and requires a certain form of it. Returns the index of this form in
// Lexeme::forms[side], for given values of the rule's variables.
std::size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item,
                       const std::vector<std::size_t>& values, Side side);

}  // namespace softalign::data
