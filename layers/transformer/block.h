// This file has the layers of a Transformer's encoder and decoder: Vaswani et al. 2017, section 3.1. A layer is a
// sequence of sub-layers: attention and a feed-forward network. Each sub-layer has a residual connection and a layer
// norm. docs/notation.md explains the notation.
#pragma once

#include "autograd/ops/elementwise.h"
#include "layers/attention/multi_head.h"
#include "layers/dense/layer_norm.h"
#include "layers/dense/linear.h"
#include "layers/transformer/norm_based_analysis.h"
#include "layers/transformer/self_attention.h"

namespace softalign::layers {

// FeedForward is a network with one hidden layer of f numbers, which processes each row of x (.., d) separately.
// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2                Vaswani et al. 2017, eq. 2
struct FeedForward {
  Linear first;   // (d, f)
  Linear second;  // (f, d)
  FeedForward(const Params& p, std::size_t d, std::size_t f, const InitialiserConfig& init)
      : first(p / "first", d, f, init.input(1)), second(p / "second", f, d, init.input(1)) {}
  Var operator()(const Var& x) const { return second(relu(first(x))); }
};

struct BlockOptions {
  SelfAttention::Options self = {};  // its width d and its number of heads K apply to cross-attention too
  std::size_t feed_forward = 0;      // f
  Norm norm = Norm::pre;
  Dropout dropout = {};
};

// An EncoderBlock is one layer of the encoder. It applies self-attention and then a feed-forward network (FFN) to its
// input, each with a residual connection. With a causal mask, it is a layer of a language model.
class EncoderBlock {
 public:
  EncoderBlock(const Params& p, const BlockOptions& options, const InitialiserConfig& init);

  struct Output {
    Var x;               // (S, B, d)
    Var weights;         // (S*B, K, S) of self-attention, if the caller wants them and they exist
    KVCache cache = {};  // after a step
  };
  // Computes all S steps of B sentences. x (S, B, d) has d numbers per step. The mask has the lengths of the sentences.
  Output operator()(const Var& x, const Mask& mask, ReturnWeights return_weights, Random* random) const;
  // Computes step t, counted from 0, of R rows. x (1, R, d) has d numbers per row. The cache has the keys and values of
  // the earlier steps. The layer must be causal.
  Output step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  SelfAttention self_;
  FeedForward feed_forward_;
  Residual residual_self_, residual_feed_forward_;
};

// A DecoderBlock is one layer of the decoder. It applies causal self-attention, attention to the encoder output (the
// memory) and a feed-forward network, each with a residual connection.
class DecoderBlock {
 public:
  DecoderBlock(const Params& p, const BlockOptions& options, const InitialiserConfig& init);

  // Computes keys and values from the encoder outputs `states` (S, B, d), once per sentence. An output has d numbers.
  MultiHead::Keys memory(const Var& states) const { return cross_.keys(states); }

  NormBasedWeights norms(const MultiHead::Keys& memory) const { return {cross_, memory.values}; }

  struct Output {
    Var x;               // (T, R, d)
    Var self;            // weights (T*R, K, T) of self-attention, if the caller wants them and they exist
    Var cross;           // weights (T*R, K, S) of the attention to the memory
    KVCache cache = {};  // after a step
  };
  // Computes all T steps of R rows at once. x (T, R, d) has d numbers per step. `mask` says which encoder outputs each
  // row may attend to. A `hook` may change the weights of cross-attention.
  Output operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask, ReturnWeights return_weights,
                    Random* random, const AttentionHook& hook = {}) const;
  // Computes step t, counted from 0, of R rows. x (1, R, d) has d numbers per row. The cache has the keys and values of
  // the earlier steps.
  Output step(const Var& x, std::size_t t, const KVCache& cache, const MultiHead::Keys& memory, const Mask& mask,
              const AttentionHook& hook = {}) const;

 private:
  // Applies all sub-layers to x. `self` is a function from a Var to a Var that computes the self-attention.
  template <class Self>
  Output after(const Var& x, const Self& self, const MultiHead::Keys& memory, const Mask& mask, Random* random,
               const AttentionHook& hook) const;

  SelfAttention self_;
  MultiHead cross_;
  FeedForward feed_forward_;
  Residual residual_self_, residual_cross_, residual_feed_forward_;
};

}  // namespace softalign::layers
