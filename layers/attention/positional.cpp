#include "layers/attention/positional.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/multi_head.h"
#include "layers/attention/scaled_dot_product.h"

namespace softalign::layers {

namespace {

// visible returns (B*K, S, S), with 1 where step t of sentence b may attend, and 0 elsewhere.
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

AttentionOutput positional_attention(const Var& P, const Var& v, std::size_t d_k, const autograd::Mask& mask) {
  const std::size_t K = P.dim(0), L = P.dim(1), S = v.dim(0), B = v.dim(1);
  if (S > L)
    throw std::invalid_argument(
        fmt::format("the {} has {} tokens with </s>, but positional self-attention knows only {} positions. Train with "
                    "longer sentences, or with another --self-attention",
                    mask.causal ? "target" : "source", S, L));
  if (v.dim(2) % K != 0 || (!mask.lengths.empty() && mask.lengths.size() != B))
    throw std::invalid_argument(fmt::format("positional attention: {} heads and {} lengths do not fit values {}", K,
                                            mask.lengths.size(), to_string(v.shape())));
  const Var here = slice(slice(P, 1, 0, S), 2, 0, S) * (1 / std::sqrt(static_cast<Real>(d_k)));
  const Var E = reshape(reshape(here, {1, K, S, S}) + constant(autograd::zeros({B, 1, 1, 1})), {B * K, S, S});
  const Var A = softmax(E, visible(mask, B, K, S));
  const Var O = batched_matmul(A, apart(v, K));
  return {side_by_side(O, K), reshape(together(A, K), {S * B, K, S})};
}

FactorizedPositionTable::FactorizedPositionTable(const Params& p, std::size_t K, std::size_t L, std::size_t r) {
  const Initialiser init = normal(std::sqrt(0.01) / std::pow(static_cast<double>(r), 0.25));
  F_1 = p.declare("F_1", {K, L, r}, init);
  F_2 = p.declare("F_2", {K, L, r}, init);
}

Var FactorizedPositionTable::operator()() const { return batched_matmul(F_1, transpose(F_2, {0, 2, 1})); }

namespace {

std::variant<PositionTable, FactorizedPositionTable> table(const Params& p, std::size_t K, std::size_t L,
                                                           std::optional<std::size_t> rank) {
  if (rank) return FactorizedPositionTable(p, K, L, *rank);
  return PositionTable(p, K, L);
}

}  // namespace

PositionalSelfAttention::PositionalSelfAttention(const Params& p, std::size_t d, std::size_t heads, std::size_t L,
                                                 std::optional<std::size_t> rank, const InitialiserConfig& init)
    : K_(heads),
      d_k_(size_of_head(d, heads)),
      table_(table(p, heads, L, rank)),
      value_(p / "value", d, d, init.input(1)),
      output_(p / "output", d, d, init.input(1)) {}

Var PositionalSelfAttention::P() const {
  return std::visit([](const auto& scores) { return scores(); }, table_);
}

AttentionOutput PositionalSelfAttention::operator()(const Var& x, const Mask& mask, ReturnWeights) const {
  const AttentionOutput g = positional_attention(P(), value_(x), d_k_, mask);
  return {output_(g.context), g.weights};
}

SelfAttentionStep PositionalSelfAttention::step(const Var& x, std::size_t t, const KVCache& cache) const {
  const Var scores = P();
  const std::size_t R = x.dim(1), L = scores.dim(1), row = std::min(t, L - 1), n = row + 1;
  KVCache now{.keys = {}, .values = appended(cache.values, value_(x)), .weights = {}};
  now.values = slice(now.values, 1, now.values.dim(1) - n, now.values.dim(1));
  const Var e = slice(slice(scores, 1, row, row + 1), 2, 0, n) * (1 / std::sqrt(static_cast<Real>(d_k_)));
  const Var alpha = softmax(reshape(e, {1, K_, 1, n}));                          // equal for all rows
  const Var V = transpose(reshape(now.values, {R, n, K_, d_k_}), {0, 2, 3, 1});  // (R, K, d_k, n)
  const Var y = sum(V * alpha, {3});                                             // (R, K, d_k)
  return {{output_(reshape(y, {1, R, K_ * d_k_})), {}}, now};
}

}  // namespace softalign::layers
