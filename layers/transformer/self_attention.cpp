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

AttentionOutput SoftmaxSelfAttention::operator()(const Var& x, const Mask& mask, Wanted wanted) const {
  const Projected p = projected(x, 0);
  return attention_(p.q, p.y, mask, wanted);
}

SelfLook SoftmaxSelfAttention::step(const Var& x, std::size_t t, const KVCache& past) const {
  const Projected p = projected(x, t);
  const KVCache now{.keys = appended(past.keys, p.y.keys), .values = appended(past.values, p.y.values), .weights = {}};
  return {attention_(p.q, {now.keys, now.values}, {.rows_first = true}, Wanted::weights), now};
}

namespace {

using Kind = SelfAttention::Kind;

std::variant<SoftmaxSelfAttention, FastSelfAttention, PlaceSelfAttention> rule_of(const Params& p,
                                                                                  const SelfAttention::Options& o,
                                                                                  const Scheme& init) {
  switch (o.kind) {
    case Kind::softmax:
      return SoftmaxSelfAttention(p, o.width, o.heads, o.rotary, init);
    case Kind::linear:
      return FastSelfAttention(p, o.width, o.heads, FastSelfAttention::Rule::sum, init);
    case Kind::delta:
      return FastSelfAttention(p, o.width, o.heads, FastSelfAttention::Rule::delta, init);
    case Kind::positional:
      return PlaceSelfAttention(p, o.width, o.heads, o.places, {}, init);
    case Kind::factorized:
      break;
  }
  constexpr std::size_t r = 8;
  return PlaceSelfAttention(p, o.width, o.heads, o.places, r, init);
}

}  // namespace

const data::Choice<Kind>& SelfAttention::kinds() {
  static const data::Choice<Kind> choice("self attention", {{"softmax", Kind::softmax},
                                                            {"linear", Kind::linear},
                                                            {"delta", Kind::delta},
                                                            {"positional", Kind::positional},
                                                            {"factorized", Kind::factorized}});
  return choice;
}

SelfAttention::SelfAttention(const Params& p, const Options& o, const Scheme& init) : rule_(rule_of(p, o, init)) {}

AttentionOutput SelfAttention::operator()(const Var& x, const Mask& mask, Wanted wanted) const {
  return std::visit([&](const auto& rule) { return rule(x, mask, wanted); }, rule_);
}

SelfLook SelfAttention::step(const Var& x, std::size_t t, const KVCache& past) const {
  return std::visit([&](const auto& rule) { return rule.step(x, t, past); }, rule_);
}

}  // namespace softalign::layers
