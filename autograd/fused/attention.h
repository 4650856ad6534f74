// Attention over a memory that is never copied: rows of the decoder name the sentence they look at.
// Letters: B sentences, S steps, A attention size, D memory size, R decoder rows. Memories are time-major, row j*B + b.
#pragma once

#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// e_rj = v' tanh(q_r + k_j)      Bahdanau et al. 2015, section 3.1 (a(s_{i-1}, h_j)) and appendix A.1.2,
// with q = W_a s_{i-1} (R, A) and k = U_a h (S*B, A) already projected, v (A), sentence (R) each row's b.  ->  (R, S)
//   ds = de v (1 - tanh^2)       dq_r = sum_j ds_rj     dk_j += ds_rj     dv = sum_rj de_rj tanh_rj
Var additive_scores(const Var& query, const Var& keys, const Var& v, const Ids& sentence, std::size_t sentences);

// The same with coverage: e_rj = v' tanh(q_r + k_j + w_c cov_rj)      Tu et al. 2016, eq. 8; See et al. 2017, eq. 11,
// where cov (R, S) is how much attention each word has had so far, and w_c (A).
//   dcov_rj = ds_rj . w_c        dw_c = sum_rj ds_rj cov_rj
Var additive_scores(const Var& query, const Var& keys, const Var& v, const Var& coverage, const Var& w_c,
                    const Ids& sentence, std::size_t sentences);

// e_rj = q_r . k_j               Luong et al. 2015, eq. 8: dot, and general with q W_a for q; Vaswani et al. 2017, eq. 1
// before its scale. q (R, A), k (S*B, A)  ->  (R, S)
//   dq_r = sum_j de_rj k_j       dk_j += de_rj q_r
Var dot_scores(const Var& query, const Var& keys, const Ids& sentence, std::size_t sentences);

// y_rj = alpha_rj exp(-(j - p_r)^2 / (2 sigma^2))      sigma = D/2, Luong et al. 2015, eq. 10.
// alpha (R, S), centre p (R, 1) in steps from 0  ->  (R, S). A D that is not positive is std::invalid_argument.
//   dalpha = dy y / alpha        dp_r = sum_j dy_rj y_rj (j - p_r) / sigma^2
Var gaussian_window(const Var& weights, const Var& centre, Real D);

// c_r = sum_j alpha_rj h_j       Bahdanau et al. 2015, eq. 5; alpha (R, S), h (S*B, D)  ->  (R, D)
//   dalpha_rj = dc_r . h_j       dh_j += alpha_rj dc_r
Var weighted_sum(const Var& weights, const Var& states, const Ids& sentence, std::size_t sentences);

}  // namespace autograd::inline SOFTALIGN_PRECISION
