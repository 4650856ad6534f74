// This file computes attention for one step i of a decoder, whose state is s. Each source position j gets a score e_ij.
// The weights alpha_ij are the softmax of the scores over a window of positions. The context c_i is the sum of the
// encoder outputs h_j, weighted by alpha_ij. Models can combine any score with any window. The formulas are above
// operator(). docs/notation.md explains the notation.
#pragma once

#include <limits>
#include <vector>

#include "layers/attention/scores.h"
#include "layers/attention/window.h"
#include "layers/kinds.h"
#include "layers/state.h"

namespace softalign::layers {

struct AttentionOptions {
  ScoreKind score = ScoreKind::additive;
  WindowKind window = WindowKind::global;
  std::size_t query = 0;      // Q, size of the decoder's state
  std::size_t memory = 0;     // D, size of a source state
  std::size_t size = 0;       // A, inner size of additive, concat and qkv
  std::size_t positions = 0;  // L, source positions that location knows
  Real half_width = 10;       // D, half the width of a local window
  std::size_t heads = 1;      // K, heads of qkv
  bool scale = false;         // dot and general: divide the score by sqrt(Q)
  bool coverage = false;      // additive and concat: the score depends on the attention of earlier steps
};

class Attention {
 public:
  // Throws std::invalid_argument for the score `none`, for `dot` if queries and source states differ in size, and for
  // `qkv` if the number of heads does not divide the attention size.
  Attention(const Params& p, const AttentionOptions& options, const InitialiserConfig& init);

  // Computes keys and values from encoder outputs (S, B, D): S steps of B sentences, with D numbers each. Call it once
  // per batch.
  AttentionMemory memory(const std::vector<std::size_t>& lengths, const Var& states) const;

  // State is what the attention passes from one step to the next. It is often empty.
  struct State {
    Var coverage;  // (R, S) sum_{i' < i} alpha_i'j      only with the option `coverage`
    Var step;      // (R, 1) number of the step, t        only in the window local-m
    template <class Visit>
    void each(Visit&& visit) {
      visit("coverage", coverage), visit("step", step);
    }
  };
  State start(const AttentionMemory& memory) const;  // one row per sentence

  struct Step {
    AttentionOutput attended;
    State state;
  };
  // Computes one step of attention for R rows. query (R, Q) has one query of Q numbers per row, and sentence (R) has
  // the number of the sentence that the row attends to. There are S source positions, and h_j has D numbers.
  //
  //   e_ij = score(s, h_j)                       (R, S)   layers/attention/scores.h
  //   alpha_ij = exp(e_ij) / sum_k exp(e_ik)     (R, S)   Bahdanau et al. 2015, eq. 6; Luong et al. 2015, eq. 7
  //   c_i = sum_j alpha_ij h_j                   (R, D)   Bahdanau et al. 2015, eq. 5
  //
  // The softmax is over the positions in the window, and alpha_ij is 0 at all other positions. With the window local-p
  // (layers/attention/window.h), the weights sum to less than 1, and the context is computed with these weights, as in
  // Luong et al. 2015. The returned `weights` are divided by their sum, so that they sum to 1 and can serve as an
  // alignment.
  Step operator()(const Var& query, const AttentionMemory& memory, const Ids& sentence, const State& state) const;

  // Returns a copy of this attention with one more hook. The hook may change the weights before the context is
  // computed, after all earlier hooks. In a local-p window, the changed weights are scaled to the sum that they had
  // before. A step throws std::invalid_argument if the hook returns another shape.
  Attention with_attention_hook(const AttentionHook& hook) const;

 private:
  Score score_;
  AttentionWindow window_;
  bool coverage_;
  AttentionHook hook_;
};

}  // namespace softalign::layers
