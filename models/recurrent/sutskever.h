// Sutskever, Vinyals & Le 2014, "Sequence to sequence learning with neural networks": the fixed-length bottleneck that
// attention was invented for.
//
//   v = (h_S, c_S) of every layer                 the encoder's last states are all the decoder gets     section 2
//   h_t = stack(E y_{t-1}, h_{t-1})               h_0 = v
//   p(y_t) = softmax(W h_t)                                                                              eq. 1
//
// The source may be read from its last word to its first                                                 section 3.3
// Letters: B sentences, S and T steps, E embedding, H hidden, V vocabulary.
#pragma once

#include "layers/recurrent/decoder_stack.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/recurrent/word_tables.h"

namespace models {

class Sutskever : public Seq2Seq {
 public:
  Sutskever(const ModelOptions& options, const autograd::Params& p);

  Memory encode(const Batch& batch, const Training* training) const override;
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  Forced forced(const Batch& batch, const Training* training) const override;

 private:
  ModelOptions options_;
  layers::Scheme scheme_;
  layers::Dropout dropout_;
  WordTables words_;
  layers::RecurrentStack encoder_;  // one way
  layers::DecoderStack decoder_;
};

}  // namespace models
