// These functions compute the E step of EM (expectation maximisation) for one sentence pair. The result is the
// probability that a source word generated a target word, given both sentences. diagonal.h explains the notation.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/em/diagonal.h"
#include "data/alignment/em/jumps.h"

namespace softalign::data {

struct Posteriors {
  std::vector<double> p;      // (m, n+1)  p(a_i = j | e, f); column 0 is the empty word, rows sum to 1
  double log_likelihood = 0;  // log p(e | f, m, n), nats
  JumpCounts jumps;           // only with the prior of jumps
};

// Computes the probabilities of links in a pair, with the prior that prefers the diagonal. t (m, n+1) has the
// translation probability t(e_i | f_j) of each target word e_i for each source word f_j and for the empty word f_0. No
// t is negative, and each row has at least one t above 0.
//
//   p(e, a | f, m, n) = prod_i delta(a_i | i, m, n) t(e_i | f_{a_i})
//   p(a_i = j | e, f) = delta(a_i = j) t(e_i | f_j) / sum_l delta(a_i = l) t(e_i | f_l)
//
// delta is the prior, and a_i = j means that source word j generated target word i. The second line is the result for m
// target words e and n source words f.
// The argument `delta` (m, n+1) is the result of diagonal_prior.
Posteriors posteriors(std::vector<double> delta, const std::vector<double>& t, std::size_t m, std::size_t n);

// Computes the probabilities of links in a pair, with the prior that prefers short jumps. It uses the forward-backward
// algorithm for hidden Markov models. The model is p(e, a | f, m, n) = prod_i p(a_i | a_{i-1}, n) t(e_i | f_{a_i}),
// with m target words e, n source words f and links a. A has the probabilities p(a_i | a_{i-1}, n). The time grows with
// the product of m, n and Transitions::reach, the longest jump that has its own probability. With CountJumps::yes, the
// function also counts the jumps, because the update of the model (M step) needs their number.
enum class CountJumps { no, yes };
Posteriors posteriors(const Transitions& A, const std::vector<double>& t, std::size_t m,
                      CountJumps count_jumps = CountJumps::yes);

}  // namespace softalign::data
