// Attention computes one decoder step: a score, a window, a softmax and the weighted sum. Models use it with any score
// and window. docs/notation.md explains the letters.
//
//   e_ij = score(s, h_j)                       layers/attention/scores.h     (R, S)
//   alpha_ij = exp(e_ij) / sum_k exp(e_ik)     in the window Bahdanau et al. 2015, eq. 6; Luong et al. 2015, eq. 7
//   c_i = sum_j alpha_ij h_j                   (R, D)        Bahdanau et al. 2015, eq. 5
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
  Real half_width = 10;       // D of the local windows
  std::size_t heads = 1;      // K, of qkv
  bool scale = false;         // dot, general: divide by sqrt(Q)
  bool coverage = false;      // additive, concat: the attention of earlier steps enters the score
};

class Attention {
 public:
  // Throws std::invalid_argument for score none, or if the sizes do not fit (dot needs Q = D; for qkv, K must divide
  // A).
  Attention(const Params& p, const AttentionOptions& options, const InitialiserConfig& init);

  // Computes keys and values from states (S, B, D), once per sentence.
  Memory memory(const std::vector<std::size_t>& lengths, const Var& states) const;

  // State is the state that the attention carries from step to step. Often it is empty.
  struct State {
    Var coverage;  // (R, S) sum_{i' < i} alpha_i'j      with coverage
    Var step;      // (R, 1) t                           in the window local-m
    template <class Visit>
    void each(Visit&& visit) {
      visit("coverage", coverage), visit("step", step);
    }
  };
  State start(const Memory& memory) const;  // a row per sentence

  struct Step {
    AttentionOutput attended;
    State state;
  };
  // query is (R, Q), and sentence (R) names the sentence of each row. In a local-p window, weights sum to less than 1.
  // The context follows the paper, but `weights` are scaled to sum 1, so that you can read them as an alignment.
  Step operator()(const Var& query, const Memory& memory, const Ids& sentence, const State& state) const;

  // Returns this attention with a hook. `hook` changes the weights before the context is computed, after the hooks that
  // exist already. The result keeps the sum of alpha, which is less than 1 under a Gaussian window. A step throws
  // std::invalid_argument if the hook returns another shape.
  Attention with_attention_hook(const AttentionHook& hook) const;

 private:
  Score score_;
  AttentionWindow window_;
  bool coverage_;
  AttentionHook hook_;
};

}  // namespace softalign::layers
