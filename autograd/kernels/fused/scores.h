// One attention step over a memory that is never copied: scores, a window over them, and the weighted sum.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// Additive scores, for the definition in layers/attention/scores.h.
// e_rj = v' tanh(q_r + k_j + w cov_rj)      q (R, A), k (S, B, A), v (A), sentence (R): each row's b in 0 .. B-1;
// cov (R, S) and w (A), or both undefined: no such term  ->  (R, S). std::invalid_argument: sizes that do not fit.
//   ds_rj = de_rj v (1 - tanh^2)      dq_r = sum_j ds_rj      dk_j += ds_rj      dv = sum_rj de_rj tanh_rj
//   dcov_rj = ds_rj . w               dw = sum_rj ds_rj cov_rj
Var additive_scores(const Var& q, const Var& k, const Var& v, const Var& cov, const Var& w, const Ids& sentence);

// Dot products, for the definition in layers/attention/scores.h.
// e_rj = q_r . k_j      q (R, A), k (S, B, A), sentence (R): each row's b  ->  (R, S). std::invalid_argument: sizes
// that do not fit.
//   dq_r = sum_j de_rj k_j      dk_j += de_rj q_r
Var dot_scores(const Var& q, const Var& k, const Ids& sentence);

// A Gaussian over source positions, for the definition in layers/attention/window.h.
// y_rj = alpha_rj exp(-(j - p_r)^2 / (2 sigma^2))      alpha (R, S), p (R, 1) in steps from 0  ->  (R, S).
// std::invalid_argument: sizes that do not fit.
//   dalpha = dy y / alpha      dp_r = sum_j dy_rj y_rj (j - p_r) / sigma^2
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

// Weighted sums, for the definition in layers/attention/memory.h.
// c_r = sum_j alpha_rj h_j      alpha (R, S), h (S, B, D), sentence (R): each row's b  ->  (R, D).
// std::invalid_argument: sizes that do not fit.
//   dalpha_rj = dc_r . h_j      dh_j += alpha_rj dc_r
Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence);

}  // namespace softalign::autograd::fused
