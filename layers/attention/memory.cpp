#include "layers/attention/memory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace softalign::layers {

Var mean_over_heads(const Var& weights) {
  if (weights.dim(1) == 1) return reshape(weights, {weights.dim(0), weights.dim(2)});
  return mean(weights, {1});
}

Var hooked_weights(const AttentionHook& hook, const Var& e, const Var& window, bool gaussian, const Var& alpha,
                   const Var& values, std::size_t layer) {
  const Var mass = sum(alpha, {2}, autograd::Keep::yes);
  const Var changed = hook({e + log(window), gaussian ? alpha / mass : alpha, mass, values, layer});
  if (!(changed.shape() == alpha.shape()))
    throw std::invalid_argument(fmt::format("weights {} in place of an attention's {}; they must be as many",
                                            to_string(changed.shape()), to_string(alpha.shape())));
  return gaussian ? changed * mass : changed;
}

}  // namespace softalign::layers
