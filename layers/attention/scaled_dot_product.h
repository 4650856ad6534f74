// Scaled dot-product attention computes all steps at once, for self-attention, causal self-attention and
// cross-attention. docs/notation.md explains the notation.
#pragma once

#include "autograd/ops/attention_mask.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/types.h"

namespace softalign::layers {

using autograd::Mask;

// Computes scaled dot-product attention in K heads. q (T, R, K*d_k) has the queries of T steps in R rows. k
// (S, B, K*d_k) and v (S, B, K*d_v) have the keys and values of S steps of B sentences. In the formula, Q, K and V are
// the columns of one head, and K' is the transpose of K.
// Attention(Q, K, V) = softmax(Q K' / sqrt(d_k) + M) V        Vaswani et al. 2017, eq. 1
// in K heads                                                  section 3.2.2
// The context is (T, R, K*d_v), and the weights are (T*R, K, S). The mask M is -infinity on padding and, if it is
// causal, on later steps (autograd/ops/attention_mask.h). If a query may not attend to any key, its weights and its
// context are 0. The tiled form (FlashAttention) never computes the weights, so it runs only if the caller wants no
// weights.
AttentionOutput attention(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                          ReturnWeights return_weights = ReturnWeights::yes);

// Computes the same as attention(), but `hook` may change the weights before the context is computed. The result has
// the changed weights. Throws std::invalid_argument if the hook returns another shape.
AttentionOutput attention_with_hook(const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask,
                                    const AttentionHook& hook);

// Each row of q, k and v has the columns of all heads. The function apart() copies the columns of each head into a
// separate matrix. together() and side_by_side() join such matrices again. Attention that is composed of simple ops
// needs these copies; fused attention does not.

// Returns a separate matrix for each of the K heads of each row: (T, R, K*d) -> (R*K, T, d).
inline Var apart(const Var& x, std::size_t K) {
  const std::size_t T = x.dim(0), R = x.dim(1), d = x.dim(2) / K;
  return reshape(transpose(reshape(x, {T, R, K, d}), {1, 2, 0, 3}), {R * K, T, d});
}

// Puts the heads of a row next to each other again: (R*K, T, d) -> (T, R, K, d).
inline Var together(const Var& x, std::size_t K) {
  return transpose(reshape(x, {x.dim(0) / K, K, x.dim(1), x.dim(2)}), {2, 0, 1, 3});
}

// Undoes apart(): joins the K heads, with d columns each, for T steps of R rows. (R*K, T, d) -> (T, R, K*d)
inline Var side_by_side(const Var& x, std::size_t K) {
  return reshape(together(x, K), {x.dim(1), x.dim(0) / K, K * x.dim(2)});
}

}  // namespace softalign::layers
