// In linear attention, the attention weights are products of features of queries and keys, without softmax. One sum
// over all earlier steps then replaces a row of scores, so a step takes the same time at any length. docs/notation.md
// explains the notation.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// A feature map phi turns the d numbers x of each head into m features. There are three feature maps. The middle column
// has the features, and the last column has their number m. dpfp first computes the 2d numbers r = relu([x; -x]). Its
// features are the products of each r_j and each of the nu numbers after it. The first number of r counts as the one
// after the last.
//   identity       x                                                d, for fast weights without normalisation
//   elu_plus_one   x + 1 where x > 0, else e^x                      d        Katharopoulos et al. 2020, section 3.2.1
//   dpfp           phi_{2d (i-1) + j} = r_j r_{j+i}, i = 1 .. nu    2d nu    Schlag et al. 2021, section 5
enum class FeatureMap { identity, elu_plus_one, dpfp };

// Returns the features of x (T, B, K*d): T steps of B sentences in K heads of d numbers. The result (T, B, K*m) has m
// features per head. If lengths (B) are given, all features of padding are 0. Without this rule, padding would add to
// the sums, because elu_plus_one turns 0 into 1.
Var features(FeatureMap map, const Var& x, std::size_t K, const std::vector<std::size_t>& lengths = {},
             std::size_t nu = 1);

// Divides the features phi of each head by their sum, phi / (sum phi + 1e-6). The delta rule needs this step.
//                                                                Schlag et al. 2021, section 4.2
Var unit_sum(const Var& phi, std::size_t K);

// In linear attention, step t attends to step i with the weight a_ti, computed from features phi of the query q_t and
// the key k_i. y_t is the weighted sum of the values v_i:
// a_ti = phi(q_t)' phi(k_i) / (sum_j phi(q_t)' phi(k_j) + 1e-6)    y_t = sum_i a_ti v_i
//   Katharopoulos et al. 2020, section 3.2
// With Order::causal, step t attends only to the steps i = 1 .. t. The sums over these steps, S_t and z_t, can then be
// updated in every step. To compute z_t with the same code as S_t, the code appends a 1 to each value.
//   S_t = S_{t-1} + phi(k_t) v_t'   z_t = z_{t-1} + phi(k_t)   y_t = S_t' phi(q_t) / (z_t' phi(q_t) + 1e-6)
//   Katharopoulos et al. 2020, section 3.3, section 3.4
enum class Order { any, causal };

// Computes linear attention in K heads for B sentences with T queries and S keys each. q (T, B, K*m) and k (S, B, K*m)
// have m features per query and key, and v (S, B, K*d_v) has d_v numbers per value. The result is (T, B, K*d_v). With a
// causal order, T = S. Time and memory grow with T + S, not with the product T S.
Var linear_attention(Order order, const Var& q, const Var& k, const Var& v, std::size_t K);

// Returns the weights a_ti that T queries give to S keys, for B sentences and K heads, as an array (T*B, K, S).
// Programs show these weights, but linear attention does not need them.
Var linear_weights(Order order, const Var& q, const Var& k, std::size_t K);

// linear_step computes one step of causal linear attention for R rows and K heads. q and k (R, K*m) have m features per
// query and key, and v (R, K*d_v) has d_v numbers per value. sums (R*K, m, d_v + 1) has the sums S and z of the
// formulas above over the steps before this one. Before the first step, it is no_fast_weights(R, K, m, d_v + 1).
struct LinearStep {
  Var y;     // (R, K*d_v)
  Var sums;  // after the step
};
LinearStep linear_step(const Var& sums, const Var& q, const Var& k, const Var& v, std::size_t K);

}  // namespace softalign::layers
