// This layer is self-attention with fast weights: a matrix that each step updates and reads. The update adds to the
// matrix (linear attention), or corrects the matrix (delta rule). docs/notation.md explains the notation.
#pragma once

#include <optional>

#include "layers/attention/kv_cache.h"
#include "layers/attention/multi_head.h"

namespace softalign::layers {

// Computes self-attention without a softmax. Each head projects its input to a query q_t, a key k_t and a value v_t, as
// in MultiHead. Then it computes its output y_t by one of two rules. `sum` is linear attention: the weight a_ti of step
// i is proportional (~) to the product of the features phi(q_t) and phi(k_i). `delta` keeps a matrix W that stores a
// value for each key. Each step moves the value for the key k_t towards v_t; beta_t between 0 and 1 says how far.
//   sum     y_t = sum_i a_ti v_i, a_ti ~ phi(q_t)' phi(k_i), phi = elu + 1      Katharopoulos et al. 2020, section 3.2
//   delta   W_t = W_{t-1} + beta_t (v_t - W_{t-1} k_t) k_t'   y_t = W_t q_t     Schlag et al. 2021, section 4.2
// The delta rule uses the features DPFP (layers/fast_weights/linear_attention.h), scaled to sum 1. beta_t is
// sigmoid(x_t W_beta + b_beta), where x_t is the input and W_beta and b_beta are learned. The delta rule runs from left
// to right, in an encoder too. Time and memory of a step do not grow with the number of steps.
class FastWeightSelfAttention {
 public:
  enum class Rule { sum, delta };
  FastWeightSelfAttention(const Params& p, std::size_t d, std::size_t heads, Rule rule, const InitialiserConfig& init);

  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  // Computes the features of queries and keys of x, and the values. If `lengths` (B) are given, the features of the
  // keys of padding are 0, so that padding does not change the fast weights.
  struct Projected {
    Var q, k, v;  // (T, B, K*m), (T, B, K*m), (T, B, d)
    Var beta;     // (T, B, K)  delta only
  };
  Projected projected(const Var& x, const std::vector<std::size_t>& lengths) const;

  MultiHead heads_;
  std::optional<Linear> beta_;  // (d, K)  delta only
};

}  // namespace softalign::layers
