#include "layers/transformer/softmax_self_attention.h"

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

}  // namespace softalign::layers
