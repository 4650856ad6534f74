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
// M: autograd/ops/mask.h, which says what a mask is: -inf on padding and, if causal, on the future. A query that may
// attend to nothing gets weights and a context of 0. Tiled (FlashAttention), weights that are not returned are not
// made: undefined.
AttentionOutput attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                          ReturnWeights return_weights = ReturnWeights::yes);

// The same, but the weights pass through `hook` on their way to the context; the weights that come back are what it
// made of them. std::invalid_argument if that has another shape.
AttentionOutput attention_with_hook(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                                    const AttentionHook& hook);

// Heads as matrices of their own, for the definitions: the fused ops read them where they stand.

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
