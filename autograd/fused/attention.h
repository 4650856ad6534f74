// Attention over a memory that is never copied: rows of the decoder name the sentence they look at.
// Letters: B sentences, S steps, A attention size, D memory size, R decoder rows. Memories are time-major, row j*B + b.
#pragma once

#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// e_rj = v' tanh(q_r + k_j)      Bahdanau et al. 2015, eq. in section 3.1 (a(s_{i-1}, h_j)) and appendix A.1.2,
// with q = W_a s_{i-1} (R, A) and k = U_a h (S*B, A) already projected, v (A), sentence (R) each row's b.  ->  (R, S)
//   ds = de v (1 - tanh^2)       dq_r = sum_j ds_rj     dk_j += ds_rj     dv = sum_rj de_rj tanh_rj
Var additive_scores(const Var& query, const Var& keys, const Var& v, const Ids& sentence, std::size_t sentences);

// c_r = sum_j alpha_rj h_j       Bahdanau et al. 2015, eq. 5; alpha (R, S), h (S*B, D)  ->  (R, D)
//   dalpha_rj = dc_r . h_j       dh_j += alpha_rj dc_r
Var weighted_sum(const Var& weights, const Var& states, const Ids& sentence, std::size_t sentences);

}  // namespace autograd::inline SOFTALIGN_PRECISION
