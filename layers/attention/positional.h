// Positional attention learns a score for each pair of positions and ignores the words. It is the random Synthesizer of
// Tay et al. 2021. docs/notation.md explains the letters.
#pragma once

#include <optional>
#include <variant>

#include "autograd/ops/mask.h"
#include "layers/attention/kv_cache.h"
#include "layers/attention/memory.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/linear.h"
#include "layers/init.h"

namespace softalign::layers {

// O = softmax(P / sqrt(d_k) + M) V in K heads, M as in attention (scaled_dot_product.h)        Luo et al. 2024
//   places P (K, L, L), L the longest length; v (S, B, K*d_v)  ->  context (S, B, K*d_v), weights (S*B, K, S)
// The random Synthesizer of Tay et al. 2021 is the same. Throws std::invalid_argument for more than L steps.
AttentionOutput positional_attention(const Var& places, const Var& v, std::size_t d_k, const autograd::Mask& mask);

// P has a score for every pair of positions. It is initialised as N(0, .01^2).
struct PositionTable {
  Var P;  // (K, L, L)
  PositionTable(const Params& p, std::size_t K, std::size_t L) : P(p.declare("P", {K, L, L}, normal(0.01))) {}
  Var operator()() const { return P; }
};

// P = F_1 F_2' has rank r, and 2 L r numbers instead of L^2. The factors are initialised so that P has a standard
// deviation of .01 for every r.
struct FactorizedPositionTable {
  Var F_1, F_2;  // (K, L, r)
  FactorizedPositionTable(const Params& p, std::size_t K, std::size_t L, std::size_t r);
  Var operator()() const;  // (K, L, L)
};

// This is self-attention with that table: O = softmax(P / sqrt(d_k) + M) V W_O + b_O in K heads, with P or P = F_1
// F_2'.
class PositionalSelfAttention {
 public:
  // `places` is L. `rank` is the rank of the factors; without it, P itself is learned. Throws std::invalid_argument if
  // K does not divide d.
  PositionalSelfAttention(const Params& p, std::size_t d, std::size_t heads, std::size_t places,
                          std::optional<std::size_t> rank, const InitialiserConfig& init);

  // Throws std::invalid_argument for more than L steps.
  AttentionOutput operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const;
  // Computes step t, counted from 0. A step after the L-th uses the last row of P, for the last L steps.
  SelfAttentionStep step(const Var& x, std::size_t t, const KVCache& cache) const;

 private:
  Var P() const;  // (K, L, L)

  std::size_t K_, d_k_;
  std::variant<PositionTable, FactorizedPositionTable> places_;
  Linear value_, output_;  // (d, d)
};

}  // namespace softalign::layers
