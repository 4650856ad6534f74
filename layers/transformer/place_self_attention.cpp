#include "layers/transformer/place_self_attention.h"

#include <algorithm>
#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "layers/transformer/multi_head.h"

namespace softalign::layers {

namespace {

std::variant<PlaceTable, PlaceFactors> table(const Params& p, std::size_t K, std::size_t L,
                                             std::optional<std::size_t> rank) {
  if (rank) return PlaceFactors(p, K, L, *rank);
  return PlaceTable(p, K, L);
}

}  // namespace

PlaceSelfAttention::PlaceSelfAttention(const Params& p, std::size_t d, std::size_t heads, std::size_t places,
                                       std::optional<std::size_t> rank, const Scheme& init)
    : K_(heads),
      d_k_(size_of_head(d, heads)),
      places_(table(p, heads, places, rank)),
      value_(p / "value", d, d, init.input(1)),
      output_(p / "output", d, d, init.input(1)) {}

Var PlaceSelfAttention::P() const {
  return std::visit([](const auto& places) { return places(); }, places_);
}

AttentionOutput PlaceSelfAttention::operator()(const Var& x, const Mask& mask, Wanted) const {
  const AttentionOutput g = positional_attention(P(), value_(x), d_k_, mask);
  return {output_(g.context), g.weights};
}

SelfLook PlaceSelfAttention::step(const Var& x, std::size_t t, const KVCache& past) const {
  const Var places = P();
  const std::size_t R = x.dim(1), L = places.dim(1), row = std::min(t, L - 1), n = row + 1;
  KVCache now{.keys = {}, .values = appended(past.values, value_(x)), .weights = {}};
  now.values = slice(now.values, 1, now.values.dim(1) - n, now.values.dim(1));
  const Var e = slice(slice(places, 1, row, row + 1), 2, 0, n) * (1 / std::sqrt(static_cast<Real>(d_k_)));
  const Var alpha = softmax(reshape(e, {1, K_, 1, n}));                          // of every row
  const Var V = transpose(reshape(now.values, {R, n, K_, d_k_}), {0, 2, 3, 1});  // (R, K, d_k, n)
  const Var y = sum(V * alpha, {3});                                             // (R, K, d_k)
  return {{output_(reshape(y, {1, R, K_ * d_k_})), {}}, now};
}

}  // namespace softalign::layers
