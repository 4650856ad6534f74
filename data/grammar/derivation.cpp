#include "data/grammar/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "data/io/error.h"

namespace softalign::data {

namespace {

// A rule with more combinations of features would take much memory and several minutes. It is surely a mistake.
constexpr double most_assignments = 100000;

Values values_of(const Argument& argument, const std::vector<std::size_t>& values) {
  return argument.variable == Argument::none ? argument.values : Values{1} << values[argument.variable];
}

bool fits(const Lexeme& lexeme, const Item& item, const std::vector<std::size_t>& values) {
  for (std::size_t i = 0; i < item.arguments.size(); ++i) {
    if (!(lexeme.features[i] & values_of(item.arguments[i], values))) return false;
  }
  return true;
}

// Goals computes the goals of a grammar.
class Goals {
 public:
  Goals(const Grammar& grammar, std::size_t max_length) : grammar_(grammar), max_length_(max_length) {
    goal(grammar.start, {});
    for (std::size_t i = 0; i < goals_.size(); ++i) expand(i);
    keep_productive();
    for (Goal& each : goals_) share_probability(each);
  }
  std::vector<Goal> take() { return std::move(goals_); }

 private:
  std::size_t goal(std::size_t category, const std::vector<Values>& features);
  void expand(std::size_t goal);
  void try_assignments(std::size_t goal, const Rule& rule, std::vector<Values>& allowed,
                       std::vector<std::size_t>& values);
  void add_option(std::size_t goal, const Rule& rule, const std::vector<std::size_t>& values);
  bool add_word(const Rule& rule, const std::vector<std::size_t>& values, const Item& item, Goal::Option& option) const;
  std::size_t source_words(const Rule& rule, const std::vector<std::size_t>& values, std::size_t number,
                           const Lexeme& lexeme) const;
  void keep_productive();
  void share_probability(Goal& goal) const;
  double share_words(Goal::Part& part, const std::map<std::pair<std::size_t, std::size_t>, double>& fitting) const;

  const Grammar& grammar_;
  std::size_t max_length_;
  std::map<std::pair<std::size_t, std::vector<Values>>, std::size_t> numbers_;
  std::vector<Goal> goals_;
};

std::size_t Goals::goal(std::size_t category, const std::vector<Values>& features) {
  const auto [found, is_new] = numbers_.emplace(std::make_pair(category, features), goals_.size());
  if (is_new) goals_.push_back({category, features, {}, {}, false});
  return found->second;
}

void Goals::expand(std::size_t number) {
  for (const std::size_t rule_number : grammar_.categories[goals_[number].category].rules) {
    const Rule& rule = grammar_.rules[rule_number];
    std::vector<Values> allowed;
    for (const Variable& variable : rule.variables) allowed.push_back(variable.allowed);
    bool serves = true;
    for (std::size_t i = 0; serves && i < rule.head.size(); ++i) {
      const Argument& argument = rule.head[i];
      const Values known = goals_[number].features[i];
      if (argument.variable == Argument::none) {
        serves = (argument.values & known) != 0;
      } else {
        serves = (allowed[argument.variable] &= known) != 0;
      }
    }
    std::vector<std::size_t> values;
    if (!serves) continue;
    double assignments = 1;
    for (const Values each : allowed) assignments *= std::popcount(each);
    if (assignments > most_assignments) {
      throw Error(ErrorKind::bad_data,
                  grammar_.at(rule.line) + "the rule has too many combinations of features. Give it fewer variables");
    }
    try_assignments(number, rule, allowed, values);
  }
}

void Goals::try_assignments(std::size_t number, const Rule& rule, std::vector<Values>& allowed,
                            std::vector<std::size_t>& values) {
  if (values.size() == rule.variables.size()) return add_option(number, rule, values);
  const Values left = allowed[values.size()];
  for (std::size_t value = 0; value < 32; ++value) {
    if (!(left >> value & 1)) continue;
    values.push_back(value);
    try_assignments(number, rule, allowed, values);
    values.pop_back();
  }
}

void Goals::add_option(std::size_t number, const Rule& rule, const std::vector<std::size_t>& values) {
  Goal::Option option;
  option.rule = static_cast<std::size_t>(&rule - grammar_.rules.data());
  option.values = values;
  std::vector<const Item*> phrases;
  for (const Item& item : rule.sides[source_side]) {
    switch (item.kind) {
      case Item::Kind::word:
      case Item::Kind::table:
        ++option.words;
        break;
      case Item::Kind::lexeme:
        if (!item.arguments.empty() || grammar_.classes[item.symbol].features.empty()) {
          if (!add_word(rule, values, item, option)) return;
        }
        break;
      case Item::Kind::phrase:
        phrases.push_back(&item);
        break;
    }
  }
  for (const Item* item : phrases) {
    std::vector<Values> features;
    for (const Argument& argument : item->arguments) features.push_back(values_of(argument, values));
    Goal::Part part;
    part.number = item->marks[0].number;
    part.phrase = true;
    part.goal = goal(item->symbol, features);
    option.parts.push_back(std::move(part));
  }
  goals_[number].options.push_back(std::move(option));
}

// add_word adds the words of a class that fit. It returns false if no word fits. Further items with the same number are
// forms of the same word.
bool Goals::add_word(const Rule& rule, const std::vector<std::size_t>& values, const Item& item,
                     Goal::Option& option) const {
  const std::size_t number = item.marks[0].number;
  for (const Goal::Part& part : option.parts) {
    if (part.number == number) return true;
  }
  Goal::Part part;
  part.number = number;
  const std::vector<Lexeme>& lexemes = grammar_.classes[item.symbol].lexemes;
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    if (!fits(lexemes[i], item, values)) continue;
    const std::size_t length = source_words(rule, values, number, lexemes[i]);
    if (length > max_length_) continue;
    part.lexemes.push_back(i);
    part.lexeme_lengths.push_back(length);
    part.lexeme_weights.push_back(lexemes[i].weight);
  }
  if (part.lexemes.empty()) return false;
  option.parts.push_back(std::move(part));
  return true;
}

std::size_t Goals::source_words(const Rule& rule, const std::vector<std::size_t>& values, std::size_t number,
                                const Lexeme& lexeme) const {
  std::size_t words = 0;
  for (const Item& item : rule.sides[source_side]) {
    if (item.kind != Item::Kind::lexeme || item.marks[0].number != number) continue;
    words += lexeme.forms[source_side][form_index(grammar_, rule, item, values, source_side)].size();
  }
  return words;
}

// keep_productive removes the options that derive no words.
void Goals::keep_productive() {
  struct Use {
    std::size_t goal, option;
  };
  std::vector<std::vector<Use>> uses(goals_.size());  // per goal: the options that use it as a phrase
  std::vector<std::vector<std::size_t>> missing(
      goals_.size());  // [goal][option]: number of phrases that derive no words yet
  std::vector<std::size_t> reached;
  const auto reach = [&](std::size_t goal) {
    if (!std::exchange(goals_[goal].productive, true)) reached.push_back(goal);
  };
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    for (const Goal::Option& option : goals_[g].options) {
      const std::size_t number = missing[g].size();
      missing[g].push_back(0);
      for (const Goal::Part& part : option.parts) {
        if (!part.phrase) continue;
        uses[part.goal].push_back({g, number});
        ++missing[g].back();
      }
      if (missing[g].back() == 0) reach(g);
    }
  }
  while (!reached.empty()) {
    const std::size_t goal = reached.back();
    reached.pop_back();
    for (const Use& use : uses[goal])
      if (--missing[use.goal][use.option] == 0) reach(use.goal);
  }
  const auto is_open = [this](const Goal::Part& part) { return part.phrase && !goals_[part.goal].productive; };
  for (Goal& each : goals_)
    std::erase_if(each.options, [&](const Goal::Option& option) {
      return std::any_of(option.parts.begin(), option.parts.end(), is_open);
    });
}

// The probability of a rule is proportional to its weight. Within a rule, each word of a class has a weight, which the
// assignments that the word fits share evenly. The weight of an assignment is the product of the weights of its words.
void Goals::share_probability(Goal& each) const {
  std::map<std::size_t, std::vector<Goal::Option*>> by_rule;
  for (Goal::Option& option : each.options) by_rule[option.rule].push_back(&option);
  double total = 0;
  for (const auto& [rule, options] : by_rule) total += grammar_.rules[rule].weight;
  for (const auto& [rule, options] : by_rule) {
    std::map<std::pair<std::size_t, std::size_t>, double>
        fitting;  // (number in the rule, lexeme) -> number of assignments that it fits
    for (const Goal::Option* option : options) {
      for (const Goal::Part& part : option->parts) {
        for (const std::size_t lexeme : part.lexemes) ++fitting[{part.number, lexeme}];
      }
    }
    double sum = 0;
    for (Goal::Option* option : options) {
      option->probability = 1;
      for (Goal::Part& part : option->parts) {
        if (!part.phrase) option->probability *= share_words(part, fitting);
      }
      sum += option->probability;
    }
    for (Goal::Option* option : options) option->probability *= grammar_.rules[rule].weight / total / sum;
  }
}

// share_words computes the weights and the length distribution of the words of a part. It returns the sum of the
// weights.
double Goals::share_words(Goal::Part& part,
                          const std::map<std::pair<std::size_t, std::size_t>, double>& fitting) const {
  double sum = 0;
  for (std::size_t i = 0; i < part.lexemes.size(); ++i) {
    sum += part.lexeme_weights[i] /= fitting.at({part.number, part.lexemes[i]});
  }
  part.inside.assign(max_length_ + 1, 0);
  for (std::size_t i = 0; i < part.lexemes.size(); ++i)
    part.inside[part.lexeme_lengths[i]] += part.lexeme_weights[i] / sum;
  return sum;
}

}  // namespace

std::vector<Goal> goals_of(const Grammar& grammar, std::size_t max_length) { return Goals(grammar, max_length).take(); }

namespace {
constexpr double unknown = -1;  // a probability that is not computed yet
}

Derivations::Derivations(const Grammar& grammar, std::size_t max_length)
    : max_length_(max_length), goals_(goals_of(grammar, max_length)) {
  sum_inside();
  const std::vector<double>& lengths = length_probability();
  if (std::none_of(lengths.begin(), lengths.end(), [](double p) { return p > 0; })) {
    throw Error(
        ErrorKind::bad_data,
        grammar.file +
            fmt::format(
                ": {} derives no sentence with at most {} words. Add a rule without categories, or raise --max-length",
                grammar.categories[grammar.start].name, max_length));
  }
}

// inside[goal][n] = sum over options of probability * inside[option][n]. If a rule has only one part, this part may
// need the same n of another goal. The other goal is then summed first. Chains of such rules end
// (data/grammar/check.cpp).
void Derivations::sum_inside() {
  std::vector<std::size_t> summed_to(goals_.size(), 0);
  for (Goal& each : goals_) {
    each.inside.assign(max_length_ + 1, 0);
    for (Goal::Option& option : each.options) {
      option.inside.assign(max_length_ + 1, 0);
      for (std::size_t p = 1; p + 2 < option.parts.size(); ++p) option.parts[p].rest.assign(max_length_ + 1, unknown);
    }
  }
  for (std::size_t length = 1; length <= max_length_; ++length) {
    for (std::size_t i = 0; i < goals_.size(); ++i) sum_goal(i, length, summed_to);
  }
}

void Derivations::sum_goal(std::size_t number, std::size_t length, std::vector<std::size_t>& summed_to) {
  if (summed_to[number] == length) return;
  summed_to[number] = length;
  for (Goal::Option& option : goals_[number].options) {
    if (option.words == 0 && option.parts.size() == 1 && option.parts[0].phrase) {
      sum_goal(option.parts[0].goal, length, summed_to);
    }
    if (length < option.words) continue;
    option.inside[length] = rest(option, 0, length - option.words);
    goals_[number].inside[length] += option.probability * option.inside[length];
  }
}

const std::vector<double>& Derivations::inside(const Goal::Part& part) const {
  return part.phrase ? goals_[part.goal].inside : part.inside;
}

// rest returns the probability that the parts from `part` on have `length` words together. It stores the result if more
// than two parts are left. Otherwise it would compute this result again for every way to divide the words among the
// previous parts.
double Derivations::rest(const Goal::Option& option, std::size_t part, std::size_t length) const {
  const std::size_t left = option.parts.size() - part;
  if (left == 0) return length == 0;
  const std::vector<double>& here = inside(option.parts[part]);
  if (left == 1) return here[length];
  double unkept = unknown;
  double& sum = part > 0 && left > 2 ? option.parts[part].rest.at(length) : unkept;
  if (sum != unknown) return sum;
  sum = 0;
  for (std::size_t taken = 1; taken + left - 1 <= length; ++taken) {
    if (here[taken] > 0) sum += here[taken] * rest(option, part + 1, length - taken);
  }
  return sum;
}

Derivation Derivations::draw(std::size_t length, Random& random) const {
  if (length > max_length_ || !(length_probability()[length] > 0)) {
    throw std::invalid_argument(fmt::format("Derivations::draw: no sentence has {} words", length));
  }
  return draw(0, length, random);
}

Derivation Derivations::draw(std::size_t number, std::size_t length, Random& random) const {
  const std::vector<Goal::Option>& options = goals_[number].options;
  std::vector<double> weights;
  for (const Goal::Option& option : options) weights.push_back(option.probability * option.inside[length]);
  const Goal::Option& option = options[random.choose(weights)];
  Derivation derivation{option.rule, option.values, {}, {}};
  std::size_t open = length - option.words;
  for (std::size_t p = 0; p < option.parts.size(); ++p) {
    const Goal::Part& part = option.parts[p];
    weights.assign(open + 1, 0);
    for (std::size_t taken = 0; taken <= open; ++taken) {
      if (inside(part)[taken] > 0) weights[taken] = inside(part)[taken] * rest(option, p + 1, open - taken);
    }
    const std::size_t taken = random.choose(weights);
    open -= taken;
    if (part.phrase) {
      derivation.phrases.emplace(part.number, draw(part.goal, taken, random));
      continue;
    }
    weights.clear();
    for (std::size_t i = 0; i < part.lexemes.size(); ++i) {
      weights.push_back(part.lexeme_lengths[i] == taken ? part.lexeme_weights[i] : 0);
    }
    derivation.lexemes.emplace(part.number, part.lexemes[random.choose(weights)]);
  }
  return derivation;
}

}  // namespace softalign::data
