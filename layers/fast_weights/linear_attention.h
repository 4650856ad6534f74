// In linear attention, the weights are products of features phi. Sums over the past therefore need no row of scores.
// docs/notation.md explains the letters.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// A feature map phi maps each head's d numbers x to m numbers. For dpfp, r = relu([x; -x]) has 2d numbers from 0 on:
//   identity       x                                                d numbers: unnormalised, fast weights
//   elu_plus_one   x + 1 where x > 0, else e^x                      d        Katharopoulos et al. 2020, section 3.2.1
//   dpfp           phi_{2d (i-1) + j} = r_j r_{j+i}, i = 1 .. nu    2d nu    Schlag et al. 2021, section 5
// (j + i counted round the end)
enum class FeatureMap { identity, elu_plus_one, dpfp };

// Returns the features of x (T, B, K*d)  ->  (T, B, K*m). If lengths (B) are given, all numbers after them become 0,
// because phi(0) of a padded key is not 0 and would count.
Var features(FeatureMap map, const Var& x, std::size_t K, const std::vector<std::size_t>& lengths = {},
             std::size_t nu = 1);

// phi / (sum phi + 1e-6) of each head: for the delta rule         Schlag et al. 2021, section 4.2
Var unit_sum(const Var& phi, std::size_t K);

// a_ti = phi(q_t)' phi(k_i) / (sum_j phi(q_t)' phi(k_j) + 1e-6)    y_t = sum_i a_ti v_i
//   Katharopoulos et al. 2020, section 3.2
// causal: i, j = 1 .. t. Then all steps are fast weights. The sum of the keys is one more value that is always 1:
//   S_t = S_{t-1} + phi(k_t) v_t'   z_t = z_{t-1} + phi(k_t)   y_t = S_t' phi(q_t) / (z_t' phi(q_t) + 1e-6)
//   Katharopoulos et al. 2020, section 3.3, section 3.4
enum class Order { any, causal };

// Takes features of queries and keys, q (T, B, K*m) and k (S, B, K*m), and v (S, B, K*d_v)  ->  (T, B, K*d_v).
// With a causal order, T = S. Work and memory grow with T + S, not with T S.
Var linear_attention(Order order, const Var& q, const Var& k, const Var& v, std::size_t K);

// Returns the weights a_ti as a matrix (T*B, K, S).
Var linear_weights(Order order, const Var& q, const Var& k, std::size_t K);

// LinearStep is the recurrent form. It computes one step of R rows: q, k (R, K*m), v (R, K*d_v). sums (R*K, m, d_v + 1)
// is [S z]; before the first step, it is no_fast_weights(R, K, m, d_v + 1).
struct LinearStep {
  Var y;     // (R, K*d_v)
  Var sums;  // after the step
};
LinearStep linear_step(const Var& sums, const Var& q, const Var& k, const Var& v, std::size_t K);

}  // namespace softalign::layers
