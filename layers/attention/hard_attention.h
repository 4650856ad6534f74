// With hard attention, a step attends to one sampled position instead of the mean of all positions. Xu et al. 2015,
// "Show, attend and tell", section 4.1:
//
//   s_t ~ Multinomial(alpha_t)            z_t = a_{s_t}                                             eq. 8-9
//
// models/training/hard_attention.h trains it (REINFORCE).
#pragma once

#include <functional>
#include <vector>

#include "autograd/random.h"
#include "layers/attention/memory.h"

namespace softalign::layers {

// A SampledAttention is one step of a decoder with hard attention.
struct SampledAttention {
  Var alpha;   // (R, S)
  Ids places;  // (R) s_t; -1: the row saw the mean of all
};

// A Draw chooses one position per row of alpha (R, S), for example by sampling.
using Draw = std::function<Ids(const Array& alpha)>;

// Returns the position with the largest weight. Inference uses it.
Ids largest_places(const Array& alpha);

// Returns the hook of hard attention: the weight is 1 at the sampled position and 0 elsewhere. The hook samples from
// the softmax of the scores, so earlier hooks do not count. If `sampled` is given, each step adds an entry to it. A
// step with several heads throws std::invalid_argument.
AttentionHook hard_attention_hook(const Draw& draw, std::vector<SampledAttention>* sampled = nullptr);

}  // namespace softalign::layers
