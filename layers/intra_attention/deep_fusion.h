// Deep fusion: where an LSTM that looks back writes, what it finds of the source's cells goes into its own. Cheng et
// al. 2016, "Long short-term memory-networks for machine reading", section 4.
#pragma once

#include "layers/dense/linear.h"
#include "layers/recurrent/lstm.h"

namespace softalign::layers {

struct DeepFusion {
  Linear W_r;  // (D + E, H)

  DeepFusion(const Params& p, std::size_t D, std::size_t E, std::size_t H, const Scheme& init)
      : W_r(p, D + E, H, init.input(1)) {}

  // r_t = sigma(W_r [gamma~_t; x_t])                          eq. 13
  // c_t = r_t * alpha~_t + f_t * c~_t + i_t * c^_t            eq. 14
  // h_t = o_t * tanh(c_t)                                     eq. 15
  // from a = W [h~_t; x_t] + b (R, 4H), whose quarters are i f c^ o before their functions; the cell c~_t (R, H) found
  // in its own past; state gamma~_t (R, D) and cell alpha~_t (R, H) found in the source; the word x_t (R, E).
  LSTMState operator()(const Var& a, const Var& c_tilde, const Var& gamma, const Var& alpha, const Var& x) const {
    const std::size_t H = c_tilde.dim(1);
    const Var i = sigmoid(slice(a, 1, 0, H)), f = sigmoid(slice(a, 1, H, 2 * H));
    const Var c_hat = tanh(slice(a, 1, 2 * H, 3 * H)), o = sigmoid(slice(a, 1, 3 * H, 4 * H));
    const Var r = sigmoid(W_r(autograd::concat({gamma, x}, 1)));
    const Var c = r * alpha + f * c_tilde + i * c_hat;
    return {o * tanh(c), c};
  }
};

}  // namespace softalign::layers
