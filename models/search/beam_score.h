// This file defines how beam search ranks translations of different lengths, and the options of beam search.
//
//   score(Y) = log p(Y | X) / lp(|Y|) + cp(Y)
//   plain:   lp(n) = n^alpha
//   wu:      lp(n) = (5 + n)^alpha / (5 + 1)^alpha             Wu et al. 2016, "Google's neural machine translation
//   cp(Y) = beta sum_j log(min(sum_i a_ij, 1))                 system", eq. 14
//
// |Y| counts </s>. The coverage penalty cp sums over the source words j without </s>, and over all steps i, with the
// step of </s>. A word without attention counts as 1e-6, so that scores stay finite. Both affect the ranking of
// translations. Only log p decides which words a step keeps.
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
  double length_penalty = 1;    // alpha >= 0; 0: by log p only
  double coverage_penalty = 0;  // beta >= 0; 0: none
  std::size_t max_length = 0;   // words a translation may have; 0: twice its source's words plus 10
  std::size_t at_most = 0;      // words, if max_length is 0; 0: no other limit (a picture has many cells)
  bool weights = true;          // hypotheses store their attention; apps drop it if nobody reads it
};

// Throws std::invalid_argument if beam is 0, if n_best is 0 or exceeds beam, or if alpha or beta is negative or not
// finite.
void check(const BeamOptions& options);

double length_penalty(const BeamOptions& options, std::size_t length);             // lp
double coverage_penalty(const BeamOptions& options, const data::Matrix& weights);  // cp <= 0

}  // namespace softalign::models
