// This file defines the Transformer: Vaswani et al. 2017, "Attention is all you need".
//
//   x_0 = sqrt(d) E[w] + P                        words and their positions                         sections 3.4, 3.5
//   x_l = encoder block(x_{l-1})                  self-attention, feed-forward                            section 3.1
//   y_0 = sqrt(d) E[w] + P
//   y_l = decoder block(y_{l-1}, x_L)             causal self-attention, attention to x_L, feed-forward   section 3.1
//   p(y_t) = softmax(W y_L)                       W = E' if tied                                          section 3.4
//
// E[w] are the embeddings of the words w, d is their size, and P are position vectors. x_l and y_l are the outputs of
// layer l = 1 .. L of the encoder and of the decoder. W is the output matrix; if embeddings are tied, W is the
// transposed table E.
//
// With pre-norm, one more layer norm follows the last layer, x_L and y_L (Xiong et al. 2020, table 1). In training, all
// words are known, so one pass processes all steps. In translation, a KV cache stores the keys and values of the
// earlier steps (layers/attention/kv_cache.h).
#pragma once

#include <optional>
#include <vector>

#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "models/embeddings.h"
#include "models/encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const ModelOptions& options, layers::Embedding source, const autograd::Params& p,
                     const layers::InitialiserConfig& init);
  std::size_t width() const override { return width_; }
  bool attends() const override { return true; }
  EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights,
                           const Training* training = nullptr) const override;

 private:
  std::size_t width_;  // d
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::Positions positions_;
  std::vector<layers::EncoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
};

// TransformerDecoder can attend to the outputs of any encoder.
class TransformerDecoder : public Decoder {
 public:
  TransformerDecoder(const ModelOptions& options, TargetEmbedding words, const autograd::Params& p,
                     const layers::InitialiserConfig& init);

  // Stores the encoder outputs `states` (S, B, d) of B sources with at most S words. If `training` is given, the
  // alignment is always the mean of the attention weights of all heads. A loss may supervise the alignment, and this
  // mean has a gradient.
  Memory memory(std::vector<std::size_t> lengths, const Var& states, const Training* training = nullptr) const;

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;
  std::vector<Heads> self_attention(const Memory& memory, const Targets& targets) const;  // of each layer

 private:
  struct Layers {
    Var y;                                   // (T, B, d) output of the last layer
    std::vector<Var> self = {}, cross = {};  // attention weights of each layer
  };
  Layers read(const Memory& memory, const Targets& targets, layers::ReturnWeights self, Random* random) const;
  struct Source {
    std::vector<layers::MultiHead::Keys> layers;
    std::vector<layers::NormBasedWeights> norms;  // of each layer, if alignments are computed from norms
  };
  AttentionHook hook_of(std::size_t layer) const;
  // Computes the alignment matrix from the attention weights of each layer. The weights have K heads, S source
  // positions, and one row per step and hypothesis. Row t*R + r belongs to step t of hypothesis r, which translates the
  // sentence sentence[r]. R is the size of `sentence`.
  BatchWeights weights_of(const std::vector<Var>& layers, const Source& source, const Ids& sentence) const;
  Var output(const Var& y) const { return last_ ? (*last_)(y) : y; }

  layers::Dropout dropout_;
  std::size_t known_positions_;
  bool by_norms_;
  TargetEmbedding words_;
  layers::Positions positions_;
  std::vector<layers::DecoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
  AttentionHook hook_;
};

class Transformer : public Seq2Seq {
 public:
  Transformer(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override;

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_;
  Embeddings words_;
  std::unique_ptr<Encoder> encoder_;
  TransformerDecoder decoder_;
};

}  // namespace softalign::models
