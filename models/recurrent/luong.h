// This model is by Luong, Pham & Manning 2015, "Effective approaches to attention-based neural machine translation".
// The decoder computes its state first, and then the attention.
//
//   h_bar_j = encoder(x)                          stacked LSTM; bidirectional by default, but not in the paper
//   h_t = stack([E y_{t-1}; h~_{t-1}])            h~ only with input feeding     section 3.3
//   c_t = attention(h_t, h_bar)                   score and window by option     sections 3.1, 3.2
//   h~_t = tanh(W_c [c_t; h_t])                                                  eq. 5
//   p(y_t) = softmax(W_s h~_t)                                                   eq. 6
//
// h_bar_j is the encoder output of source word j, and h_t is the state of the decoder. c_t is the context vector, and
// h~_t combines it with h_t. W_c and W_s are learned. E y_{t-1} is the embedding of the previous word. Input feeding
// means that the decoder also reads h~_{t-1}, so it knows where it attended before.
//
// Each layer of the decoder starts from the last state of the same layer of the encoder. If the encoder has another
// kind of cell, the decoder uses only the hidden state h. If the encoder has no such states, the decoder starts from
// tanh(W_l mean_j h_bar_j) in layer l. The two directions of a bidirectional encoder are added. So an encoder output
// has the size H of a decoder state, which the dot score needs.
#pragma once

#include "layers/attention/attention.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/stacks.h"
#include "models/embeddings.h"
#include "models/encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class LuongDecoder : public Decoder {
 public:
  // D is the size of a state h_bar_j.
  LuongDecoder(const ModelOptions& options, TargetEmbedding words, std::size_t D, const autograd::Params& p);

  // Stores the encoder outputs `states` (S, B, D) of size D, for B sources with at most S words. `last` has
  // the state in which each layer of the decoder starts.
  Memory memory(std::vector<std::size_t> lengths, const Var& states, layers::DecoderStack::State last) const;
  // Returns the first state of the decoder for the hidden state h of each layer. The cell state c is 0.
  layers::DecoderStack::State start_from(const std::vector<Var>& h) const { return stack_.start(h); }

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;

 private:
  struct Source {
    layers::AttentionMemory h_bar;  // encoder outputs and keys
    layers::DecoderStack::State last;
  };
  struct Hidden {
    layers::DecoderStack::State h;
    Var h_tilde;  // (R, H)
    layers::Attention::State attention;
    template <class Visit>
    void each(Visit&& visit) {
      visit("h", h), visit("h_tilde", h_tilde), visit("attention", attention);
    }
  };
  struct Next {
    Hidden hidden;
    layers::AttentionOutput attended;
  };
  Hidden first(const Memory& memory) const;
  // Computes h_t, c_t and h~_t from the word y = E y_{t-1} (R, E) and the results of step t-1.
  Next advance(const Var& y, const Hidden& before, const layers::AttentionMemory& h_bar, const Ids& sentence,
               Random* random) const;

  std::size_t hidden_;  // H
  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::DecoderStack stack_;  // E -> H
  layers::Attention attention_;
  Var W_c_;  // (D + H, H)
  Var F_;    // (H, gates) multiplies h~_{t-1} for the gates; undefined without input feeding
};

class Luong : public Seq2Seq {
 public:
  Luong(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override { return self_attention_of(*encoder_, batch); }

 private:
  Memory read(const Batch& batch, const Training* training) const override;
  layers::DecoderStack::State last(const EncoderOutput& h_bar, const std::vector<std::size_t>& lengths) const;

  bool same_unit_;  // encoder and decoder have the same kind of cell; an LSTMN has LSTM cells
  layers::InitialiserConfig initialiser_;
  Embeddings words_;
  std::unique_ptr<Encoder> encoder_;
  LuongDecoder decoder_;
  std::vector<layers::Linear> start_;  // (D, H) of each layer, for encoders without last states
};

}  // namespace softalign::models
