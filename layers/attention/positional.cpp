#include "layers/attention/positional.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/by_head.h"

namespace softalign::layers {

namespace {

// 1 where step t of sentence b may look, else 0: (B*K, S, S)
Array visible(const autograd::Mask& mask, std::size_t B, std::size_t K, std::size_t S) {
  Array m = autograd::zeros({B * K, S, S});
  for (std::size_t i = 0; i < B * K; ++i)
    for (std::size_t t = 0; t < S; ++t) {
      const std::size_t n = mask.lengths.empty() ? S : mask.lengths[i / K];
      std::fill_n(m.data() + (i * S + t) * S, mask.causal ? std::min(n, t + 1) : n, Real(1));
    }
  return m;
}

}  // namespace

AttentionOutput positional_attention(const Var& places, const Var& v, std::size_t d_k, const autograd::Mask& mask) {
  const std::size_t K = places.dim(0), L = places.dim(1), S = v.dim(0), B = v.dim(1);
  if (S > L)
    throw std::invalid_argument(fmt::format(
        "a {} of {} tokens, </s> included, but positional self-attention for {} only; train with longer sentences, or "
        "take another --self-attention",
        mask.causal ? "target" : "source", S, L));
  if (v.dim(2) % K != 0 || (!mask.lengths.empty() && mask.lengths.size() != B))
    throw std::invalid_argument(fmt::format("positional attention: {} heads and {} lengths do not fit values {}", K,
                                            mask.lengths.size(), to_string(v.shape())));
  const Var here = slice(slice(places, 1, 0, S), 2, 0, S) * (1 / std::sqrt(static_cast<Real>(d_k)));
  const Var E = reshape(reshape(here, {1, K, S, S}) + constant(autograd::zeros({B, 1, 1, 1})), {B * K, S, S});
  const Var A = softmax(E, visible(mask, B, K, S));
  const Var O = batched_matmul(A, apart(v, K));
  return {side_by_side(O, K), reshape(together(A, K), {S * B, K, S})};
}

PlaceFactors::PlaceFactors(const Params& p, std::size_t K, std::size_t L, std::size_t r) {
  const Initialiser init = normal(std::sqrt(0.01) / std::pow(static_cast<double>(r), 0.25));
  F_1 = p.declare("F_1", {K, L, r}, init);
  F_2 = p.declare("F_2", {K, L, r}, init);
}

Var PlaceFactors::operator()() const { return batched_matmul(F_1, transpose(F_2, {0, 2, 1})); }

}  // namespace softalign::layers
