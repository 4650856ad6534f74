// This model is by Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder for statistical machine
// translation". At every step, the decoder reads one vector c that summarises the complete source. Bahdanau et al. call
// the model RNNencdec.
//
//   c = tanh(V h_S)                               the summary, from the encoder's last state            appendix A.1.1
//   h'_0 = tanh(V' c)                                                                                   appendix A.1.2
//   h'_t = cell([E y_{t-1}; c], h'_{t-1})                                                               eq. 2
//   p(y_t) = softmax(W readout(h'_t, c, E y_{t-1}))   maxout in pairs                                   appendix A.1.2
//
// h_S is the last state of the encoder, and h'_t is the state of the decoder at step t. E y_{t-1} is the embedding of
// the previous word. V, V' and W are learned matrices. The readout is a layer that keeps the larger number of each pair
// (maxout).
#pragma once

#include "layers/dense/output.h"
#include "models/embeddings.h"
#include "models/recurrent/recurrent_encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class ChoDecoder : public Decoder {
 public:
  ChoDecoder(const ModelOptions& options, TargetEmbedding words, const autograd::Params& p);

  Memory memory(std::vector<std::size_t> lengths, const Var& c) const;  // c (B, H)

  bool attends() const override { return false; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;

 private:
  struct Source {
    Var c;
  };
  struct Hidden {
    layers::Cell::State h;
    template <class Visit>
    void each(Visit&& visit) {
      visit("h", h);
    }
  };

  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::Linear V_prime_;  // (H, H)  c -> h'_0
  layers::Cell cell_;       // E -> H
  Var C_;                   // (H, gates)  multiplies the summary c for the gates of the cell
  layers::Readout readout_;
};

class Cho : public Seq2Seq {
 public:
  Cho(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_;
  Embeddings words_;
  RecurrentEncoder encoder_;  // one way
  layers::Linear V_;          // (H, H)  h_S -> c
  ChoDecoder decoder_;
};

}  // namespace softalign::models
