// Hard attention: a step attends to one sampled position instead of the mean of all. Xu et al. 2015, "Show, attend and
// tell", section 4.1:
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

// One step of a decoder with hard attention.
struct SampledAttention {
  Var alpha;   // (R, S)
  Ids places;  // (R) s_t; -1: the row saw the mean of all
};

// Turns alpha (R, S) into positions, as above.
using Draw = std::function<Ids(const Array& alpha)>;

// The position with the largest weight, for inference.
Ids largest_places(const Array& alpha);

// The hook of hard attention: the weight is 1 at the sampled position and 0 elsewhere. It samples from the softmax of
// the scores, so earlier hooks do not count. With `sampled` each step adds one. std::invalid_argument in a step with
// several heads.
AttentionHook hard_attention_hook(const Draw& draw, std::vector<SampledAttention>* sampled = nullptr);

}  // namespace softalign::layers
