// This file computes BLEU (Papineni et al. 2002) as sacreBLEU defines it (Post 2018), over given words (tok:none), with
// smooth exp and any number of references. apps/inference/evaluation.h calls it for `evaluate`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Bleu has counts of a corpus, summed over the sentences that are added. Every score is for the complete corpus.
struct Bleu {
  static constexpr std::size_t order = 4;
  // matches has the number of n-grams that occur in a reference. Each n-gram counts at most as often as it occurs in
  // one reference. total has the number of n-grams of the translation.
  std::array<std::size_t, order> matches{}, total{};
  std::size_t written = 0;  // words of the hypotheses
  std::size_t wanted = 0;   // words of the references with the closest length (the shorter of two)

  // Throws std::invalid_argument if there is no reference.
  void add(const Tokens& hypothesis, const std::vector<Tokens>& references);

  // Returns p_n in percent, n = 1 .. 4. If no n-gram of an order matches, the k-th such order counts as 1 / 2^k of a
  // match (smoothing method 3 of Chen & Cherry 2014). All are 0 if no word matches, and p_n is 0 if there is no n-gram
  // of that order.
  std::array<double, order> precisions() const;
  // Returns BP = 1 if written >= wanted, else exp(1 - wanted / written).
  double brevity_penalty() const;
  // Returns BLEU = BP exp(1/4 sum_n log p_n), 0 .. 100.
  double score() const;
};

// Returns the words of a line by the tokeniser "13a" of sacreBLEU (Post 2018), which equals that of mteval-v13a.pl.
// Published BLEU scores count these words by default. Capitals stay unchanged.
//   He said: "It's 3,000.5!"     He said : " It's 3,000.5 ! "
Tokens tokenize_13a(std::string_view line);

}  // namespace softalign::data
