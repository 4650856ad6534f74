// BLEU (Papineni et al. 2002) as sacreBLEU defines it (Post 2018) over words that are given (tok:none): smooth exp, any
// number of references. apps/inference/evaluation.h calls it for `evaluate`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Counts of a corpus, summed over the sentences that are added. Every score is for the complete corpus.
struct Bleu {
  static constexpr std::size_t order = 4;
  // The number of n-grams that occur in a reference, each at most as often as in one reference, and the number of
  // n-grams of the translation.
  std::array<std::size_t, order> matches{}, total{};
  std::size_t written = 0;  // words of the hypotheses
  std::size_t wanted = 0;   // words of the references; of several, the closest in length, the shorter of two

  // std::invalid_argument without any reference.
  void add(const Tokens& hypothesis, const std::vector<Tokens>& references);

  // p_n in percent, n = 1 .. 4. If no n-gram of an order matches, the k-th such order counts as 1 / 2^k of a match
  // (smoothing method 3 of Chen & Cherry 2014). All are 0 if no word matches, and p_n is 0 if there is no n-gram of
  // that order.
  std::array<double, order> precisions() const;
  // BP = 1 if written >= wanted, else exp(1 - wanted / written)
  double brevity_penalty() const;
  // BLEU = BP exp(1/4 sum_n log p_n), 0 .. 100
  double score() const;
};

// The words of a line by the tokeniser "13a" of sacreBLEU (Post 2018), which is that of mteval-v13a.pl: published BLEU
// counts them by default. Case stays as it is.
//   He said: "It's 3,000.5!"     He said : " It's 3,000.5 ! "
Tokens tokenize_13a(std::string_view line);

}  // namespace softalign::data
