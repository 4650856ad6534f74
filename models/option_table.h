// An option, defined once: its name, where its value stands, what --help says of it and which values it may have.
// Command lines, config.json, messages and tests walk the same tables.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace softalign::models {

// Where an option's value stands, its default from the start. (std::size_t and std::uint64_t are each one of the two.)
using Field = std::variant<std::string*, bool*, double*, unsigned long*, unsigned long long*, std::vector<std::string>*,
                           std::vector<std::size_t>*>;

// Which values an option may have: {.required = true}, one_of({"lstm", "gru"}), between(0, 0.99).
struct Rule {
  std::vector<std::string> names{};  // one of these; empty: any
  std::vector<std::string> also{};   // or one of these, which mean the same as some of them
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
  // On a command line:
  bool required = false;  // has to be given
  bool repeated = false;  // of lists: one value each time it is given, in place of any number
  bool commas = false;    // of lists: values are separated by commas too
};

Rule one_of(std::vector<std::string> names);
Rule between(double lowest, double highest);

// Bounds that several options share. No line that is read holds more words than a million; a count beyond `many` is a
// slip of the keyboard, and sums of such counts do not overflow.
constexpr double longest_sentence = 1e6, many = 1e9;

// For --help: "{lstm,gru}", "in 0..1"; "" where every value is right.
std::string describe(const Rule& rule);

struct Option {
  std::string name;  // "attention-size": --attention-size, and the key in config.json
  Field field;       // in an object that outlives the table
  std::string help;
  Rule rule = {};
  bool asked = true;       // false: nobody is asked for it; it follows from the corpus or from other options
  std::string group = {};  // the heading under which --help has it
};
using Table = std::vector<Option>;

// What its values (the elements, for a list) are: "text", "true or false", "a number", "a whole number".
const char* kind_of(const Field& field);

// What is wrong with a value (an element, for a list), given as text; "" if nothing is.
//   unknown readout state 'next'; known are: current, previous
//   attention size is 0; a whole number in 1..100000 expected
std::string problem_of(const Option& option, const std::string& value);

Table in_group(const std::string& heading, Table table);
Table operator+(Table a, const Table& b);

// Its other names, which users of other tools type: "lr" is learning-rate too. Command lines and config files know
// them.
std::vector<std::string> other_names(const std::string& option);

// Its value as it stands: "128", "true", "words".
std::string text_of(const Option& option);

// What is wrong with the first value of a table that is not as it should be; "" if none is.
std::string problem_of(const Table& table);

}  // namespace softalign::models
