// The Transformer: Vaswani et al. 2017, "Attention is all you need".
//
//   x_0 = sqrt(d) E[w] + P                        words and their positions                         sections 3.4, 3.5
//   x_l = encoder block(x_{l-1})                  self-attention, feed-forward                            section 3.1
//   y_0 = sqrt(d) E[w] + P
//   y_l = decoder block(y_{l-1}, x_L)             causal self-attention, attention to x_L, feed-forward   section 3.1
//   p(y_t) = softmax(W y_L)                       W = E' if tied                                          section 3.4
//
// With pre-norm x_L and y_L pass one more layer norm (Xiong et al. 2020, table 1). Known words are read all at once: no
// loop over steps. A step has what its layers keep of those before it (layers/attention/kv_cache.h).
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
                     const layers::Scheme& init);
  std::size_t width() const override { return width_; }
  bool attends() const override { return true; }
  EncoderOutput operator()(const Batch& batch, Wanted looks, const Training* training = nullptr) const override;

 private:
  std::size_t width_;  // d
  layers::Dropout dropout_;
  layers::Embedding source_;
  layers::Positions positions_;
  std::vector<layers::EncoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
};

// It writes from whatever has states to attend to.
class TransformerDecoder : public Decoder {
 public:
  TransformerDecoder(const ModelOptions& options, TargetWords words, const autograd::Params& p,
                     const layers::Scheme& init);

  // states (S, B, d) of every source, S the longest of the lengths or more. In training alignments are the mean of all
  // heads' weights, for that has a gradient.
  Memory memory(std::vector<std::size_t> lengths, const Var& states, const Training* training = nullptr) const;

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  Forced forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> reweighted(const Reweight& change) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;
  std::vector<Heads> self_attention(const Memory& memory, const Targets& targets) const;  // of each layer

 private:
  struct Layers {
    Var y;                                   // (T, B, d) above them all
    std::vector<Var> self = {}, cross = {};  // weights of each
  };
  Layers read(const Memory& memory, const Targets& targets, layers::Wanted self, Random* random) const;
  struct Source {
    std::vector<layers::MultiHead::Keys> layers;
    std::vector<layers::WeightedNorms> norms;  // of each layer, where alignments are by them
  };
  Reweight change_in(std::size_t layer) const;
  // From the weights (R', K, S) of each layer, row r of the sentence that sentence[r % R] names.
  Weights weights_of(const std::vector<Var>& layers, const Source& source, const Ids& sentence) const;
  Var output(const Var& y) const { return last_ ? (*last_)(y) : y; }

  layers::Dropout dropout_;
  std::size_t known_positions_;
  bool by_norms_;
  TargetWords words_;
  layers::Positions positions_;
  std::vector<layers::DecoderBlock> blocks_;
  std::optional<layers::LayerNorm> last_;  // pre-norm only
  Reweight change_;
};

class Transformer : public Seq2Seq {
 public:
  Transformer(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override;

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::Scheme scheme_;
  WordTables words_;
  std::unique_ptr<Encoder> encoder_;
  TransformerDecoder decoder_;
};

}  // namespace softalign::models
