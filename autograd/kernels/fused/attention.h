// Attention of all steps at once, in several heads: with its weights, in tiles, and linear (without softmax). A head is
// a range of columns that is read and written where it stands: nothing is transposed or copied.
#pragma once

#include <cstddef>

#include "autograd/ops/mask.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// Attention with its weights, for the definition in layers/attention/scaled_dot_product.h.
// A_k = softmax(Q_k K_k' / sqrt(d) + M)      Q_k: columns k d .. (k+1) d - 1 of q (T, R, K*d); K_k: of k (S, B, K*d)
// M_tj = 0 where the mask lets t look at j, else -inf                            ->  (T, R, K, S)
//   dE = A (dA - rowsum(dA A)) / sqrt(d)      dQ_k += dE K_k      dK_k += dE' Q_k
// A row that may look at nothing is 0. std::invalid_argument: sizes that do not fit.
Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask);

// O_k = A_k V_k      A (T, R, K, S)  v (S, B, K*d)  ->  (T, R, K*d)      dA_k = dO_k V_k'      dV_k += A_k' dO_k
Var attention_context(const Var& A, const Var& v, const Mask& mask);

// Attention in tiles, for the definition in layers/attention/scaled_dot_product.h: no weight outlives its tile, so
// memory grows with the length and not with its square. Dao et al. 2022, "FlashAttention: fast and memory-efficient
// exact attention with IO-awareness", algorithm 1; the running softmax is Milakov & Gimelshein's (2018).
// O_k = softmax(Q_k K_k' / sqrt(d) + M) V_k      as attention_weights and attention_context: (T, R, K*d)
//   for every tile of keys:  e = q K' / sqrt(d)   m' = max(m, rowmax e)   p = e^(e - m')
//                            l = e^(m - m') l + rowsum p   o = e^(m - m') o + p V   m = m'       at the end o / l
// Backward, from L = m + log l alone (appendix B.4):
//   P = e^(e - L)   D = rowsum(dO O)   dS = P (dO V' - D) / sqrt(d)   dV += P' dO   dQ += dS K   dK += dS' Q
Var tiled_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask);

// Causal products without softmax, for the definition in layers/fast_weights/fast_weights.h.
// Of each head, its columns of q, k (T, B, K*m) and v (T, B, K*d) -> (T, B, K*d):
//   y_t = sum_{i <= t} (q_t' k_i) v_i
// In chunks of 32 steps: within one as a product of matrices with the future cut off, and what was before it from
// S = sum k_i v_i'. Neither scores of all steps nor a state of each are kept: backwards S is made again.
//   dq_t = S_t dy_t      with G_t = sum_{s >= t} q_s dy_s':   dk_t = G_t v_t   dv_t = G_t' k_t
// Katharopoulos et al. 2020, section 3.3.1. std::invalid_argument: sizes that do not fit.
Var linear_attention(const Var& q, const Var& k, const Var& v, std::size_t K);

}  // namespace softalign::autograd::fused
