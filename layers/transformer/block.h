// This file has the layers of a Transformer's encoder and decoder: Vaswani et al. 2017, section 3.1. A layer is a stack
// of sub-layers: attention and a feed-forward network. Each sub-layer has a residual connection and a layer norm around
// it. docs/notation.md explains the letters.
#pragma once

#include "autograd/ops/elementwise.h"
#include "layers/attention/multi_head.h"
#include "layers/dense/layer_norm.h"
#include "layers/dense/linear.h"
#include "layers/transformer/norm_based_analysis.h"
#include "layers/transformer/self_attention.h"

namespace softalign::layers {

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2                Vaswani et al. 2017, eq. 2; x (.., d) -> (.., d)
struct FeedForward {
  Linear first;   // (d, f)
  Linear second;  // (f, d)
  FeedForward(const Params& p, std::size_t d, std::size_t f, const InitialiserConfig& init)
      : first(p / "first", d, f, init.input(1)), second(p / "second", f, d, init.input(1)) {}
  Var operator()(const Var& x) const { return second(relu(first(x))); }
};

struct BlockOptions {
  SelfAttention::Options self = {};  // with the width d and the heads K of all attention
  std::size_t feed_forward = 0;      // f
  Norm norm = Norm::pre;
  Dropout dropout = {};
};

// An EncoderBlock is a layer of the encoder. It computes x <- Residual(self-attention)(x), then x <- Residual(FFN)(x).
// With a causal mask, it is a layer of a language model.
class EncoderBlock {
 public:
  EncoderBlock(const Params& p, const BlockOptions& options, const InitialiserConfig& init);

  struct Output {
    Var x;               // (S, B, d)
    Var weights;         // (S*B, K, S) of self-attention, if they are wanted and there are any
    KVCache cache = {};  // after a step
  };
  // Computes all steps. x is (S, B, d), and the mask has its lengths.
  Output operator()(const Var& x, const Mask& mask, ReturnWeights return_weights, Random* random) const;
  // With a causal mask, computes step t, counted from 0, of R rows after the steps in the cache. x is (1, R, d).
  Output step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  SelfAttention self_;
  FeedForward feed_forward_;
  Residual about_self_, about_feed_forward_;
};

// A DecoderBlock is a layer of the decoder: causal self-attention, attention to a memory, and FFN. Each one is
// residual.
class DecoderBlock {
 public:
  DecoderBlock(const Params& p, const BlockOptions& options, const InitialiserConfig& init);

  // Computes keys and values from the memory's states (S, B, d), once per sentence.
  MultiHead::Keys memory(const Var& states) const { return cross_.keys(states); }

  NormBasedWeights norms(const MultiHead::Keys& memory) const { return {cross_, memory.values}; }

  struct Output {
    Var x;               // (T, R, d)
    Var self;            // weights (T*R, K, T) of self-attention, if they are wanted and there are any
    Var cross;           // weights (T*R, K, S) of the attention to the memory
    KVCache cache = {};  // after a step
  };
  // Computes all steps at once: x is (T, R, d). `mask` says which states each row may attend to. A `hook` changes the
  // weights of cross-attention.
  Output operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask, ReturnWeights return_weights,
                    Random* random, const AttentionHook& hook = {}) const;
  // Computes step t, counted from 0, of R rows after the steps in the cache: x is (1, R, d).
  Output step(const Var& x, std::size_t t, const KVCache& cache, const MultiHead::Keys& memory, const Mask& mask,
              const AttentionHook& hook = {}) const;

 private:
  // self maps a Var to a Var: the attention of x's steps to themselves. The other sub-layers follow.
  template <class Self>
  Output after(const Var& x, const Self& self, const MultiHead::Keys& memory, const Mask& mask, Random* random,
               const AttentionHook& hook) const;

  SelfAttention self_;
  MultiHead cross_;
  FeedForward feed_forward_;
  Residual about_self_, about_cross_, about_feed_forward_;
};

}  // namespace softalign::layers
