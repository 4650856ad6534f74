// Dropout: Srivastava et al. 2014; variational, one mask per sequence: Gal & Ghahramani 2016.
#pragma once

#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace layers {

struct Dropout {
  double p = 0;               // probability of dropping a number
  bool per_sequence = false;  // variational: the same numbers in every step of a sentence

  // x (T*B, K) time-major -> the same shape. Without `random` (inference) x itself.
  Var operator()(const Var& x, std::size_t B, Random* random) const {
    if (!random || p == 0) return x;
    if (!per_sequence) return autograd::dropout(x, p, *random);
    const std::size_t K = x.dim(1);
    const Var mask = autograd::constant(autograd::dropout_mask({1, B, K}, p, *random));
    return reshape(reshape(x, {x.dim(0) / B, B, K}) * mask, x.shape());
  }
};

}  // namespace layers
