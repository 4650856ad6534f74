// RNNsearch: Bahdanau, Cho & Bengio 2015, "Neural machine translation by jointly learning to align and translate".
//
//   h_j = [h->_j; h<-_j]                          bidirectional encoder                      section 3.2
//   s_0 = tanh(W_s h<-_1)                                                                   appendix A.1.2
//   c_i = attention(s_{i-1}, h)                   alpha_ij says how much y_i looks at x_j    section 3.1, eq. 5-6
//   s_i = cell([E y_{i-1}; c_i], s_{i-1})         LSTM by default, the paper's GRU by option  section 3.1
//   p(y_i) = softmax(W_o t_i)                     t_i = readout(s_i, c_i, E y_{i-1})         eq. 4, appendix A.1.2
//
// By option the attention asks with [s_{i-1}; E y_{i-1}], as GroundHog's successors did, and the readout takes s_{i-1},
// as the appendix has it.
// Letters: B sentences, S and T steps, E embedding, H hidden, D = 2H memory, A attention, l readout, V vocabulary.
#pragma once

#include "layers/attention/attention.h"
#include "layers/dense/readout.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/recurrent/word_tables.h"

namespace models {

class RNNsearch : public Seq2Seq {
 public:
  RNNsearch(const ModelOptions& options, const autograd::Params& p);

  Memory encode(const Batch& batch, const Training* training) const override;
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  Forced forced(const Batch& batch, const Training* training) const override;

 private:
  struct Moment {
    layers::States s;        // the cell's
    layers::States carried;  // the attention's
    layers::Glimpse glimpse;
  };
  // s_i and c_i from the word y = E y_{i-1} (R, E), its projection yW (R, gates), and the moment before.
  Moment advance(const Var& y, const Var& yW, const Moment& before, const Memory& memory, const Ids& sentence) const;
  Moment first(const Memory& memory) const;

  ModelOptions options_;
  layers::Scheme scheme_;
  layers::Dropout dropout_;
  WordTables words_;
  layers::RecurrentStack encoder_;
  layers::Linear start_;  // (H or 2H, H)
  layers::Cell cell_;     // E -> H
  layers::Attention attention_;
  layers::Readout readout_;
  Var C_;  // (D, gates) the context's way into the cell
};

}  // namespace models
