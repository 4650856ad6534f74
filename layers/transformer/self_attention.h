// Self-attention of a Transformer layer computes the context of each step from the steps of the same stack. There are
// five rules to choose from. docs/notation.md explains the letters.
#pragma once

#include <variant>

#include "layers/attention/kv_cache.h"
#include "layers/attention/multi_head.h"
#include "layers/attention/positional.h"
#include "layers/fast_weights/fast_weight_self_attention.h"
#include "layers/kinds.h"

namespace softalign::layers {

// SoftmaxSelfAttention is MultiHead(x, x), Vaswani et al. 2017, section 3.2.3. As an option, it rotates queries and
// keys by their positions (RoPE).
class SoftmaxSelfAttention {
 public:
  SoftmaxSelfAttention(const Params& p, std::size_t d, std::size_t heads, bool rotary, const InitialiserConfig& init)
      : attention_(p, d, heads, init), rotary_(rotary) {}

  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  struct Projected {
    Var q;
    MultiHead::Keys y;
  };
  Projected projected(const Var& x, std::size_t first) const;  // whose first step is at position `first`

  MultiHead attention_;
  bool rotary_;
};

class SelfAttention {
 public:
  // softmax     a_ti = softmax(q_t' k_i / sqrt(d_k))                     above
  // linear      a_ti ~ phi(q_t)' phi(k_i)                                layers/fast_weights
  // delta       fast weights that are corrected, not added to            the same
  // positional  a_ti = softmax(P_ti / sqrt(d_k)), whatever the words     layers/attention/positional.h
  // factorized  the same with P = F_1 F_2'
  using Kind = SelfAttentionKind;

  struct Options {
    Kind kind = Kind::softmax;
    std::size_t width = 0;          // d
    std::size_t heads = 1;          // K
    bool rotary = false;            // softmax: queries and keys are rotated (layers/transformer/positions.h)
    std::size_t max_positions = 0;  // L that positional and factorized know
  };
  // Throws std::invalid_argument if K does not divide d.
  SelfAttention(const Params& p, const Options& options, const InitialiserConfig& init);

  // Computes all steps: x (T, B, d) -> context (T, B, d) and, if the caller wants them, weights (T*B, K, T). For delta,
  // the weights are undefined, because it has none. Throws std::invalid_argument if there are more steps than
  // positions.
  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  // Computes step t, counted from 0, of R rows after the steps in the cache: x (1, R, d).
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  std::variant<SoftmaxSelfAttention, FastWeightSelfAttention, PositionalSelfAttention> rule_;
};

}  // namespace softalign::layers
