// A masked language model is a Transformer encoder that predicts the missing words of a text from both sides:
// Devlin et al. 2019, section 3.1, task 1, "BERT: pre-training of deep bidirectional transformers for language
// understanding".
//
//   x_0 = E[w] + P                 w is [MASK] at a gap
//   x_l = block(x_{l-1})           self-attention over all words, feed-forward, with pre-norm
//   p_t = softmax(W LN(x_L)_t + b)
//
// E[w] are the embeddings of the words w, and P are position vectors. LN is layer normalisation; W and b are learned.
// p_t has the probability of each word at position t.
//
// BERT's second training task and its sentence embeddings are left out. With the option `causal`, a word can attend
// only to words before it, for comparison.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/dense/embedding.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class MaskedLanguageModel {
 public:
  struct Options {
    std::size_t words = 0;  // V, [MASK] included
    std::size_t width = 64, feed_forward = 128, layers = 2, heads = 1;
    layers::PositionKind positions = layers::PositionKind::learned;
    std::size_t max_positions = 64;  // longest text, if positions are learned
    bool causal = false;
  };
  MaskedLanguageModel(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                // (T, B, V)
    std::vector<Var> weights;  // attention weights of each layer, (T*B, K, T)
  };
  // Returns the logits and weights of B texts with the same number T of words. Word t of text b is entry t*B + b of
  // `words`.
  Output operator()(const Ids& words, std::size_t B) const;

 private:
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  bool causal_;
  layers::Embedding words_;
  layers::Positions positions_;
  std::vector<layers::EncoderBlock> blocks_;
  layers::LayerNorm norm_;
  layers::Linear output_;  // (d, V)
};

}  // namespace softalign::models
