// BatchWeights has the attention weights of the rows of a decoding step, or of all steps at once (row t*B + b). They
// are Vars, because a loss may supervise them. models/search/sentence_weights.h extracts the numbers of one sentence.
// docs/notation.md explains the letters.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/var.h"
#include "data/alignment/attention_weights.h"
#include "layers/attention/memory.h"

namespace softalign::models {

using autograd::Var;

// Heads has the weights of the heads of one layer's attention.
struct Heads {
  std::size_t layer = 0;
  data::HeadKind kind = data::HeadKind::cross;
  Var weights;  // (R, K, S) rows sum to 1 or 0, exactly 0 on padding and on a causal row's future
};

struct BatchWeights {
  Var matrix;                     // (R, S) the weights for alignments; undefined if the model has no attention
  std::vector<Heads> heads = {};  // single heads; `matrix` is their mean or a choice; empty if it is the only head
  Var gate = {};  // (R, 1) the share of the context that the gate lets through; undefined without a gate
};

// Returns the weights of a decoder with one attention, and with a gate (R, 1) if it has one.
BatchWeights weights_of(const layers::AttentionOutput& attended, const Var& gate = {});

// Puts the rows of all steps one below the other: T times (B, ..) -> (T*B, ..).
BatchWeights concat(const std::vector<BatchWeights>& steps);

}  // namespace softalign::models
