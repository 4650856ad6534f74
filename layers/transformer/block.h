// One layer of a Transformer's encoder, and one of its decoder: Vaswani et al. 2017, section 3.1. An encoder's that
// looks back only is a language model's.
#pragma once

#include "layers/transformer/feed_forward.h"
#include "layers/transformer/multi_head.h"
#include "layers/transformer/residual.h"
#include "layers/transformer/self_attention.h"
#include "layers/transformer/weighted_norms.h"

namespace softalign::layers {

struct BlockOptions {
  SelfAttention::Options self = {};  // with the width d and the heads K of all attention
  std::size_t feed_forward = 0;      // f
  Norm norm = Norm::pre;
  Dropout dropout = {};
};

// x <- x about self-attention, x <- x about FFN      (layers/transformer/residual.h)
class EncoderBlock {
 public:
  EncoderBlock(const Params& p, const BlockOptions& options, const Scheme& init);

  struct Output {
    Var x;              // (S, B, d)
    Var weights;        // (S*B, K, S) of self-attention, if they are wanted and there are any
    KVCache past = {};  // after a step
  };
  // x (S, B, d); the mask has its lengths.
  Output operator()(const Var& x, const Mask& mask, Wanted wanted, Random* random) const;
  // Of a causal mask, step t, counted from 0, of R rows after those of the past: x (1, R, d).
  Output step(const Var& x, std::size_t t, const KVCache& past) const;

 private:
  SelfAttention self_;
  FeedForward feed_forward_;
  Residual about_self_, about_feed_forward_;
};

// x <- x about causal self-attention, about attention to a memory, about FFN
class DecoderBlock {
 public:
  DecoderBlock(const Params& p, const BlockOptions& options, const Scheme& init);

  // Keys and values of the memory's states (S, B, d), once per sentence.
  MultiHead::Keys memory(const Var& states) const { return cross_.keys(states); }

  WeightedNorms norms(const MultiHead::Keys& memory) const { return {cross_, memory.values}; }

  struct Output {
    Var x;  // (T, R, d)
    Var self,
        cross;  // weights (T*R, K, ..): of self-attention, if they are wanted and there are any, and of the memory's
    KVCache past = {};  // after a step
  };
  // All steps at once: x (T, R, d). `mask` says which states each row may look at. The memory's weights pass through
  // `change` if there is one.
  Output operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask, Wanted wanted, Random* random,
                    const Reweight& change = {}) const;
  // Step t, counted from 0, of R rows after those of the past: x (1, R, d).
  Output step(const Var& x, std::size_t t, const KVCache& past, const MultiHead::Keys& memory, const Mask& mask,
              const Reweight& change = {}) const;

 private:
  // self: Var -> Var, attention of x's steps to themselves; then what follows it.
  template <class Self>
  Output after(const Var& x, const Self& self, const MultiHead::Keys& memory, const Mask& mask, Random* random,
               const Reweight& change) const;

  SelfAttention self_;
  MultiHead cross_;
  FeedForward feed_forward_;
  Residual about_self_, about_cross_, about_feed_forward_;
};

}  // namespace softalign::layers
