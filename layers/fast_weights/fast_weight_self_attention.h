// This layer is self-attention by fast weights. It is linear attention, or its correction by the delta rule.
// docs/notation.md explains the letters.
#pragma once

#include <optional>

#include "layers/attention/kv_cache.h"
#include "layers/attention/multi_head.h"

namespace softalign::layers {

// For each head, with q, k and v projected as in MultiHead:
//   sum     y_t = sum_i a_ti v_i, a_ti ~ phi(q_t)' phi(k_i), phi = elu + 1      Katharopoulos et al. 2020, section 3.2
//   delta   W_t = W_{t-1} + beta_t (v_t - W_{t-1} k_t) k_t'   y_t = W_t q_t     Schlag et al. 2021, section 4.2
//           of DPFP features brought to sum 1, beta_t = sigmoid(x_t W_beta + b_beta); in an encoder, too, from left
//           to right
// The cost and the memory of a step do not grow with the number of steps.
class FastWeightSelfAttention {
 public:
  enum class Rule { sum, delta };
  FastWeightSelfAttention(const Params& p, std::size_t d, std::size_t heads, Rule rule, const InitialiserConfig& init);

  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  // Steps after the lengths (B), if given, write nothing.
  struct Projected {
    Var q, k, v;  // (T, B, K*m), (T, B, K*m), (T, B, d)
    Var beta;     // (T, B, K)  delta only
  };
  Projected projected(const Var& x, const std::vector<std::size_t>& lengths) const;

  MultiHead heads_;
  std::optional<Linear> beta_;  // (d, K)  delta only
};

}  // namespace softalign::layers
