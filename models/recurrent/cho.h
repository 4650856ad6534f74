// Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder for statistical machine translation": one
// vector for the whole source, shown to the decoder at every step. Bahdanau et al. call it RNNencdec.
//
//   c = tanh(V h_S)                               the summary, from the encoder's last state            appendix A.1.1
//   h'_0 = tanh(V' c)                                                                                   appendix A.1.2
//   h'_t = cell([E y_{t-1}; c], h'_{t-1})                                                               eq. 2
//   p(y_t) = softmax(W readout(h'_t, c, E y_{t-1}))   maxout in pairs                                   appendix A.1.2
//
// Letters: B sentences, S and T steps, E embedding, H hidden, l readout, V vocabulary.
#pragma once

#include "layers/dense/readout.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/recurrent/word_tables.h"

namespace models {

class Cho : public Seq2Seq {
 public:
  Cho(const ModelOptions& options, const autograd::Params& p);

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
  layers::Linear V_;                // (H, H)  h_S -> c
  layers::Linear V_prime_;          // (H, H)  c -> h'_0
  layers::Cell cell_;               // E -> H
  Var C_;                           // (H, gates)  the summary's way into the cell
  layers::Readout readout_;
};

}  // namespace models
