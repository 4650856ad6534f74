// A table defines each option of a program once, with its name, its value, its help text and its legal values. Command
// lines, config.json, messages and tests use the same tables.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "autograd/names.h"

namespace softalign::models {

// An EnumField refers to an enum whose values have names (autograd/names.h). If an optional enum has no value, its name
// is the empty string.
class EnumField {
 public:
  template <class Enum>
  requires std::is_enum_v<Enum> EnumField(Enum* value)  // NOLINT(google-explicit-constructor): as the pointers of Field
      : value_(value),
        names_(autograd::all_names<Enum>),
        name_([](const void* from) -> std::string { return autograd::name_of(*static_cast<const Enum*>(from)); }),
        set_(assign<Enum, Enum>) {}
  template <class Enum>
  EnumField(std::optional<Enum>* value)  // NOLINT(google-explicit-constructor)
      : value_(value),
        names_(autograd::all_names<Enum>),
        name_([](const void* from) -> std::string {
          const auto& chosen = *static_cast<const std::optional<Enum>*>(from);
          return chosen ? autograd::name_of(*chosen) : "";
        }),
        set_(assign<Enum, std::optional<Enum>>) {}

  std::vector<std::string> names() const { return names_(); }
  std::string name() const { return name_(value_); }
  bool set(const std::string& name) const { return set_(value_, name); }  // false for an unknown name

 private:
  template <class Enum, class Value>
  static bool assign(void* to, const std::string& name) {
    const std::optional<Enum> named = autograd::value_named<Enum>(name);
    if (named) *static_cast<Value*>(to) = *named;
    return named.has_value();
  }

  void* value_;
  std::vector<std::string> (*names_)();
  std::string (*name_)(const void*);
  bool (*set_)(void*, const std::string&);
};

// A Field is a pointer to the value of an option. Before the user sets the option, the value is the default.
// (Field does not list std::size_t and std::uint64_t, because they are the same types as two of its integer types.)
using Field = std::variant<std::string*, bool*, double*, unsigned long*, unsigned long long*, std::vector<std::string>*,
                           std::vector<std::size_t>*, EnumField>;

// A Rule says which values of an option are legal. For example, the Rule of a value in a range is between(0, 0.99), and
// an option that the user must give has {.required = true}.
struct Rule {
  std::vector<std::string> names{};  // one of these; empty: any
  std::vector<std::string> also{};   // or one of these, which are other names of the values
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
  // These apply on a command line:
  bool required = false;  // the user must give it
  bool repeated = false;  // for lists: the user gives one value each time, and may repeat the option
  bool commas = false;    // for lists: commas may separate values
};

Rule one_of(std::vector<std::string> names);
Rule between(double lowest, double highest);

// Several options use these upper bounds. No line has more than `longest_sentence` words. `many` is the largest value
// of a count: a larger value can only be a typing error, and sums of counts must not overflow.
constexpr double longest_sentence = 1e6, many = 1e9;

// Returns the legal values as text for --help: "{lstm,gru}" or "in 0..1". Returns "" if every value is legal.
std::string describe(const Rule& rule);

struct Option {
  // An option with an enum needs no rule, because the names of the enum's values are its legal values.
  Option(std::string name, Field field, std::string help, Rule rule = {}, bool asked = true, std::string group = {});

  std::string name;  // "attention-size": --attention-size, and the key in config.json
  Field field;       // points into an object that outlives the table
  std::string help;
  Rule rule;
  bool asked;         // false: users do not set it; it follows from the corpus or other options
  std::string group;  // the heading under which --help has it
};
using Table = std::vector<Option>;

// Returns the kind of an option's values: "text", "true or false", "a number" or "a whole number". For a list, it
// returns the kind of the elements.
const char* kind_of(const Field& field);

// Returns what is wrong with the text `value` as a value of this option, or "" if it is legal. For an option with a
// list, `value` is one element. Examples of problems:
//   unknown readout state 'next'; known are: current, previous
//   attention size is 0; a whole number in 1..100000 is expected
// `what` replaces the option's name in the first example, for a caller that names the option itself.
std::string problem_of(const Option& option, const std::string& value, const std::string& what = "");

Table in_group(const std::string& heading, Table table);
Table operator+(Table a, const Table& b);

// Returns the names that other tools give to an option, for example "learning-rate" for lr. Command lines and config
// files accept them. models/old_names.h has the names of earlier builds.
std::vector<std::string> other_names(const std::string& option);

// Returns the current value of an option as text: "128", "true", "words".
std::string text_of(const Option& option);

// Returns what is wrong with the first illegal value of the table's options, or "" if all values are legal.
std::string problem_of(const Table& table);

}  // namespace softalign::models
