// Positional attention: which step looks where is learnt of the places alone, whatever words stand there.
#pragma once

#include "autograd/ops/mask.h"
#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// O = softmax(P / sqrt(d_k) + M) V in K heads, M as in attention (scaled_dot_product.h)        Luo et al. 2024
//   places P (K, L, L), L the longest length; v (S, B, K*d_v)  ->  context (S, B, K*d_v), weights (S*B, K, S)
// The random Synthesizer of Tay et al. 2021 is the same. std::invalid_argument: more than L steps.
AttentionOutput positional_attention(const Var& places, const Var& v, std::size_t d_k, const autograd::Mask& mask);

// A score for every two places: P begins as N(0, .01^2).
struct PlaceTable {
  Var P;  // (K, L, L)
  PlaceTable(const Params& p, std::size_t K, std::size_t L) : P(p.declare("P", {K, L, L}, normal(0.01))) {}
  Var operator()() const { return P; }
};

// P = F_1 F_2', of rank r: 2 L r numbers in place of L^2. The factors begin so that P has a deviation of .01, whatever
// r.
struct PlaceFactors {
  Var F_1, F_2;  // (K, L, r)
  PlaceFactors(const Params& p, std::size_t K, std::size_t L, std::size_t r);
  Var operator()() const;  // (K, L, L)
};

}  // namespace softalign::layers
