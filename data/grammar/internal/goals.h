// Goals: the choices that a grammar leaves, and the probability of each.
#pragma once

#include <cstddef>
#include <vector>

#include "data/grammar/grammar.h"

namespace softalign::data {

// A category with what is known of its features. A rule serves a goal once for every assignment of values to its
// variables from which words can be reached. The rules of a goal share the probability by their weights; within a rule
// the words of a class do, whatever the number of assignments that each fits; assignments without words are equally
// likely.
struct Goal {
  // A part of a rule whose length is open: a word of a class, or a phrase.
  struct Part {
    size_t number = 0;
    bool phrase = false;
    size_t goal = 0;              // of a phrase
    std::vector<size_t> lexemes;  // of a word: those that fit,
    std::vector<double> lexeme_weights;
    std::vector<size_t> lexeme_lengths;  // the source words each takes,
    std::vector<double> inside;          // the probability of each length
    mutable std::vector<double> rest;    // of each length of this and all later parts, where it was asked for
  };
  struct Option {  // one rule with one assignment
    size_t rule = 0;
    std::vector<size_t> values;
    std::vector<Part> parts;
    size_t words = 0;  // plain source words
    double probability = 0;
    std::vector<double> inside;  // [n]: of n words, given this option
  };

  size_t category = 0;
  std::vector<Values> features;
  std::vector<Option> options;
  std::vector<double> inside;  // [n]: of n words
  bool productive = false;
};

// All goals that the start category leads to, itself the first. `inside` of goals and options is left empty; no word is
// longer than max_length. std::runtime_error for a rule with too many assignments.
std::vector<Goal> goals_of(const Grammar& grammar, size_t max_length);

}  // namespace softalign::data
