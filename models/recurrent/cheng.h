// This model is by Cheng, Dong & Lapata 2016, "Long short-term memory-networks for machine reading", section 4. Encoder
// and decoder are LSTMNs, which are LSTMs that attend to their own earlier states. The decoder attends to the source,
// too.
//
//   gamma_j, alpha_j = encoder(x)                          the state and the cell of each source word j
//   b_tj = u' tanh(W_gamma gamma_j + W_x x_t + W_gamma~ gamma~_{t-1})                 eq. 10
//   p_tj = exp(b_tj) / sum_k exp(b_tk)                                                eq. 11
//   [gamma~_t; alpha~_t] = sum_j p_tj [gamma_j; alpha_j]                              eq. 12
//   [h~_t; c~_t] = attention to the decoder's own past     layers/recurrent/lstmn.h
//   shallow: h_t, c_t = LSTM([x_t; gamma~_t], h~_t, c~_t)
//   deep:    h_t, c_t = LSTM(x_t, h~_t, c~_t) with alpha~_t in its cell               eq. 13-15
//   p(y_t) = softmax(W h_t)                                x_t = E y_{t-1}
//
// Deep fusion adds alpha~_t to the cell of the LSTM; shallow fusion reads gamma~_t instead, and needs no alpha_j. x_t
// is the embedding of the previous word. The score b_tj gives the attention weight p_tj of source word j. gamma~_t and
// alpha~_t are weighted sums of the encoder's states and cells. h~_t and c~_t are weighted sums of the decoder's
// earlier states and cells. A prime (u') means the transpose. u and the matrices W are learned.
//
// Eq. 10 is the additive score with the query [x_t; gamma~_{t-1}], where gamma~_0 is 0. Options choose other scores.
// The code adds the two directions of the encoder, so a cell alpha_j has the size H of the decoder's cells. The paper
// does not say how p(y_t) is computed, so the last line is our choice.
#pragma once

#include <memory>
#include <optional>

#include "layers/attention/attention.h"
#include "layers/dense/dropout.h"
#include "layers/recurrent/lstmn.h"
#include "models/embeddings.h"
#include "models/encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class ChengDecoder : public Decoder {
 public:
  // D is the size of a state gamma_j.
  ChengDecoder(const ModelOptions& options, TargetEmbedding words, std::size_t D, const autograd::Params& p);

  // Stores the results of the encoder for B sources of at most S words: the states gamma (S, B, D) with D numbers per
  // word, and the cells alpha (S, B, H) with H numbers per word. Only deep fusion uses the cells.
  Memory memory(std::vector<std::size_t> lengths, const Var& gamma, const Var& alpha) const;

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;
  std::unique_ptr<Decoder> with_words(const Ids& words) const override;
  Heads self_attention(const Memory& memory, const Targets& targets) const;  // decoder-self

 private:
  struct Hidden {
    layers::Lstmn::Cache cache;
    Var gamma;  // gamma~_{t-1} (R, D)
    layers::Attention::State attention;
    template <class Visit>
    void each(Visit&& visit) {
      visit("past", cache), visit("gamma", gamma), visit("attention", attention);
    }
  };
  struct Next {
    Hidden hidden;
    Var h;    // h_t (R, H)
    Var own;  // attention weights on earlier states (R, t-1); undefined at the first step
    layers::AttentionOutput attended;
  };
  Hidden first(const Memory& memory) const;
  // Computes step t from three inputs: the embedded word x, the query `input` for the attention to earlier states, and
  // `before`, the state after step t-1.
  Next advance(const Var& x, const layers::Lstmn::InputTerms& input, const Hidden& before,
               const layers::AttentionMemory& source, const Ids& sentence) const;
  std::vector<Next> read(const Memory& memory, const Targets& targets, Random* random) const;  // all steps

  std::size_t width_;  // D
  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::Lstmn lstmn_;  // E -> H
  layers::Attention attention_;
  Var C_;  // (D, 4H) shallow fusion: multiplies gamma~_t for the gates
  std::optional<layers::DeepFusion> deep_;
};

class Cheng : public Seq2Seq {
 public:
  Cheng(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  std::vector<Heads> self_attention(const Batch& batch) const override;

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_;
  Embeddings words_;
  std::unique_ptr<Encoder> encoder_;
  ChengDecoder decoder_;
};

}  // namespace softalign::models
