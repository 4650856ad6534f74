// This model is by Sutskever, Vinyals & Le 2014, "Sequence to sequence learning with neural networks". The decoder gets
// only a vector of fixed size from the encoder. Attention was invented to remove this bottleneck.
//
//   v = (h_S, c_S) of every layer                 the encoder's last states are all the decoder gets     section 2
//   h_t = stack(E y_{t-1}, h_{t-1})               h_0 = v
//   p(y_t) = softmax(W h_t)                                                                              eq. 1
//
// h_S and c_S are the LSTM's states after the last source word. h_t is the state of the decoder at step t, and E
// y_{t-1} is the embedding of the previous word. W is the output matrix.
//
// With an option, the encoder reads the source from its last word to its first (section 3.3).
#pragma once

#include "layers/recurrent/stacks.h"
#include "models/embeddings.h"
#include "models/recurrent/recurrent_encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class SutskeverDecoder : public Decoder {
 public:
  SutskeverDecoder(const ModelOptions& options, TargetEmbedding words, const autograd::Params& p);

  Memory memory(std::vector<std::size_t> lengths, layers::DecoderStack::State v) const;
  // Returns the first state v of the decoder for the hidden state h of each layer. The cell state c is 0.
  layers::DecoderStack::State before(const std::vector<Var>& h) const { return stack_.start(h); }

  bool attends() const override { return false; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;

 private:
  struct Hidden {
    layers::DecoderStack::State h;
    template <class Visit>
    void each(Visit&& visit) {
      visit("h", h);
    }
  };

  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::DecoderStack stack_;
};

class Sutskever : public Seq2Seq {
 public:
  Sutskever(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_;
  Embeddings words_;
  RecurrentEncoder encoder_;  // one way
  SutskeverDecoder decoder_;
};

}  // namespace softalign::models
