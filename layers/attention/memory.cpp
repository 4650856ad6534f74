#include "layers/attention/memory.h"

#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace layers {

Var mean_over_heads(const Var& weights) {
  if (weights.dim(1) == 1) return reshape(weights, {weights.dim(0), weights.dim(2)});
  return mean(weights, {1});
}

}  // namespace layers
