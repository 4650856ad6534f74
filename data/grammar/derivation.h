// A derivation says how the rules of a grammar build one sentence pair. This file draws derivations at random, with a
// given number of source words.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "autograd/random.h"
#include "data/grammar/grammar.h"

namespace softalign::data {

// A Goal is a category of the grammar with known values of its features, for example a noun phrase in the plural. Its
// options are the rules that build it. A rule has one option per assignment of values to its variables, if the
// assignment can produce words.
//
// The probability of a rule is in proportion to its weight. Within a rule, the probability of a word is in proportion
// to the word's weight. If a word fits several assignments, they share its weight equally. If a rule has no word of a
// class, its assignments are equally probable.
struct Goal {
  // A Part is an element of a rule that can be filled in several ways: by a word of a class, or by a phrase.
  struct Part {
    std::size_t number = 0;
    bool phrase = false;
    std::size_t goal = 0;              // for a phrase: index of its goal
    std::vector<std::size_t> lexemes;  // for a word: indices of the lexemes that fit
    std::vector<double> lexeme_weights;
    std::vector<std::size_t> lexeme_lengths;  // for a word: the number of source words of each lexeme
    std::vector<double> inside;               // probability of each length
    mutable std::vector<double> rest;         // probability of each length of this and all later parts together
  };
  struct Option {  // one rule with one assignment
    std::size_t rule = 0;
    std::vector<std::size_t> values;
    std::vector<Part> parts;
    std::size_t words = 0;  // number of plain source words
    double probability = 0;
    std::vector<double> inside;  // [n]: probability of n words, given this option
  };

  std::size_t category = 0;
  std::vector<Values> features;
  std::vector<Option> options;
  std::vector<double> inside;  // [n]: probability of n words
  bool productive = false;
};

// Returns all goals that can be reached from the start category. The start category is the first goal. The
// probabilities `inside` are still empty. The function leaves out entries of a word class that consist of more than
// max_length source words. Throws Error for a rule with too many assignments.
std::vector<Goal> goals_of(const Grammar& grammar, std::size_t max_length);

using autograd::Random;

// A Derivation is one use of a rule, with the words and phrases that fill its places. In the grammar file, an item of
// the source side and its translation have the same number. This number is the key in the maps.
struct Derivation {
  std::size_t rule = 0;
  std::vector<std::size_t> values;             // the values of the rule's variables
  std::map<std::size_t, std::size_t> lexemes;  // number in the rule -> lexeme of the class
  std::map<std::size_t, Derivation> phrases;   // number in the rule -> derivation of the phrase
};

// Derivations is the grammar as a probability distribution over derivations.
//
// Sampling with a given length is exact. inside[goal][n] is the probability that a goal derives n source words. The
// inside algorithm (Baker 1979, "Trainable grammars for speech recognition") computes it for small n first. Each choice
// of a derivation is then weighted with the probability of deriving the remaining words. So recursion always ends, and
// no sample is rejected because of its length.
class Derivations {
 public:
  // Throws Error if the start category derives no sentence of at most max_length words.
  Derivations(const Grammar& grammar, std::size_t max_length);

  // Returns the probability of n source words, for n = 0 .. max_length. The sum is below 1 if longer sentences exist.
  const std::vector<double>& length_probability() const { return goals_[0].inside; }

  // Draws a derivation with exactly `length` source words. The length_probability of this length must be positive.
  Derivation draw(std::size_t length, Random& random) const;

 private:
  void sum_inside();
  void sum_goal(std::size_t goal, std::size_t length, std::vector<std::size_t>& summed_to);
  double rest(const Goal::Option& option, std::size_t part, std::size_t length) const;
  const std::vector<double>& inside(const Goal::Part& part) const;
  Derivation draw(std::size_t goal, std::size_t length, Random& random) const;

  std::size_t max_length_;
  std::vector<Goal> goals_;  // the first is the start category
};

}  // namespace softalign::data
