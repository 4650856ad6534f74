// This model is by Xu et al. 2015, "Show, attend and tell: neural image caption generation with visual attention". The
// decoder writes a caption and attends to the cells a_1 .. a_N of a picture. A prime (w') means the transpose, and [a;
// b] joins two vectors.
//
//   h_0, c_0 = tanh of affine maps of 1/N sum_i a_i                                        section 3.1.2
//   alpha_t = softmax_i(v_a' tanh(W_a h_{t-1} + U_a a_i))                                  eq. 4-6
//   z_t = beta_t sum_i alpha_ti a_i                                                        eq. 13
//   beta_t = sigmoid(w' h_{t-1} + b)                                                       section 4.2.1
//   h_t, c_t = LSTM([E y_{t-1}; z_t], h_{t-1}, c_{t-1})                                    eq. 1-3
//   p(y_t) = softmax(W_o (E y_{t-1} + L_h h_t + L_z z_t) + b_o)                            eq. 7
//
// alpha_ti is the attention weight of cell i at step t. The gate beta_t scales the context z_t. h_t and c_t are the
// states of the LSTM, and E y_{t-1} is the embedding of the previous word. v_a, w, b and all matrices are learned.
//
// With hard attention, z_t is beta_t a_i for the most probable cell i (layers/attention/hard_attention.h). Training
// samples the cell i (models/training/hard_attention.h).
#pragma once

#include <memory>

#include "layers/attention/attention.h"
#include "layers/dense/dropout.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/cell.h"
#include "models/embeddings.h"
#include "models/encoder.h"
#include "models/seq2seq.h"

namespace softalign::models {

class ShowAttendTell : public Decoder {
 public:
  // D is the size of a cell. The decoder uses the options target_vocabulary, embedding, hidden, attention_size,
  // dropout, initialiser and hard_attention.
  ShowAttendTell(const ModelOptions& options, std::size_t D, const autograd::Params& p);

  Memory memory(const Var& a) const;  // a (N, B, D): the cells of B pictures

  bool attends() const override { return true; }
  State start(const Memory& memory) const override;
  Step step(const Ids& previous, const State& state, const Memory& memory) const override;
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;

 private:
  struct Source {
    layers::AttentionMemory cells;
    Var mean;  // (B, D)
  };
  struct Hidden {
    layers::Cell::State s;
    layers::Attention::State attention;
    template <class Visit>
    void each(Visit&& visit) {
      visit("s", s), visit("attention", attention);
    }
  };
  struct Next {
    Hidden hidden;
    Var z;  // (R, D)
    layers::AttentionOutput attended;
    Var beta;  // (R, 1)
  };
  Hidden first(const Source& source) const;
  Next advance(const Var& y, const Hidden& before, const layers::AttentionMemory& cells, const Ids& picture) const;
  Var readout(const Var& y, const Var& h, const Var& z) const;  // E y_{t-1} + L_h h_t + L_z z_t    (.., E)

  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  TargetEmbedding words_;
  layers::Linear start_h_, start_c_;  // (D, H)
  layers::Cell cell_;                 // E -> H
  layers::Attention attention_;
  layers::Linear gate_;  // (H, 1)
  Var C_;                // (D, 4H) multiplies the context for the gates of the LSTM
  Var L_h_, L_z_;        // (H, E), (D, E)
};

// Captioner combines a picture encoder and this decoder.
class Captioner : public Seq2Seq {
 public:
  Captioner(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  std::unique_ptr<Encoder> encoder_;
  ShowAttendTell decoder_;
};

}  // namespace softalign::models
