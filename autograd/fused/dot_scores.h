// Dot products with a memory that is never copied, for the definition in layers/attention/dot.h.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// e_rj = q_r . k_j      q (R, A), k (S, B, A), sentence (R): each row's b  ->  (R, S). std::invalid_argument: sizes
// that do not fit.
//   dq_r = sum_j de_rj k_j      dk_j += de_rj q_r
Var dot_scores(const Var& q, const Var& k, const Ids& sentence);

}  // namespace softalign::autograd::fused
