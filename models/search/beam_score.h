// This score decides which translation is the best when translations have different lengths.
//
//   score(Y) = log p(Y | X) / lp(|Y|) + cp(Y)
//   plain:   lp(n) = n^alpha
//   wu:      lp(n) = (5 + n)^alpha / (5 + 1)^alpha
//   cp(Y) = beta sum_j log(min(sum_i a_ij, 1))
//
// X is the source, Y is the translation, and |Y| is its number of words, including </s>. lp is the length penalty, and
// cp is the coverage penalty. The options alpha and beta say how strong both penalties are, and an option chooses
// between `plain` and `wu`. `wu` and cp are from "Google's neural machine translation system". a_ij is the attention
// weight of source word j at step i. The penalty cp sums over all source words j except </s>. It sums the weights over
// all steps i, including the step of </s>. A source word without attention counts as 1e-6, so scores stay finite. Both
// penalties only change the ranking of finished translations. During the search, log p alone decides which words are
// kept.
#pragma once

#include <cstddef>

#include "autograd/names.h"
#include "models/search/hypothesis.h"

namespace softalign::models {

enum class Normalisation { plain, wu };
constexpr auto names_of(Normalisation) {
  return autograd::names<Normalisation>({{"plain", Normalisation::plain}, {"wu", Normalisation::wu}});
}

struct BeamOptions {
  std::size_t beam = 1;    // hypotheses kept per sentence
  std::size_t n_best = 1;  // hypotheses returned per sentence, at most `beam`
  Normalisation normalisation = Normalisation::plain;
  double length_penalty = 1;    // alpha >= 0; 0: rank by log p only
  double coverage_penalty = 0;  // beta >= 0; 0: none
  std::size_t max_length = 0;   // largest number of words; 0: twice the number of source words plus 10
  std::size_t at_most = 0;      // upper limit in words, if max_length is 0; 0: none
  bool weights = true;          // hypotheses store their attention; apps drop it if nobody reads it
};

// Checks the options of beam search. Throws std::invalid_argument if beam is 0, if n_best is 0 or exceeds beam, or if a
// penalty is negative or not finite.
void check(const BeamOptions& options);

double length_penalty(const BeamOptions& options, std::size_t length);  // lp
// Returns the coverage penalty, which is at most 0:
//   cp(Y) = beta sum_j log(min(sum_i a_ij, 1))     Wu et al. 2016, eq. 14
double coverage_penalty(const BeamOptions& options, const data::Matrix& weights);

}  // namespace softalign::models
