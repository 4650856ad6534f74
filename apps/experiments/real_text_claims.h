// This file has the measurements of the study `reproduce alignment-on-real-text` (alignment_on_real_text.cpp), and the
// claims that the study checks.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/experiments/ablated_steps.h"
#include "apps/experiments/aer_difference.h"
#include "apps/reproduction/study.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// A TestSet is a file of sentence pairs with links. The attention of every model is compared with these links.
struct TestSet {
  std::string name, file;
  std::vector<data::Pair> pairs;
};
// AllLinks has one entry per pair of a test set.
using AllLinks = std::vector<data::Links>;

// Ablations counts steps, and the steps whose word changes without a weight (ablated_steps.h).
struct Ablations {
  std::size_t steps = 0, largest = 0, second = 0, random = 0;
  void add(const AblatedStep& step) {
    ++steps;
    largest += step.largest, second += step.second, random += step.random;
  }
};

// The decoder attends to a source word at each step. A step is `aligned` if a gold link connects this word with the
// target word, and `misaligned` if the target word has only other gold links.
struct Causes {
  Ablations aligned, misaligned;
};

// RealTextResults has all measurements. The vectors below have one entry per test set, unless a comment says otherwise.
struct RealTextResults {
  // The test sets. The sets with links that people made begin at first_gold.
  enum Set : std::size_t { held_out, long_pairs, unknown_words, first_gold };
  // The rows of the table: models, in the order of alignment_on_real_text.cpp, and two aligners without attention.
  enum Row : std::size_t {
    base,
    no_query_word,
    narrow,
    narrow_with_positions,
    bridging,
    state_dropout,
    subwords,
    longer,
    joined,
    more_unknown,
    joined_unknown,
    diagonal,
    em,
    rows
  };

  std::vector<TestSet> sets;
  std::array<std::vector<std::optional<SeedScores>>, rows> scores;  // of each row; `links` has none on its own links
  std::vector<SeedScores> shifted;                                  // RNNsearch with the weights of the next step
  std::vector<std::vector<AllLinks>> links;                         // RNNsearch, one entry per seed
  std::vector<Causes> causes;  // RNNsearch; empty counts for the sets that are made from the held-out pairs

  const SeedScores& of(std::size_t row, std::size_t set) const { return *scores[row].at(set); }
  std::size_t all() const { return sets.size(); }
};

// Returns each claim with its figures, and whether it holds.
std::vector<std::pair<std::string, Verdict>> claims_of(const RealTextResults& results);

}  // namespace softalign::apps
