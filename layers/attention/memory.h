// Memory has the keys and values of an attention. AttentionOutput has its result. A hook may change its weights.
// docs/notation.md explains the letters.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

struct Memory {
  std::size_t sentences = 0;         // B
  std::size_t steps = 0;             // S
  std::vector<std::size_t> lengths;  // (B) number of states of each source: its words with </s>, for example
  Var keys;                          // (S, B, ..) queries are compared with these
  Var values;                        // (S, B, ..) the context is their mean: h_j, or its projection
};

struct AttentionOutput {
  Var context;  // (R, D) c_i = sum_j alpha_ij h_j
  Var weights;  // (R, K, S) alpha_ij of each head, rows sum to 1, exactly 0 on padding
};

enum class ReturnWeights { no, yes };  // besides the context

// Returns the mean of the weights over the heads, for an alignment: (R, K, S) -> (R, S).
Var mean_over_heads(const Var& weights);

// Returns the part of a memory x (S, B, K) that each row attends to, as a copy for each row (R, S, K). The definitions
// need this copy.
inline Var of_rows(const Var& x, const Ids& sentence) {
  const std::size_t S = x.dim(0), B = x.dim(1), K = x.dim(2);
  const Var by_sentence = reshape(transpose(x, {1, 0, 2}), {B, S * K});
  return reshape(gather(by_sentence, sentence), {sentence.size(), S, K});
}

// c_i = sum_j alpha_ij h_j             Bahdanau et al. 2015, eq. 5; alpha (R, S), h (S, B, D)  ->  (R, D)
inline Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::weighted_sum>(
      [&] { return autograd::fused::weighted_sum(alpha, h, sentence); },
      [&] {
        const Var c = batched_matmul(reshape(alpha, {alpha.dim(0), 1, alpha.dim(1)}), of_rows(h, sentence));
        return reshape(c, {alpha.dim(0), h.dim(2)});
      });
}

// HookInput is the input of an attention hook. It describes one attention before the context is computed.
struct HookInput {
  Var scores;   // (R, K, S) e_ij, with the logarithm of a Gaussian window if there is one; -inf where it may not attend
  Var weights;  // (R, K, S) alpha_ij, the softmax of the scores, or as an earlier hook changed it
  Var mass;     // (R, K, 1) sum of the weights: 1, or less under a Gaussian window
  Var values;   // (S, B*K, ..) the context is their mean
  std::size_t layer = 0;  // of a decoder with several attentions
};

// An attention hook returns the weights (R, K, S) to use instead of the attention's own weights. A hook that only
// observes returns the attention's weights.
using AttentionHook = std::function<Var(const HookInput& input)>;

// Applies `hook` to alpha (R, K, S), the softmax of e in a window (R, K, S) of weights from 0 to 1. Under a `gaussian`
// window, rows keep their sum. Otherwise the sum is 1, and the code does not use it: the rounding error of its gradient
// would be the only gradient that sampled attention gives to the scores. Throws std::invalid_argument if the hook
// returns another shape.
Var hooked_weights(const AttentionHook& hook, const Var& e, const Var& window, bool gaussian, const Var& alpha,
                   const Var& values, std::size_t layer = 0);

}  // namespace softalign::layers
