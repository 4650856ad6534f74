#include "layers/transformer/self_attention.h"

#include <utility>

#include "layers/transformer/positions.h"

namespace softalign::layers {

SoftmaxSelfAttention::Projected SoftmaxSelfAttention::projected(const Var& x, std::size_t first) const {
  Projected all{attention_.query(x), attention_.keys(x)};
  if (!rotary_) return all;
  const RotaryEmbedding turned(first, x.dim(0), x.dim(2) / attention_.K);
  return {turned(std::move(all.q)), {turned(std::move(all.y.keys)), all.y.values}};
}

// layers/transformer/block.cpp makes the mask causal in a decoder. layers/attention/scaled_dot_product.cpp applies it.
AttentionOutput SoftmaxSelfAttention::operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const {
  const Projected p = projected(x, 0);
  return attention_(p.q, p.y, mask, return_weights);
}

SelfAttentionStep SoftmaxSelfAttention::step(const Var& x, std::size_t t, const KVCache& cache) const {
  const Projected p = projected(x, t);
  const KVCache now{
      .keys = appended(cache.keys, p.y.keys), .values = appended(cache.values, p.y.values), .weights = {}};
  return {attention_(p.q, {now.keys, now.values}, {.rows_first = true}, ReturnWeights::yes), now};
}

namespace {

using Kind = SelfAttention::Kind;

std::variant<SoftmaxSelfAttention, FastWeightSelfAttention, PositionalSelfAttention> rule_of(
    const Params& p, const SelfAttention::Options& o, const InitialiserConfig& init) {
  switch (o.kind) {
    case Kind::softmax:
      return SoftmaxSelfAttention(p, o.width, o.heads, o.rotary, init);
    case Kind::linear:
      return FastWeightSelfAttention(p, o.width, o.heads, FastWeightSelfAttention::Rule::sum, init);
    case Kind::delta:
      return FastWeightSelfAttention(p, o.width, o.heads, FastWeightSelfAttention::Rule::delta, init);
    case Kind::positional:
      return PositionalSelfAttention(p, o.width, o.heads, o.max_positions, {}, init);
    case Kind::factorized:
      break;
  }
  constexpr std::size_t r = 8;
  return PositionalSelfAttention(p, o.width, o.heads, o.max_positions, r, init);
}

}  // namespace

SelfAttention::SelfAttention(const Params& p, const Options& o, const InitialiserConfig& init)
    : rule_(rule_of(p, o, init)) {}

AttentionOutput SelfAttention::operator()(const Var& x, const Mask& mask, ReturnWeights return_weights) const {
  return std::visit([&](const auto& rule) { return rule(x, mask, return_weights); }, rule_);
}

SelfAttentionStep SelfAttention::step(const Var& x, std::size_t t, const KVCache& cache) const {
  return std::visit([&](const auto& rule) { return rule.step(x, t, cache); }, rule_);
}

}  // namespace softalign::layers
