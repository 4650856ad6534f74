// The attention window says which source positions a step may attend to. Luong et al. 2015, sections 3.1 and 3.2, have
// global attention and two kinds of local attention. docs/notation.md explains the letters.
#pragma once

#include "layers/attention/memory.h"
#include "layers/init.h"
#include "layers/kinds.h"

namespace softalign::layers {

// y_j = alpha_j exp(-(j - p)^2 / (2 sigma^2))           alpha (R, S), p (R, 1)  ->  (R, S)    Luong et al. 2015, eq. 10
// Throws std::invalid_argument if sigma is not positive.
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

// global:   the window has every word.
// local-m:  the window [p_t - D, p_t + D] around p_t = t, the step's own number, or the last word if t is beyond it.
// local-p:  p_t = (S - 1) sigmoid(v_p' tanh(W_p h_t))                                             eq. 11
//           a_t(j) = align(h_t, h_j) exp(-(j - p_t)^2 / (2 sigma^2)),  sigma = D/2                eq. 10
//           The softmax of align() runs over the window. As in the paper, its product with the Gaussian sums to less
//           than 1.
// Positions count from 0, so that S - 1 is the last word (</s>) and 0 <= p_t <= S - 1.
class AttentionWindow {
 public:
  using Kind = WindowKind;

  // Q is the size of the query, and D is half the width of the window. Positions from `reach` on are outside every
  // window.
  AttentionWindow(const Params& p, Kind kind, std::size_t Q, Real D, std::size_t reach, const InitialiserConfig& init);

  bool counts_steps() const { return kind_ == Kind::local_m; }
  bool is_predicted() const { return kind_ == Kind::local_p; }
  Real half_width() const { return D_; }

  // Returns p_t (R, 1), which is undefined if global. `step` (R, 1) is t, for local-m.
  Var centre(const Var& query, const Memory& memory, const Ids& sentence, const Var& step) const;
  // Returns a mask (R, S): 1 where row r may attend, and 0 elsewhere, also on padding. The masked softmax
  // (autograd/ops/softmax.h) makes the weight exactly 0 there.
  Array mask(const Memory& memory, const Ids& sentence, const Var& centre) const;

 private:
  std::size_t words(const Memory& memory, Id sentence) const;  // that can be attended to

  Kind kind_;
  Real D_;
  std::size_t reach_;
  Var W_p;  // (Q, Q)
  Var v_p;  // (Q, 1)
};

}  // namespace softalign::layers
