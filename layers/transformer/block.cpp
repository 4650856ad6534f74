#include "layers/transformer/block.h"

namespace softalign::layers {

namespace {

Residual residual(const Params& p, const BlockOptions& o) { return {p, o.self.width, o.norm, o.dropout}; }

}  // namespace

EncoderBlock::EncoderBlock(const Params& p, const BlockOptions& o, const Scheme& init)
    : self_(p / "self", o.self, init),
      feed_forward_(p / "feed_forward", o.self.width, o.feed_forward, init),
      about_self_(residual(p / "self", o)),
      about_feed_forward_(residual(p / "feed_forward", o)) {}

EncoderBlock::Output EncoderBlock::operator()(const Var& x, const Mask& mask, Wanted wanted, Random* random) const {
  Output out;
  const auto self = [&](const Var& y) {
    const AttentionOutput g = self_(y, mask, wanted);
    out.weights = g.weights;
    return g.context;
  };
  out.x = about_feed_forward_(about_self_(x, self, random), feed_forward_, random);
  return out;
}

EncoderBlock::Output EncoderBlock::step(const Var& x, std::size_t t, const KVCache& past) const {
  Output out;
  const auto self = [&](const Var& y) {
    SelfLook look = self_.step(y, t, past);
    out.past = std::move(look.past);
    return look.attended.context;
  };
  out.x = about_feed_forward_(about_self_(x, self, nullptr), feed_forward_, nullptr);
  return out;
}

DecoderBlock::DecoderBlock(const Params& p, const BlockOptions& o, const Scheme& init)
    : self_(p / "self", o.self, init),
      cross_(p / "cross", o.self.width, o.self.heads, init),
      feed_forward_(p / "feed_forward", o.self.width, o.feed_forward, init),
      about_self_(residual(p / "self", o)),
      about_cross_(residual(p / "cross", o)),
      about_feed_forward_(residual(p / "feed_forward", o)) {}

template <class Self>
DecoderBlock::Output DecoderBlock::after(const Var& x, const Self& self, const MultiHead::Keys& memory,
                                         const Mask& mask, Random* random, const Reweight& change) const {
  Output out;
  const auto cross = [&](const Var& y) {
    const AttentionOutput g = cross_(cross_.query(y), memory, mask, Wanted::weights, change);
    out.cross = g.weights;
    return g.context;
  };
  out.x = about_feed_forward_(about_cross_(about_self_(x, self, random), cross, random), feed_forward_, random);
  return out;
}

DecoderBlock::Output DecoderBlock::operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask,
                                              Wanted wanted, Random* random, const Reweight& change) const {
  Var weights;
  const auto self = [&](const Var& y) {
    const AttentionOutput g = self_(y, {.causal = true}, wanted);
    weights = g.weights;
    return g.context;
  };
  Output out = after(x, self, memory, mask, random, change);
  out.self = weights;
  return out;
}

DecoderBlock::Output DecoderBlock::step(const Var& x, std::size_t t, const KVCache& past, const MultiHead::Keys& memory,
                                        const Mask& mask, const Reweight& change) const {
  SelfLook look;
  const auto self = [&](const Var& y) {
    look = self_.step(y, t, past);
    return look.attended.context;
  };
  Output out = after(x, self, memory, mask, nullptr, change);
  out.past = look.past;
  return out;
}

}  // namespace softalign::layers
