// This file computes the BLEU score of a translation (Papineni et al. 2002) in the same way as the program sacreBLEU
// (Post 2018). It does not tokenise words again (tok:none), uses the smoothing `exp`, and allows several references per
// sentence. The program `evaluate` uses it (apps/inference/evaluation.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Bleu has the counts of a corpus, summed over all its sentences. Every score is for the complete corpus.
struct Bleu {
  static constexpr std::size_t order = 4;
  // `matches` has the number of n-grams of the translation that occur in a reference. An n-gram counts at most as often
  // as it occurs in one reference. `total` has the number of all n-grams of the translation.
  std::array<std::size_t, order> matches{}, total{};
  std::size_t written = 0;  // number of words of the translations
  std::size_t wanted = 0;   // number of words of the references with the closest length (the shorter of two)

  // Throws std::invalid_argument if there is no reference.
  void add(const Tokens& hypothesis, const std::vector<Tokens>& references);

  // Returns the n-gram precisions p_n in percent, for n = 1 .. 4. If no n-gram of a length n matches, the number of
  // matches is not 0 but a fraction: 1/2 for the first such n, 1/4 for the second, and so on (smoothing method 3 of
  // Chen & Cherry 2014). All p_n are 0 if no word matches. p_n is 0 if the translation has no n-gram of length n.
  std::array<double, order> precisions() const;
  // Returns the brevity penalty BP, which punishes translations that are too short. BP is 1 if written >= wanted, and
  // exp(1 - wanted / written) otherwise. `written` is the number of words of the translations. `wanted` is the number
  // of words of the references with the closest length.
  double brevity_penalty() const;
  // Returns BLEU = BP exp(1/4 sum_n log p_n) in percent, 0 .. 100, from brevity penalty BP and precisions p_n.
  double score() const;
};

// Returns the words of a line by the tokeniser "13a" of sacreBLEU (Post 2018), which is the same as in mteval-v13a.pl.
// Published BLEU scores usually count these words. Capitals stay unchanged.
//   He said: "It's 3,000.5!"     He said : " It's 3,000.5 ! "
Tokens tokenize_13a(std::string_view line);

}  // namespace softalign::data
