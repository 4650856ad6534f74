// Derivations: how a grammar builds one sentence pair, and drawing them at random with a given number of source words.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "autograd/random.h"
#include "data/grammar/grammar.h"
#include "data/grammar/internal/goals.h"

namespace softalign::data {

using autograd::Random;

// One use of a rule. Numbers are those that pair the two sides in the rule.
struct Derivation {
  size_t rule = 0;
  std::vector<size_t> values;            // of the rule's variables
  std::map<size_t, size_t> lexemes;      // number -> which lexeme of its class
  std::map<size_t, Derivation> phrases;  // number -> how that phrase is built
};

// The grammar as a probability distribution over derivations (data/grammar/internal/goals.h says which).
//
// Drawing with a given length is exact: inside[goal][n], the probability that the goal derives n source words, is
// summed bottom-up over n (the inside algorithm: Baker 1979, "Trainable grammars for speech recognition"), and
// each choice of a top-down derivation is weighted by what the rest can still reach. So recursion cannot run away, and
// no draw is thrown away for its length.
class Derivations {
 public:
  // std::runtime_error if the start category derives no sentence of at most max_length words.
  Derivations(const Grammar& grammar, size_t max_length);

  // The probability of n source words, for n = 0 .. max_length (the sum is below 1 if longer sentences exist).
  const std::vector<double>& length_probability() const { return goals_[0].inside; }

  // A derivation with exactly `length` source words; its length_probability must be positive.
  Derivation draw(size_t length, Random& random) const;

 private:
  void sum_inside();
  void sum_goal(size_t goal, size_t length, std::vector<size_t>& summed_to);
  double rest(const Goal::Option& option, size_t part, size_t length) const;
  const std::vector<double>& inside(const Goal::Part& part) const;
  Derivation draw(size_t goal, size_t length, Random& random) const;

  size_t max_length_;
  std::vector<Goal> goals_;  // the first is the start
};

}  // namespace softalign::data
