// Causal products without softmax, for the definition in layers/fast_weights/fast_weights.h.
#pragma once

#include <cstddef>

#include "autograd/var.h"

namespace softalign::autograd::fused {

// Of each head, its columns of q, k (T, B, K*m) and v (T, B, K*d) -> (T, B, K*d):
//   y_t = sum_{i <= t} (q_t' k_i) v_i
// In chunks of 32 steps: within one as a product of matrices with the future cut off, and what was before it from
// S = sum k_i v_i'. Neither scores of all steps nor a state of each are kept: backwards S is made again.
//   dq_t = S_t dy_t      with G_t = sum_{s >= t} q_s dy_s':   dk_t = G_t v_t   dv_t = G_t' k_t
// Katharopoulos et al. 2020, section 3.3.1. std::invalid_argument: sizes that do not fit.
Var linear_attention(const Var& q, const Var& k, const Var& v, std::size_t K);

}  // namespace softalign::autograd::fused
