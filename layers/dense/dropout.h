// Dropout: Srivastava et al. 2014; variational, one mask per sequence: Gal & Ghahramani 2016.
#pragma once

#include <utility>

#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "layers/types.h"

namespace softalign::layers {

struct Dropout {
  double p = 0;               // probability of dropping a number
  bool per_sequence = false;  // variational: the same numbers in every step of a sentence

  // x (T, B, K), or (B, K) for one step -> the same shape. Without `random` (inference) x itself.
  Var operator()(Var x, Random* random) const {
    if (!random || p == 0) return x;
    if (!per_sequence || x.shape().rank() < 3) return autograd::dropout(std::move(x), p, *random);
    // While x is still there.
    const Var m = autograd::constant(autograd::dropout_mask({1, x.dim(1), x.dim(2)}, p, *random));
    return std::move(x) * m;
  }
};

}  // namespace softalign::layers
