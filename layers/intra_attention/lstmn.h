// LSTMN: an LSTM that looks back at all of its states. Cheng et al. 2016, "Long short-term memory-networks for machine
// reading", section 3.2.
#pragma once

#include <vector>

#include "layers/attention/additive.h"
#include "layers/recurrent/lstm.h"

namespace layers {

// a_ti = v' tanh(W_h h_i + W_x x_t + W_h~ h~_{t-1})       i = 1 .. t-1         eq. 4
// s_t = softmax(a_t)                                                           eq. 5
// [h~_t; c~_t] = sum_i s_ti [h_i; c_i]                                         eq. 6
// h_t, c_t = LSTM(x_t, h~_t, c~_t)                                             eq. 7-9
// The first word has nothing to look at: h~_1 = c~_1 = 0.
struct Lstmn {
  LSTM cell;
  Var W_h;  // (H, A)
  Var W_x;  // (E, A)
  Var W_t;  // (H, A), of h~
  Var v;    // (A)

  Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const Scheme& init);

  struct Output {
    Var states;                // (S, B, H)
    std::vector<Var> weights;  // s_t of each word but the first, (B, t-1)
  };
  Output operator()(const Var& x) const;  // (S, B, E); a step sees what is before it, so that padding behind harms none
};

}  // namespace layers
