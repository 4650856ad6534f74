// With hard attention, step t attends to one sampled position s_t, instead of a weighted mean of all positions. The
// probabilities are the attention weights alpha_t. The context z_t is the vector a_{s_t} of this position.
// Xu et al. 2015, "Show, attend and tell", section 4.1:
//
//   s_t ~ Multinomial(alpha_t)            z_t = a_{s_t}                                             eq. 8-9
//
// models/training/hard_attention.h trains a model with hard attention by the method REINFORCE.
#pragma once

#include <functional>
#include <vector>

#include "autograd/random.h"
#include "layers/attention/memory.h"

namespace softalign::layers {

// SampledAttention describes one step of a decoder with hard attention, for R rows and S positions: the weights from
// which the positions were sampled, and the positions.
struct SampledAttention {
  Var alpha;   // (R, S)
  Ids places;  // (R) s_t; -1: the row attended to all positions, as in soft attention
};

// A Draw chooses one position per row of the attention weights alpha (R, S), for example by sampling.
using Draw = std::function<Ids(const Array& alpha)>;

// Returns the position with the largest weight in each row. At test time, hard attention uses this function instead of
// sampling.
Ids largest_places(const Array& alpha);

// Returns the hook that turns attention into hard attention: the weight is 1 at the sampled position and 0 elsewhere.
// The hook samples from the softmax of the scores, so earlier hooks have no effect. If `sampled` is given, each step
// adds an entry to it. A step with several heads throws std::invalid_argument.
AttentionHook hard_attention_hook(const Draw& draw, std::vector<SampledAttention>* sampled = nullptr);

}  // namespace softalign::layers
