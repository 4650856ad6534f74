#include "layers/transformer/self_attention.h"

namespace softalign::layers {

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
