// BatchWeights has the attention weights of a batch, for one decoding step or for all steps. With one step, there is
// one row per hypothesis. With all steps of B sentences, row t*B + b belongs to step t of sentence b. The weights are
// Vars, because a loss may supervise them. models/search/sentence_weights.h copies the numbers of one sentence.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/var.h"
#include "data/alignment/attention_weights.h"
#include "layers/attention/memory.h"

namespace softalign::models {

using autograd::Var;

// Heads has the attention weights of all heads of one layer.
struct Heads {
  std::size_t layer = 0;
  data::HeadKind kind = data::HeadKind::cross;
  Var weights;  // (R, K, S) rows sum to 1 or 0; 0 on padding, and on later words if causal
};

struct BatchWeights {
  Var matrix;                     // (R, S) the weights for alignments; undefined if the model has no attention
  std::vector<Heads> heads = {};  // single heads, from which `matrix` is computed; empty if there is one head
  Var gate = {};  // (R, 1) the share of the context that the gate lets through; undefined without a gate
};

// Returns the attention weights of a batch, for a decoder with one attention layer. If a gate of the decoder scales the
// context, `gate` has the values of this gate.
BatchWeights weights_of(const layers::AttentionOutput& attended, const Var& gate = {});

// Joins the weights of several steps into one result, in the order of the steps. B rows per step become T*B rows for T
// steps.
BatchWeights concat(const std::vector<BatchWeights>& steps);

}  // namespace softalign::models
