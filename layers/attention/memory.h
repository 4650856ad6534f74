// Memory: what the encoder leaves for the decoder to attend to, and Glimpse: what one look at it returns.
#pragma once

#include <cstddef>

#include "layers/types.h"

namespace layers {

// Letters: B sentences, S source steps, D memory size, A attention size, R decoder rows (hypotheses; B in training).
struct Memory {
  std::size_t sentences = 0;         // B
  std::size_t steps = 0;             // S
  std::vector<std::size_t> lengths;  // (B) words of each sentence, </s> counted
  States summary;                    // what the decoder starts from, each (B, ..)
  // The rest is there only where a model has attention.
  Var states;  // (S*B, D) h_j of sentence b in row j*B + b
  Var keys;    // (S*B, ..) what a query is compared with, once per sentence: the attention's own
  Var values;  // (S*B, ..) what is averaged: h_j, or its projection
  // An intervention: weights for the next look in place of the attention's own, of the shape of Glimpse.weights, or of
  // Glimpse.heads where there are several. Only the attention sees it; undefined where nothing is imposed.
  Var imposed;
  std::vector<Memory> members;  // of an ensemble (models/search/ensemble.h): what each model's encoder leaves
};

// A memory without states of as many sentences as there are lengths.
Memory blank_memory(const std::vector<std::size_t>& lengths, std::size_t steps);

struct Glimpse {
  Var context;  // (R, D) c_i = sum_j alpha_ij h_j
  Var weights;  // (R, S) alpha_ij, rows sum to 1, exactly 0 on padding
  Var heads;    // (R, K, S) each head's, `weights` being their mean; undefined unless there are several
};

}  // namespace layers
