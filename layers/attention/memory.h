// AttentionMemory has the keys and values that attention reads, and AttentionOutput has its result. A hook is a
// function that may change the attention weights. docs/notation.md explains the notation.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/ops/fused.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

struct AttentionMemory {
  std::size_t sentences = 0;         // B
  std::size_t steps = 0;             // S
  std::vector<std::size_t> lengths;  // (B) number of states of each source: its words with </s>, for example
  Var keys;                          // (S, B, ..) queries are compared with these
  Var values;                        // (S, B, ..) h_j or its projection; the context is their weighted mean
};

struct AttentionOutput {
  Var context;  // (R, D) c_i = sum_j alpha_ij h_j
  Var weights;  // (R, K, S) alpha_ij of each head, rows sum to 1, exactly 0 on padding
};

enum class ReturnWeights { no, yes };  // whether attention returns its weights too

// Averages weights (R, K, S) of R rows and S positions over K heads. The mean (R, S) can serve as an alignment.
Var mean_over_heads(const Var& weights);

// Copies one sentence for each of R rows: row r attends to the sentence sentence[r], and entry r of the result (R, S,
// K) has all S steps of this sentence. x (S, B, K) has the steps of B sentences, with K numbers per step. Only ops that
// are composed of simple ops (autograd/kernels.h) need this copy.
inline Var of_rows(const Var& x, const Ids& sentence) {
  const std::size_t S = x.dim(0), B = x.dim(1), K = x.dim(2);
  const Var by_sentence = reshape(transpose(x, {1, 0, 2}), {B, S * K});
  return reshape(gather(by_sentence, sentence), {sentence.size(), S, K});
}

// Returns the context c_i of each of R rows: the sum of the encoder outputs h_j of S positions, weighted by the
// attention weights alpha_ij. An encoder output has D numbers. Row i belongs to sentence sentence[i] of B sentences.
// c_i = sum_j alpha_ij h_j             Bahdanau et al. 2015, eq. 5; alpha (R, S), h (S, B, D)  ->  (R, D)
inline Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::weighted_sum>(
      [&] { return autograd::fused::weighted_sum(alpha, h, sentence); },
      [&] {
        const Var c = batched_matmul(reshape(alpha, {alpha.dim(0), 1, alpha.dim(1)}), of_rows(h, sentence));
        return reshape(c, {alpha.dim(0), h.dim(2)});
      });
}

// HookInput is what an attention hook receives. It describes one step of attention before the context is computed.
struct HookInput {
  Var scores;             // (R, K, S) e_ij plus the logarithm of the Gaussian window, if any; -inf outside the window
  Var weights;            // (R, K, S) alpha_ij, the softmax of the scores, or as an earlier hook changed it
  Var mass;               // (R, K, 1) sum of the weights: 1, or less under a Gaussian window
  Var values;             // (S, B*K, ..) the context is their weighted mean
  std::size_t layer = 0;  // number of the layer, if a decoder has several
};

// An attention hook returns the weights that the attention uses instead of its own weights, for R rows, K heads and S
// positions: (R, K, S). A hook that only observes returns the attention's own weights.
using AttentionHook = std::function<Var(const HookInput& input)>;

// Applies `hook` to the attention weights alpha (R, K, S) of R rows, K heads and S positions. alpha is the softmax of
// the scores e. `window` (R, K, S) has numbers from 0 to 1 that say how much of each position's weight the window
// keeps. If the window is `gaussian`, the rows of alpha sum to less than 1, and the function scales the changed weights
// to the same sums. Otherwise it does not scale the weights. Scaling has rounding errors, which would give the scores a
// small gradient. With hard attention, the scores must have none. Throws std::invalid_argument if the hook returns
// another shape.
Var hooked_weights(const AttentionHook& hook, const Var& e, const Var& window, bool gaussian, const Var& alpha,
                   const Var& values, std::size_t layer = 0);

}  // namespace softalign::layers
