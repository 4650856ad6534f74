// In self-attention, each step of a sequence attends to steps of the same sequence. This file lets a Transformer layer
// choose one of five kinds of self-attention. docs/notation.md explains the notation.
#pragma once

#include <variant>

#include "layers/attention/kv_cache.h"
#include "layers/attention/multi_head.h"
#include "layers/attention/positional.h"
#include "layers/fast_weights/fast_weight_self_attention.h"
#include "layers/kinds.h"

namespace softalign::layers {

// SoftmaxSelfAttention is the self-attention of the Transformer, MultiHead(x, x), Vaswani et al. 2017, section 3.2.3.
// As an option, it rotates queries and keys by an angle that depends on their position (RoPE).
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
  Projected projected(const Var& x, std::size_t first) const;  // the first step of x is at position `first`

  MultiHead attention_;
  bool rotary_;
};

class SelfAttention {
 public:
  // There are five kinds of self-attention. They differ in a_ti, the weight with which step t attends to step i. q_t is
  // the query of step t, k_i is the key of step i, and phi computes features of them.
  // softmax      a_ti = softmax(q_t' k_i / sqrt(d_k)), as in SoftmaxSelfAttention
  // linear       a_ti is proportional to phi(q_t)' phi(k_i), without softmax (layers/fast_weights)
  // delta        each step replaces the value of its key in a matrix of fast weights, so there are no a_ti
  // positional   a_ti = softmax(P_ti / sqrt(d_k)) with a learned score P_ti for positions t and i (layers/attention)
  // factorized   as positional, but P is the product of two smaller learned matrices F_1 and F_2'
  using Kind = SelfAttentionKind;

  struct Options {
    Kind kind = Kind::softmax;
    std::size_t width = 0;          // d
    std::size_t heads = 1;          // K
    bool rotary = false;            // softmax: queries and keys are rotated (layers/transformer/positions.h)
    std::size_t max_positions = 0;  // L, only for positional and factorized
  };
  // Throws std::invalid_argument if K does not divide d.
  SelfAttention(const Params& p, const Options& options, const InitialiserConfig& init);

  // Computes all T steps of B sentences x (T, B, d), where d is the size of a state. Returns the context (T, B, d) and,
  // if the caller wants them, the weights (T*B, K, T) of K heads. The kind `delta` has no weights. Throws
  // std::invalid_argument if `positional` or `factorized` has fewer positions than T.
  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  // Computes step t, counted from 0, of R rows x (1, R, d). `cache` has the keys and values of the steps before.
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  std::variant<SoftmaxSelfAttention, FastWeightSelfAttention, PositionalSelfAttention> rule_;
};

}  // namespace softalign::layers
