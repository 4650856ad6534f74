// Scaled dot-product attention of all steps at once: self-attention, causal self-attention and cross-attention.
#pragma once

#include "autograd/ops/mask.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/types.h"

namespace softalign::layers {

using autograd::Mask;

// Attention(Q, K, V) = softmax(Q K' / sqrt(d_k) + M) V        Vaswani et al. 2017, eq. 1
// in K heads, each over its own columns                       section 3.2.2
//   q (T, R, K*d_k)   k (S, B, K*d_k)   v (S, B, K*d_v)  ->  context (T, R, K*d_v), weights (T*R, K, S)
// M: autograd/ops/mask.h, which says what a mask is: -inf on padding and, if causal, on the future. A query without any
// allowed key gets weights and a context of 0. In tiled form (FlashAttention), weights are not computed unless they are
// returned.
AttentionOutput attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                          ReturnWeights return_weights = ReturnWeights::yes);

// The same, but `hook` changes the weights before the context is computed. The returned weights are the changed ones.
// std::invalid_argument if they have another shape.
AttentionOutput attention_with_hook(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                                    const AttentionHook& hook);

// Splits heads into separate matrices, for the definitions. The fused ops read them in place.

// Each head of each row as a matrix of its own: (T, R, K*d) -> (R*K, T, d)
inline Var apart(const Var& x, std::size_t K) {
  const std::size_t T = x.dim(0), R = x.dim(1), d = x.dim(2) / K;
  return reshape(transpose(reshape(x, {T, R, K, d}), {1, 2, 0, 3}), {R * K, T, d});
}

// (R*K, T, d) -> (T, R, K, d)
inline Var together(const Var& x, std::size_t K) {
  return transpose(reshape(x, {x.dim(0) / K, K, x.dim(1), x.dim(2)}), {2, 0, 1, 3});
}

// (R*K, T, d) -> (T, R, K*d), the inverse of apart
inline Var side_by_side(const Var& x, std::size_t K) {
  return reshape(together(x, K), {x.dim(1), x.dim(0) / K, K * x.dim(2)});
}

}  // namespace softalign::layers
