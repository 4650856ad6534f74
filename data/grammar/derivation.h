// Derivations: how a grammar builds one sentence pair, and drawing them at random with a given number of source words.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "autograd/storage/random.h"
#include "data/grammar/grammar.h"

namespace data {

using autograd::Random;

// One use of a rule. Numbers are those that pair the two sides in the rule.
struct Derivation {
  size_t rule = 0;
  std::vector<size_t> values;            // of the rule's variables
  std::map<size_t, size_t> lexemes;      // number -> which lexeme of its class
  std::map<size_t, Derivation> phrases;  // number -> how that phrase is built
};

// The grammar as a probability distribution over derivations. Below, a "goal" is a category with what is known of its
// features. A rule serves a goal once for every assignment of values to its variables from which words can be
// reached. The rules of a goal share the probability by their weights; within a rule the words of a class do, whatever
// the number of assignments that each fits; assignments without words are equally likely.
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
  // A part of a rule whose length is open: a word of a class, or a phrase.
  struct Part {
    size_t number = 0;
    bool phrase = false;
    size_t goal = 0;              // of a phrase
    std::vector<size_t> lexemes;  // of a word: those that fit,
    std::vector<double> lexeme_weights;
    std::vector<size_t> lexeme_lengths;  // the source words each takes,
    std::vector<double> inside;          // the probability of each length
  };
  struct Option {  // one rule with one assignment
    size_t rule = 0;
    std::vector<size_t> values;
    std::vector<Part> parts;
    size_t words = 0;  // plain source words
    double probability = 0;
    std::vector<double> inside;  // [n]: of n words, given this option
  };
  struct Goal {
    size_t category = 0;
    std::vector<Values> features;
    std::vector<Option> options;
    std::vector<double> inside;
    bool productive = false;
  };

  size_t goal(size_t category, const std::vector<Values>& features);
  void expand(size_t goal);
  void try_assignments(size_t goal, const Rule& rule, std::vector<Values>& allowed, std::vector<size_t>& values);
  void add_option(size_t goal, const Rule& rule, const std::vector<size_t>& values);
  bool add_word(const Rule& rule, const std::vector<size_t>& values, const Item& item, Option& option) const;
  size_t source_words(const Rule& rule, const std::vector<size_t>& values, size_t number, const Lexeme& lexeme) const;
  void keep_productive();
  void share_probability(Goal& goal) const;
  double share_words(Part& part, const std::map<std::pair<size_t, size_t>, double>& fitting) const;
  void sum_inside();
  void sum_goal(size_t goal, size_t length, std::vector<size_t>& summed_to);
  double rest(const Option& option, size_t part, size_t length) const;
  const std::vector<double>& inside(const Part& part) const;
  Derivation draw(size_t goal, size_t length, Random& random) const;

  const Grammar& grammar_;
  size_t max_length_;
  std::map<std::pair<size_t, std::vector<Values>>, size_t> numbers_;
  std::vector<Goal> goals_;  // the first is the start
};

// Which form of a class's word an item asks for on one side.
size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item, const std::vector<size_t>& values,
                  Side side);

}  // namespace data
