// Weights: the attention weights of the rows of a decoding step, or of all steps at once (row t*B + b).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/var.h"
#include "data/alignment/weights.h"
#include "layers/attention/memory.h"

namespace softalign::models {

using autograd::Var;

// The heads of one layer's attention.
struct Heads {
  std::size_t layer = 0;
  std::string kind = "cross";  // as of data::Head
  Var weights;                 // (R, K, S) rows sum to 1 or 0, exactly 0 on padding and on a causal row's future
};

struct Weights {
  Var alignment;                  // (R, S) what alignments are read off; undefined if the model has no attention
  std::vector<Heads> heads = {};  // `alignment` being their mean or a choice; empty where it is the only one
  Var gate = {};                  // (R, 1) how much of the context is let through; undefined without a gate
};

// Those of a decoder with one attention, and with a gate (R, 1) if it has one.
Weights weights_of(const layers::AttentionOutput& attended, const Var& gate = {});

// The steps' rows below each other: T times (B, ..) -> (T*B, ..).
Weights concat(const std::vector<Weights>& steps);

// One sentence's weights a step further: row `row`, as far as the source's own `length`.
void append(data::Weights& sentence, const Weights& step, std::size_t row, std::size_t length);

// The self-attention of sentence `b` of a batch of B: of weights (n*B, K, n), row i*B + b, as many rows
// and columns as the sentence has words and </s> on that side.
void append(std::vector<data::Head>& sentence, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length);

}  // namespace softalign::models
