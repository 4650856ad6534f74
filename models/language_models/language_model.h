// LanguageModel is a decoder without a source. It has no encoder states, so its Memory contains only the number of
// texts.
#pragma once

#include <vector>

#include "layers/init.h"
#include "models/seq2seq.h"

namespace softalign::models {

// The template argument TextDecoder is the class of the decoder. Its constructor takes options, parameters and an
// initialiser configuration. Its function self_attention(targets, texts) returns the self-attention weights of every
// layer.
template <class TextDecoder>
class LanguageModel : public Seq2Seq {
 public:
  LanguageModel(const ModelOptions& options, const autograd::Params& p)
      : initialiser_(layers::initialiser_config(*options.initialiser, options.hidden)),
        decoder_(options, p / "decoder", initialiser_) {}

  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override {
    return decoder_.self_attention(batch.targets, batch.size);
  }

 private:
  Memory read(const Batch& batch, const Training*) const override { return {batch.source_lengths, 0}; }

  layers::InitialiserConfig initialiser_;
  TextDecoder decoder_;
};

}  // namespace softalign::models
