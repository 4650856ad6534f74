// Luong, Pham & Manning 2015, "Effective approaches to attention-based neural machine translation": the state first,
// then the attention.
//
//   h_bar_j = encoder(x)                          stacked LSTM; bidirectional by default, the paper's reads one way
//   h_t = stack([E y_{t-1}; h~_{t-1}])            h~ only with input feeding     section 3.3
//   c_t = attention(h_t, h_bar)                   score and scope by option      sections 3.1, 3.2
//   h~_t = tanh(W_c [c_t; h_t])                                                  eq. 5
//   p(y_t) = softmax(W_s h~_t)                                                   eq. 6
//
// The decoder starts from the encoder's last states, layer by layer. A bidirectional encoder adds its two directions,
// so that a source state has the size H that dot needs. Letters: B sentences, S and T steps, E embedding, H hidden and
// memory, V vocabulary.
#pragma once

#include "layers/attention/attention.h"
#include "layers/recurrent/decoder_stack.h"
#include "layers/recurrent/recurrent_stack.h"
#include "models/recurrent/word_tables.h"

namespace models {

class Luong : public Seq2Seq {
 public:
  Luong(const ModelOptions& options, const autograd::Params& p);

  Memory encode(const Batch& batch, const Training* training) const override;
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  Forced forced(const Batch& batch, const Training* training) const override;

 private:
  struct Moment {
    layers::States s;        // the stack's
    Var fed;                 // h~_t (R, H)
    layers::States carried;  // the attention's
    layers::Glimpse glimpse;
  };
  // h_t, c_t and h~_t from the word's projection yW (R, gates) and the moment before.
  Moment advance(const Var& yW, const Moment& before, const Memory& memory, const Ids& sentence, Random* random) const;
  Moment first(const Memory& memory) const;

  ModelOptions options_;
  layers::Scheme scheme_;
  layers::Dropout dropout_;
  WordTables words_;
  layers::RecurrentStack encoder_;
  layers::DecoderStack stack_;  // E -> H
  layers::Attention attention_;
  Var W_c_;  // (2H, H)
  Var F_;    // (H, gates) the way of h~_{t-1} into the stack; undefined without input feeding
};

}  // namespace models
