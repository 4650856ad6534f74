// This file computes the E step for one pair: the probability that a source word generated a target word, given both
// sentences. data/alignment/em/diagonal.h explains the notation.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/em/diagonal.h"
#include "data/alignment/em/jumps.h"

namespace softalign::data {

struct Posteriors {
  std::vector<double> p;      // (m, n+1)  p(a_i = j | e, f); column 0 is the empty word, rows sum to 1
  double log_likelihood = 0;  // log p(e | f, m, n), nats
  JumpCounts jumps;           // of the hidden Markov model alone
};

// t (m, n+1) has t(e_i | f_j). None is below 0, and each row has one above 0.
//
// p(e, a | f, m, n) = prod_i delta(a_i | i, m, n) t(e_i | f_{a_i})
// p(a_i = j | e, f) = delta(a_i = j) t(e_i | f_j) / sum_l delta(a_i = l) t(e_i | f_l)
Posteriors posteriors(const Diagonal& diagonal, const std::vector<double>& t, std::size_t m, std::size_t n);

// p(e, a | f, m, n) = prod_i p(a_i | a_{i-1}, n) t(e_i | f_{a_i}). The forward-backward algorithm computes the
// posteriors, in time that grows with m n Transitions::reach. It counts jumps only if an M step follows.
enum class Count { nothing, jumps };
Posteriors posteriors(const Jumps& jumps, const std::vector<double>& t, std::size_t m, std::size_t n,
                      Count count = Count::jumps);

}  // namespace softalign::data
