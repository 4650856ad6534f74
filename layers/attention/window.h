// The attention window says which source positions a step may attend to. Luong et al. 2015, sections 3.1 and 3.2,
// define global attention and two kinds of local attention. docs/notation.md explains the notation.
#pragma once

#include "layers/attention/memory.h"
#include "layers/init.h"
#include "layers/kinds.h"

namespace softalign::layers {

// Multiplies the attention weights alpha (R, S) of R rows by a Gaussian over the S positions j. p (R, 1) has its centre
// for each row, and sigma is its width.
// y_j = alpha_j exp(-(j - p)^2 / (2 sigma^2))           Luong et al. 2015, eq. 10
// Throws std::invalid_argument if sigma is not positive.
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

// There are three kinds of windows. A `global` window has every word. The other kinds have the positions from p_t - D
// to p_t + D around a centre p_t. A source has S positions, counted from 0, so position S - 1 is the last word, </s>.
// local-m:  p_t is the number t of the step, or the last word if the source is shorter.
// local-p:  p_t = (S - 1) sigmoid(v_p' tanh(W_p h_t))                                             eq. 11
//           a_t(j) = align(h_t, h_j) exp(-(j - p_t)^2 / (2 sigma^2)),  sigma = D/2                eq. 10
// In local-p, the model predicts p_t from its state h_t, with learned parameters W_p and v_p. align() is a softmax of
// the scores of h_t and the encoder outputs h_j in the window. Its product with the Gaussian sums to less than 1, as in
// the paper.
class AttentionWindow {
 public:
  using Kind = WindowKind;

  // Q is the size of the query, and D is half the width of the window. The model never attends to source positions from
  // `reach` on.
  AttentionWindow(const Params& p, Kind kind, std::size_t Q, Real D, std::size_t reach, const InitialiserConfig& init);

  bool counts_steps() const { return kind_ == Kind::local_m; }
  bool is_predicted() const { return kind_ == Kind::local_p; }
  Real half_width() const { return D_; }

  // Returns the centre p_t (R, 1) of the window for each of R queries, or an undefined Var if the window is global. The
  // kind local-m needs the number of the step of each query, `step` (R, 1).
  Var centre(const Var& query, const AttentionMemory& memory, const Ids& sentence, const Var& step) const;
  // Returns a mask (R, S) for R queries and S source positions. It is 1 for positions in the window of the query, and 0
  // for other positions and for padding. The masked softmax (autograd/ops/softmax.h) makes the weight exactly 0 where
  // the mask is 0.
  Array mask(const AttentionMemory& memory, const Ids& sentence, const Var& centre) const;

 private:
  std::size_t words(const AttentionMemory& memory, Id sentence) const;  // number of words that a row may attend to

  Kind kind_;
  Real D_;
  std::size_t reach_;
  Var W_p;  // (Q, Q)
  Var v_p;  // (Q, 1)
};

}  // namespace softalign::layers
