#include "layers/transformer/block.h"

namespace layers {

namespace {

Residual residual(const Params& p, const BlockOptions& o) { return {p, o.width, o.norm, o.dropout}; }

struct Projected {
  Var q;
  MultiHead::Keys y;
};
// Of x's steps for attention to themselves; the first is at position `first`.
Projected of_itself(const MultiHead& attention, const Var& x, bool relative, std::size_t first) {
  Projected all{attention.query(x), attention.keys(x)};
  if (!relative) return all;
  all.q = turned(all.q, attention.K, first);
  all.y.keys = turned(all.y.keys, attention.K, first);
  return all;
}

// (R, t, d) and one step (1, R, d) more -> (R, t + 1, d)
Var appended(const Var& before, const Var& step) {
  const Var row = reshape(step, {step.dim(1), 1, step.dim(2)});
  return before.defined() ? autograd::concat({before, row}, 1) : row;
}

}  // namespace

EncoderBlock::EncoderBlock(const Params& p, const BlockOptions& o, const Scheme& init)
    : options_(o),
      self_(p / "self", o.width, o.heads, init),
      feed_forward_(p / "feed_forward", o.width, o.feed_forward, init),
      about_self_(residual(p / "self", o)),
      about_feed_forward_(residual(p / "feed_forward", o)) {}

EncoderBlock::Output EncoderBlock::operator()(const Var& x, const Mask& mask, Wanted wanted, Random* random) const {
  Output out;
  const auto self = [&](const Var& y) {
    const Projected p = of_itself(self_, y, options_.relative, 0);
    const Glimpse g = self_(p.q, p.y, mask, wanted);
    out.weights = g.weights;
    return g.context;
  };
  out.x = about_feed_forward_(about_self_(x, self, random), feed_forward_, random);
  return out;
}

DecoderBlock::DecoderBlock(const Params& p, const BlockOptions& o, const Scheme& init)
    : options_(o),
      self_(p / "self", o.width, o.heads, init),
      cross_(p / "cross", o.width, o.heads, init),
      feed_forward_(p / "feed_forward", o.width, o.feed_forward, init),
      about_self_(residual(p / "self", o)),
      about_cross_(residual(p / "cross", o)),
      about_feed_forward_(residual(p / "feed_forward", o)) {}

template <class Attend>
DecoderBlock::Output DecoderBlock::after(const Var& x, std::size_t first, const Attend& attend,
                                         const MultiHead::Keys& memory, const Mask& mask, Random* random,
                                         const Reweight& change) const {
  Output out;
  const auto self = [&](const Var& y) {
    const Glimpse g = attend(of_itself(self_, y, options_.relative, first));
    out.self = g.weights;
    return g.context;
  };
  const auto cross = [&](const Var& y) {
    const Glimpse g = cross_(cross_.query(y), memory, mask, Wanted::weights, change);
    out.cross = g.weights;
    return g.context;
  };
  out.x = about_feed_forward_(about_cross_(about_self_(x, self, random), cross, random), feed_forward_, random);
  return out;
}

DecoderBlock::Output DecoderBlock::operator()(const Var& x, const MultiHead::Keys& memory, const Mask& mask,
                                              Wanted wanted, Random* random, const Reweight& change) const {
  const auto attend = [&](const Projected& p) { return self_(p.q, p.y, {.causal = true}, wanted); };
  return after(x, 0, attend, memory, mask, random, change);
}

DecoderBlock::Output DecoderBlock::step(const Var& x, const Cache& past, const MultiHead::Keys& memory,
                                        const Mask& mask, const Reweight& change) const {
  Cache cache;
  const auto attend = [&](const Projected& p) {
    cache = {appended(past.keys, p.y.keys), appended(past.values, p.y.values)};
    return self_(p.q, {cache.keys, cache.values}, {.rows_first = true}, Wanted::weights);
  };
  Output out = after(x, past.steps(), attend, memory, mask, nullptr, change);
  out.cache = cache;
  return out;
}

}  // namespace layers
