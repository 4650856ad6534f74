// In fast weights, a slow network computes keys, values and queries, and these write the weights W of a fast network.
//   Schmidhuber 1992; Schlag et al. 2021, section 3
// The code stores W as its transpose, a matrix (m, d_v) for each row and head.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// A FastStep is the result of a step: y_t (R, K*d_v), and the weights after the step.
struct FastStep {
  Var y;
  Var W;  // (R*K, m, d_v)
};

Var no_fast_weights(std::size_t R, std::size_t K, std::size_t m, std::size_t d_v);  // W_0 = 0

// W_t = W_{t-1} + v_t k_t'        y_t = W_t q_t        q, k (R, K*m)   v (R, K*d_v)
FastStep sum_step(const Var& W, const Var& q, const Var& k, const Var& v, std::size_t K);

// The delta rule first removes the value that the key had before:    Schlag et al. 2021, section 4.2
//   W_t = W_{t-1} + beta_t (v_t - W_{t-1} k_t) k_t'        y_t = W_t q_t        beta (R, K)
FastStep delta_step(const Var& W, const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K);

// Computes all steps: q, k (T, B, K*m), v (T, B, K*d_v), beta (T, B, K)  ->  (T, B, K*d_v). The sum is an attention
// without softmax,
//   Y = (Q K' . L) V,  L 1 on and below the diagonal: Schlag et al. 2021, section 3
// and the code uses this form within a chunk of steps, with W between chunks. One chunk is the parallel form, and
// chunks of one step are the recurrent form. Gradients in this form: Katharopoulos et al. 2020, section 3.3.1.
Var fast_weights_sum(const Var& q, const Var& k, const Var& v, std::size_t K, std::size_t chunk = 32);
Var fast_weights_delta(const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K);

}  // namespace softalign::layers
