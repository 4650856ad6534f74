// Positional attention learns a score for each pair of positions and ignores the words. The random Synthesizer of
// Tay et al. 2021 does the same. docs/notation.md explains the notation.
#pragma once

#include <optional>
#include <variant>

#include "autograd/ops/attention_mask.h"
#include "layers/attention/kv_cache.h"
#include "layers/attention/memory.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/linear.h"
#include "layers/init.h"

namespace softalign::layers {

// Computes attention with the scores P (K, L, L) of K heads instead of products of queries and keys, as in
// Luo et al. 2024. L is the largest length, and P has one score for each pair of positions. The size d_k of a key only
// scales the scores. v (S, B, K*d_v) has the values of S steps of B sentences. M is the mask of scaled_dot_product.h.
// O = softmax(P / sqrt(d_k) + M) V
// The context is (S, B, K*d_v), and the weights are (S*B, K, S). Throws std::invalid_argument for more than L steps.
AttentionOutput positional_attention(const Var& P, const Var& v, std::size_t d_k, const autograd::Mask& mask);

// PositionTable has a learned score P for each pair of positions. The initial scores are samples of N(0, .01^2).
struct PositionTable {
  Var P;  // (K, L, L)
  PositionTable(const Params& p, std::size_t K, std::size_t L) : P(p.declare("P", {K, L, L}, normal(0.01))) {}
  Var operator()() const { return P; }
};

// FactorizedPositionTable computes the scores of L positions as a product P = F_1 F_2' of rank r. It learns 2 L r
// numbers instead of L^2. The factors are initialised so that P has a standard deviation of .01 for every r.
struct FactorizedPositionTable {
  Var F_1, F_2;  // (K, L, r)
  FactorizedPositionTable(const Params& p, std::size_t K, std::size_t L, std::size_t r);
  Var operator()() const;  // (K, L, L)
};

// PositionalSelfAttention is self-attention with learned scores P of positions, in K heads. P is a PositionTable or a
// FactorizedPositionTable. V has the values, d_k is the size of a head, and M is the mask. W_O and b_O belong to the
// output layer.
// O = softmax(P / sqrt(d_k) + M) V W_O + b_O
class PositionalSelfAttention {
 public:
  // `d` is the size of the vectors, `heads` is K, and `L` is the number of positions. P has the scores of
  // the positions. With a `rank`, it is a product of two factors of this rank (FactorizedPositionTable). Without a
  // `rank`, the layer learns P itself. Throws std::invalid_argument if d is not divisible by the number of heads.
  PositionalSelfAttention(const Params& p, std::size_t d, std::size_t heads, std::size_t L,
                          std::optional<std::size_t> rank, const InitialiserConfig& init);

  // Computes all S steps of B sentences, x (S, B, d). Throws std::invalid_argument if there are more steps than
  // positions.
  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  // Computes step t, counted from 0. The table P has only L positions. A step after these positions uses the scores of
  // the last position, and attends only to the last L steps.
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  Var P() const;  // (K, L, L)

  std::size_t K_, d_k_;
  std::variant<PositionTable, FactorizedPositionTable> table_;
  Linear value_, output_;  // (d, d)
};

}  // namespace softalign::layers
