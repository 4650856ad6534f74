// Attention in tiles, for the definition in layers/attention/scaled_dot_product.h: no weight outlives its tile, so
// memory grows with the length and not with its square. Dao et al. 2022, "FlashAttention: fast and memory-efficient
// exact attention with IO-awareness", algorithm 1; the running softmax is Milakov & Gimelshein's (2018).
#pragma once

#include "autograd/fused/attention.h"

namespace softalign::autograd::fused {

// O_k = softmax(Q_k K_k' / sqrt(d) + M) V_k      as attention_weights and attention_context: (T, R, K*d)
//   for every tile of keys:  e = q K' / sqrt(d)   m' = max(m, rowmax e)   p = e^(e - m')
//                            l = e^(m - m') l + rowsum p   o = e^(m - m') o + p V   m = m'       at the end o / l
// Backward, from L = m + log l alone (appendix B.4):
//   P = e^(e - L)   D = rowsum(dO O)   dS = P (dO V' - D) / sqrt(d)   dV += P' dO   dQ += dS K   dK += dS' Q
Var tiled_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask);

}  // namespace softalign::autograd::fused
