#include "data/grammar/internal/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::data {

namespace {
constexpr double unknown = -1;  // no probability
}

Derivations::Derivations(const Grammar& grammar, size_t max_length)
    : max_length_(max_length), goals_(goals_of(grammar, max_length)) {
  sum_inside();
  const std::vector<double>& lengths = length_probability();
  if (std::none_of(lengths.begin(), lengths.end(), [](double p) { return p > 0; })) {
    throw std::runtime_error(grammar.file + fmt::format(": {} derives no sentence of at most {} words",
                                                        grammar.categories[grammar.start].name, max_length));
  }
}

// inside[goal][n] = sum over options of probability * inside[option][n]. A part that is alone in its rule may need the
// same n of another goal, which is then summed first; chains of such rules end (data/grammar/check.cpp).
void Derivations::sum_inside() {
  std::vector<size_t> summed_to(goals_.size(), 0);
  for (Goal& each : goals_) {
    each.inside.assign(max_length_ + 1, 0);
    for (Goal::Option& option : each.options) {
      option.inside.assign(max_length_ + 1, 0);
      for (size_t p = 1; p + 2 < option.parts.size(); ++p) option.parts[p].rest.assign(max_length_ + 1, unknown);
    }
  }
  for (size_t length = 1; length <= max_length_; ++length) {
    for (size_t i = 0; i < goals_.size(); ++i) sum_goal(i, length, summed_to);
  }
}

void Derivations::sum_goal(size_t number, size_t length, std::vector<size_t>& summed_to) {
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

// The probability that the parts from `part` on take `length` words together. It is kept where more than two parts are
// left, which would be summed over again for every way to share the words among those before.
double Derivations::rest(const Goal::Option& option, size_t part, size_t length) const {
  const size_t left = option.parts.size() - part;
  if (left == 0) return length == 0;
  const std::vector<double>& here = inside(option.parts[part]);
  if (left == 1) return here[length];
  double unkept = unknown;
  double& sum = part > 0 && left > 2 ? option.parts[part].rest.at(length) : unkept;
  if (sum != unknown) return sum;
  sum = 0;
  for (size_t taken = 1; taken + left - 1 <= length; ++taken) {
    if (here[taken] > 0) sum += here[taken] * rest(option, part + 1, length - taken);
  }
  return sum;
}

Derivation Derivations::draw(size_t length, Random& random) const {
  if (length > max_length_ || !(length_probability()[length] > 0)) {
    throw std::invalid_argument(fmt::format("Derivations::draw: no sentence has {} words", length));
  }
  return draw(0, length, random);
}

Derivation Derivations::draw(size_t number, size_t length, Random& random) const {
  const std::vector<Goal::Option>& options = goals_[number].options;
  std::vector<double> weights;
  for (const Goal::Option& option : options) weights.push_back(option.probability * option.inside[length]);
  const Goal::Option& option = options[random.choose(weights)];
  Derivation derivation{option.rule, option.values, {}, {}};
  size_t open = length - option.words;
  for (size_t p = 0; p < option.parts.size(); ++p) {
    const Goal::Part& part = option.parts[p];
    weights.assign(open + 1, 0);
    for (size_t taken = 0; taken <= open; ++taken) {
      if (inside(part)[taken] > 0) weights[taken] = inside(part)[taken] * rest(option, p + 1, open - taken);
    }
    const size_t taken = random.choose(weights);
    open -= taken;
    if (part.phrase) {
      derivation.phrases.emplace(part.number, draw(part.goal, taken, random));
      continue;
    }
    weights.clear();
    for (size_t i = 0; i < part.lexemes.size(); ++i) {
      weights.push_back(part.lexeme_lengths[i] == taken ? part.lexeme_weights[i] : 0);
    }
    derivation.lexemes.emplace(part.number, part.lexemes[random.choose(weights)]);
  }
  return derivation;
}

}  // namespace softalign::data
