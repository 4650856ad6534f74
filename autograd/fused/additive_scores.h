// Additive scores over a memory that is never copied, for the definition in layers/attention/additive.h.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// e_rj = v' tanh(q_r + k_j + w cov_rj)      q (R, A), k (S, B, A), v (A), sentence (R): each row's b in 0 .. B-1;
// cov (R, S) and w (A), or both undefined: no such term  ->  (R, S). std::invalid_argument: sizes that do not fit.
//   ds_rj = de_rj v (1 - tanh^2)      dq_r = sum_j ds_rj      dk_j += ds_rj      dv = sum_rj de_rj tanh_rj
//   dcov_rj = ds_rj . w               dw = sum_rj ds_rj cov_rj
Var additive_scores(const Var& q, const Var& k, const Var& v, const Var& cov, const Var& w, const Ids& sentence);

}  // namespace softalign::autograd::fused
