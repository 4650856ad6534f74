// Weighted sums over a memory that is never copied, for the definition in layers/attention/memory.h.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// c_r = sum_j alpha_rj h_j      alpha (R, S), h (S, B, D), sentence (R): each row's b  ->  (R, D).
// std::invalid_argument: sizes that do not fit.
//   dalpha_rj = dc_r . h_j      dh_j += alpha_rj dc_r
Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence);

}  // namespace softalign::autograd::fused
