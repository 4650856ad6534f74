// Linear attention: weights that are products of features, so that their sums need no row of scores.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// a_ti = phi(q_t)' phi(k_i) / (sum_j phi(q_t)' phi(k_j) + 1e-6)    y_t = sum_i a_ti v_i
//   Katharopoulos et al. 2020, section 3.2
// causal: i, j = 1 .. t; then all steps are fast weights, the sum of the keys beside them as one more value that is
// always 1:
//   S_t = S_{t-1} + phi(k_t) v_t'   z_t = z_{t-1} + phi(k_t)   y_t = S_t' phi(q_t) / (z_t' phi(q_t) + 1e-6)
//   Katharopoulos et al. 2020, section 3.3, section 3.4
enum class Order { any, causal };

// Features (features.h) of queries and keys, q (T, B, K*m), k (S, B, K*m), and v (S, B, K*d_v)  ->  (T, B, K*d_v).
// Causal: T = S. Work and memory grow with T + S, not with T S.
Var linear_attention(Order order, const Var& q, const Var& k, const Var& v, std::size_t K);

// a_ti as a matrix to be looked at: (T*B, K, S)
Var linear_weights(Order order, const Var& q, const Var& k, std::size_t K);

// The recurrent form: one step of R rows, q, k (R, K*m), v (R, K*d_v). sums (R*K, m, d_v + 1) is [S z]; it begins as
// no_fast_weights(R, K, m, d_v + 1).
struct LinearStep {
  Var y;     // (R, K*d_v)
  Var sums;  // after the step
};
LinearStep linear_step(const Var& sums, const Var& q, const Var& k, const Var& v, std::size_t K);

}  // namespace softalign::layers
