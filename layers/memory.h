// Memory: what the encoder leaves for the decoder to attend to, and Glimpse: what one look at it returns.
#pragma once

#include <cstddef>

#include "layers/types.h"

namespace layers {

// Letters: B sentences, S source steps, D memory size, A attention size, R decoder rows (hypotheses; B in training).
struct Memory {
  std::size_t sentences = 0;  // B
  std::size_t steps = 0;      // S
  Var states;                 // (S*B, D) h_j of sentence b in row j*B + b
  Var keys;                   // (S*B, A) U_a h_j, projected once per sentence; undefined for scores that need none
  Array mask;                 // (B, S) 1 where there is a word, 0 on padding
  Var summary;                // (B, ..) what the decoder starts from
};

struct Glimpse {
  Var context;  // (R, D) c_i = sum_j alpha_ij h_j
  Var weights;  // (R, S) alpha_ij, rows sum to 1, exactly 0 on padding
};

}  // namespace layers
