// Memory: what an attention looks at, and Glimpse: what comes of it.
#pragma once

#include <cstddef>
#include <functional>

#include "layers/types.h"

namespace layers {

// Letters: B sentences, S source steps, D memory size, A attention size, R decoder rows (hypotheses; B in training).
struct Memory {
  std::size_t sentences = 0;         // B
  std::size_t steps = 0;             // S
  std::vector<std::size_t> lengths;  // (B) words of each sentence, </s> counted, or whatever else a state stands for
  Var keys;                          // (S*B, ..) what a query is compared with, of sentence b in rows j*B + b
  Var values;                        // (S*B, ..) what is averaged: h_j, or its projection
};

struct Glimpse {
  Var context;  // (R, D) c_i = sum_j alpha_ij h_j
  Var weights;  // (R, K, S) alpha_ij of each head, rows sum to 1, exactly 0 on padding
};

// The weights that an alignment is read off, the mean over the heads: (R, K, S) -> (R, S)
Var mean_over_heads(const Var& weights);

// Other weights in place of an attention's own, both (R, K, S).
using Reweight = std::function<Var(const Var& weights)>;

}  // namespace layers
