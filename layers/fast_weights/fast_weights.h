// Fast weights are a matrix W that changes with every step. A slow network with ordinary weights computes keys, values
// and queries, which write to W and read from W. Schmidhuber 1992; Schlag et al. 2021, section 3, describe this method.
// The code stores the transpose of W, a matrix (m, d_v) for each row and head.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// A FastStep is the result of one step for R rows and K heads: the output y (R, K*d_v) with d_v numbers per head, and
// the fast weights W after the step.
struct FastStep {
  Var y;
  Var W;  // (R*K, m, d_v)
};

Var no_fast_weights(std::size_t R, std::size_t K, std::size_t m, std::size_t d_v);  // W_0 = 0

// Adds the product of value v_t and key k_t to the fast weights, and reads the weights with the query q_t. This happens
// in each of R rows and K heads. A key has m numbers, and a value has d_v. A prime (k') means the transpose.
// W_t = W_{t-1} + v_t k_t'        y_t = W_t q_t        q, k (R, K*m)   v (R, K*d_v)
FastStep sum_step(const Var& W, const Var& q, const Var& k, const Var& v, std::size_t K);

// The delta rule first subtracts the value W_{t-1} k_t that the key k_t had before, so that the new value v_t replaces
// it. beta_t, between 0 and 1, says how much of the old value is replaced:
//                                                      Schlag et al. 2021, section 4.2
//   W_t = W_{t-1} + beta_t (v_t - W_{t-1} k_t) k_t'        y_t = W_t q_t        beta (R, K)
FastStep delta_step(const Var& W, const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K);

// These functions compute all T steps for B sentences in K heads. q and k are (T, B, K*m), v is (T, B, K*d_v), beta is
// (T, B, K), and the result is (T, B, K*d_v). fast_weights_sum applies sum_step at every step, and fast_weights_delta
// applies delta_step. The result Y of fast_weights_sum is also the result of causal attention without softmax. In the
// formula, the matrices Q, K, V and Y have one row per step, and K' is the transpose of K. The dot multiplies element
// by element. The matrix L is 1 on and below the diagonal and 0 above, so no step reads a later step:
//   Y = (Q K' . L) V                                   Schlag et al. 2021, section 3
// fast_weights_sum uses this formula within a chunk of steps, and passes the fast weights W from chunk to chunk. With
// one chunk, all steps are parallel. With chunks of one step, the computation is recurrent. The gradients follow
// Katharopoulos et al. 2020, section 3.3.1.
Var fast_weights_sum(const Var& q, const Var& k, const Var& v, std::size_t K, std::size_t chunk = 32);
Var fast_weights_delta(const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K);

}  // namespace softalign::layers
