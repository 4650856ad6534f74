// This model is by Cheng, Dong & Lapata 2016, "Long short-term memory-networks for machine reading", section 4. The
// encoder is an LSTMN, and so is the decoder. The decoder attends to its own earlier states and to the source.
// docs/notation.md explains the letters.
//
//   gamma_j, alpha_j = encoder(x)                          of each word the state, and for deep fusion the cell
//   b_tj = u' tanh(W_gamma gamma_j + W_x x_t + W_gamma~ gamma~_{t-1})                 eq. 10
//   p_tj = exp(b_tj) / sum_k exp(b_tk)                                                eq. 11
//   [gamma~_t; alpha~_t] = sum_j p_tj [gamma_j; alpha_j]                              eq. 12
//   [h~_t; c~_t] = what x_t finds in its own past          layers/recurrent/lstmn.h
//   shallow: h_t, c_t = LSTM([x_t; gamma~_t], h~_t, c~_t)
//   deep:    h_t, c_t = LSTM(x_t, h~_t, c~_t) with alpha~_t in its cell               eq. 13-15
//   p(y_t) = softmax(W h_t)                                x_t = E y_{t-1}
//
// Eq. 10 is the additive score with [x_t; gamma~_{t-1}] as the query, gamma~_0 = 0. Options choose other scores. Both
// directions of the encoder are added, so that a cell alpha_j has the size H of the decoder's cells. The paper does not
// say how p(y_t) is computed.
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

  // gamma (S, B, D) has the states of every source. alpha (S, B, H) has their cells, which deep fusion uses.
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
    Var own;  // at its own past (R, t-1); undefined of the first step
    layers::AttentionOutput attended;
  };
  Hidden first(const Memory& memory) const;
  // Computes step t from the word x_t (R, E), its query of the past, and the state after step t-1.
  Next advance(const Var& x, const layers::Lstmn::InputTerms& input, const Hidden& before, const layers::Memory& source,
               const Ids& sentence) const;
  std::vector<Next> read(const Memory& memory, const Targets& targets, Random* random) const;  // all steps

  std::size_t width_;  // D
  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::Lstmn lstmn_;  // E -> H
  layers::Attention attention_;
  Var C_;  // (D, 4H) shallow: the way of gamma~_t into the gates
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
