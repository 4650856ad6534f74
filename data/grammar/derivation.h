// Derivations: how a grammar builds one sentence pair, and drawing them at random with a given number of source words.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "autograd/random.h"
#include "data/grammar/grammar.h"

namespace softalign::data {

// A category with the known values of its features. A rule serves a goal once for every assignment of values to its
// variables from which words can be reached. The rules of a goal share the probability by their weights; within a rule
// the words of a class do, whatever the number of assignments that each fits; assignments without words are equally
// likely.
struct Goal {
  // A part of a rule whose length is open: a word of a class, or a phrase.
  struct Part {
    std::size_t number = 0;
    bool phrase = false;
    std::size_t goal = 0;              // of a phrase
    std::vector<std::size_t> lexemes;  // of a word: those that fit,
    std::vector<double> lexeme_weights;
    std::vector<std::size_t> lexeme_lengths;  // the source words each takes,
    std::vector<double> inside;               // the probability of each length
    mutable std::vector<double> rest;         // of each length of this and all later parts, where it was asked for
  };
  struct Option {  // one rule with one assignment
    std::size_t rule = 0;
    std::vector<std::size_t> values;
    std::vector<Part> parts;
    std::size_t words = 0;  // plain source words
    double probability = 0;
    std::vector<double> inside;  // [n]: of n words, given this option
  };

  std::size_t category = 0;
  std::vector<Values> features;
  std::vector<Option> options;
  std::vector<double> inside;  // [n]: of n words
  bool productive = false;
};

// All goals that the start category leads to, itself the first. `inside` of goals and options is left empty; no word is
// longer than max_length. Error for a rule with too many assignments.
std::vector<Goal> goals_of(const Grammar& grammar, std::size_t max_length);

using autograd::Random;

// One use of a rule. Numbers are those that pair the two sides in the rule.
struct Derivation {
  std::size_t rule = 0;
  std::vector<std::size_t> values;             // of the rule's variables
  std::map<std::size_t, std::size_t> lexemes;  // number -> which lexeme of its class
  std::map<std::size_t, Derivation> phrases;   // number -> how that phrase is built
};

// The grammar as a probability distribution over derivations (see Goal).
//
// Sampling with a given length is exact: inside[goal][n], the probability that the goal derives n source words, is
// summed bottom-up over n (the inside algorithm: Baker 1979, "Trainable grammars for speech recognition"), and each
// choice of a top-down derivation is weighted by the probability of the rest. Therefore recursion always ends, and no
// sample is rejected for its length.
class Derivations {
 public:
  // Error if the start category derives no sentence of at most max_length words.
  Derivations(const Grammar& grammar, std::size_t max_length);

  // The probability of n source words, for n = 0 .. max_length (the sum is below 1 if longer sentences exist).
  const std::vector<double>& length_probability() const { return goals_[0].inside; }

  // A derivation with exactly `length` source words; its length_probability must be positive.
  Derivation draw(std::size_t length, Random& random) const;

 private:
  void sum_inside();
  void sum_goal(std::size_t goal, std::size_t length, std::vector<std::size_t>& summed_to);
  double rest(const Goal::Option& option, std::size_t part, std::size_t length) const;
  const std::vector<double>& inside(const Goal::Part& part) const;
  Derivation draw(std::size_t goal, std::size_t length, Random& random) const;

  std::size_t max_length_;
  std::vector<Goal> goals_;  // the first is the start
};

}  // namespace softalign::data
