// Deep fusion: where an LSTM that looks back writes, what it finds in the source goes into its cell. Cheng et al. 2016,
// "Long short-term memory-networks for machine reading", section 4.
#pragma once

#include "layers/dense/linear.h"
#include "layers/recurrent/lstm.h"

namespace layers {

// r_t = sigma(W_r [gamma~_t; x_t])                          eq. 13
// c_t = r_t * alpha~_t + f_t * c~_t + i_t * c^_t            eq. 14
// h_t = o_t * tanh(c_t)                                     eq. 15
// from a = W [h~_t; x_t] + b (R, 4H), whose quarters are i f c^ o before their functions, the cell c~_t (R, H) that it
// finds in its own past, alpha~_t (R, H) in the source's, and r_t (R, H) before its function.
inline LSTMState deep_fusion(const Var& a, const Var& c_tilde, const Var& alpha, const Var& r) {
  const std::size_t H = c_tilde.dim(1);
  const Var i = sigmoid(slice(a, 1, 0, H)), f = sigmoid(slice(a, 1, H, 2 * H));
  const Var c_hat = tanh(slice(a, 1, 2 * H, 3 * H)), o = sigmoid(slice(a, 1, 3 * H, 4 * H));
  const Var c = sigmoid(r) * alpha + f * c_tilde + i * c_hat;
  return {o * tanh(c), c};
}

}  // namespace layers
