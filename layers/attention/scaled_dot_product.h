// Scaled dot-product attention computes all steps at once: self-attention, causal self-attention and cross-attention.
// docs/notation.md explains the letters.
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
// autograd/ops/mask.h explains the mask M. It is -inf on padding and, if causal, on the future. A query without any
// allowed key gets weights and a context of 0. The tiled form (FlashAttention) computes weights only if the caller
// wants them.
AttentionOutput attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                          ReturnWeights return_weights = ReturnWeights::yes);

// Does the same, but `hook` changes the weights before the context is computed. The result has the changed weights.
// Throws std::invalid_argument if they have another shape.
AttentionOutput attention_with_hook(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                                    const AttentionHook& hook);

// The next functions split heads into separate matrices, for the definitions. The fused ops read the heads in place.

// Returns each head of each row as its own matrix: (T, R, K*d) -> (R*K, T, d)
inline Var apart(const Var& x, std::size_t K) {
  const std::size_t T = x.dim(0), R = x.dim(1), d = x.dim(2) / K;
  return reshape(transpose(reshape(x, {T, R, K, d}), {1, 2, 0, 3}), {R * K, T, d});
}

// Puts the heads of a row together: (R*K, T, d) -> (T, R, K, d)
inline Var together(const Var& x, std::size_t K) {
  return transpose(reshape(x, {x.dim(0) / K, K, x.dim(1), x.dim(2)}), {2, 0, 1, 3});
}

// Undoes apart: (R*K, T, d) -> (T, R, K*d)
inline Var side_by_side(const Var& x, std::size_t K) {
  return reshape(together(x, K), {x.dim(1), x.dim(0) / K, K * x.dim(2)});
}

}  // namespace softalign::layers
