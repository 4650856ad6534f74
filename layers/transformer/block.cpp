#include "layers/transformer/block.h"

namespace softalign::layers {

namespace {

Residual residual(const Params& p, const BlockOptions& o) { return {p, o.self.width, o.norm, o.dropout}; }

}  // namespace

EncoderBlock::EncoderBlock(const Params& p, const BlockOptions& o, const InitialiserConfig& init)
    : self_(p / "self", o.self, init),
      feed_forward_(p / "feed_forward", o.self.width, o.feed_forward, init),
      residual_self_(residual(p / "self", o)),
      residual_feed_forward_(residual(p / "feed_forward", o)) {}

EncoderBlock::Output EncoderBlock::operator()(const Var& x, const Mask& mask, ReturnWeights return_weights,
                                              Random* random) const {
  Output out;
  const auto self = [&](const Var& y) {
    const AttentionOutput g = self_(y, mask, return_weights);
    out.weights = g.weights;
    return g.context;
  };
  // y = x + attention(LN(x))        x' = y + FFN(LN(y))        pre-norm, the default; Residual has post-norm too
  out.x = residual_feed_forward_(residual_self_(x, self, random), feed_forward_, random);
  return out;
}

EncoderBlock::Output EncoderBlock::step(const Var& x, std::size_t t, const KVCache& cache) const {
  Output out;
  const auto self = [&](const Var& y) {
    SelfAttentionStep attended = self_.step(y, t, cache);
    out.cache = std::move(attended.cache);
    return attended.attended.context;
  };
  out.x = residual_feed_forward_(residual_self_(x, self, nullptr), feed_forward_, nullptr);
  return out;
}

DecoderBlock::DecoderBlock(const Params& p, const BlockOptions& o, const InitialiserConfig& init)
    : self_(p / "self", o.self, init),
      cross_(p / "cross", o.self.width, o.self.heads, init),
      feed_forward_(p / "feed_forward", o.self.width, o.feed_forward, init),
      residual_self_(residual(p / "self", o)),
      residual_cross_(residual(p / "cross", o)),
      residual_feed_forward_(residual(p / "feed_forward", o)) {}

template <class Self>
DecoderBlock::Output DecoderBlock::after(const Var& x, const Self& self, const MultiHead::Keys& memory,
                                         const Mask& mask, Random* random, const AttentionHook& hook) const {
  Output out;
  const auto cross = [&](const Var& y) {
    const AttentionOutput g = cross_(cross_.query(y), memory, mask, ReturnWeights::yes, hook);
    out.cross = g.weights;
    return g.context;
  };
  // y = x + attention(LN(x))        z = y + attention(LN(y), memory)        x' = z + FFN(LN(z))
  out.x =
      residual_feed_forward_(residual_cross_(residual_self_(x, self, random), cross, random), feed_forward_, random);
  return out;
}

DecoderBlock::Output DecoderBlock::operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask,
                                              ReturnWeights return_weights, Random* random,
                                              const AttentionHook& hook) const {
  Var weights;
  const auto self = [&](const Var& y) {
    const AttentionOutput g = self_(y, {.causal = true}, return_weights);
    weights = g.weights;
    return g.context;
  };
  Output out = after(x, self, memory, mask, random, hook);
  out.self = weights;
  return out;
}

DecoderBlock::Output DecoderBlock::step(const Var& x, std::size_t t, const KVCache& cache,
                                        const MultiHead::Keys& memory, const Mask& mask,
                                        const AttentionHook& hook) const {
  SelfAttentionStep attended;
  const auto self = [&](const Var& y) {
    attended = self_.step(y, t, cache);
    return attended.attended.context;
  };
  Output out = after(x, self, memory, mask, nullptr, hook);
  out.cache = attended.cache;
  return out;
}

}  // namespace softalign::layers
