#include "layers/attention/multi_head.h"

#include <fmt/format.h>

#include <stdexcept>

namespace softalign::layers {

std::size_t size_of_head(std::size_t d, std::size_t heads) {
  if (heads == 0 || d % heads != 0)
    throw std::invalid_argument(fmt::format("{} heads do not divide a width of {}", heads, d));
  return d / heads;
}

MultiHead::MultiHead(const Params& p, std::size_t d, std::size_t heads, const InitialiserConfig& init)
    : K(heads),
      query(p / "query", d, d, init.attention),
      W_K((p / "key").declare("W", {d, d}, init.attention)),
      value(p / "value", d, d, init.input(1)),
      output(p / "output", d, d, init.input(1)) {
  size_of_head(d, heads);
}

AttentionOutput MultiHead::operator()(const Var& q, const Keys& y, const Mask& mask, ReturnWeights return_weights,
                                      const AttentionHook& hook) const {
  const AttentionOutput g = hook ? attention_with_hook(q, y.keys, y.values, K, mask, hook)
                                 : attention(q, y.keys, y.values, K, mask, return_weights);
  return {output(g.context), g.weights};
}

}  // namespace softalign::layers
