// This file has dropout (Srivastava et al. 2014), and variational dropout (Gal & Ghahramani 2016), which drops the same
// numbers in every step of a sequence. docs/notation.md explains the notation.
#pragma once

#include <utility>

#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "layers/types.h"

namespace softalign::layers {

struct Dropout {
  double p = 0;               // probability of dropping a number
  bool per_sequence = false;  // variational dropout: drop the same numbers in every step of a sentence

  // Returns x with some random numbers set to 0. x is (T, B, K): T steps of B sentences with K numbers each, or (B, K)
  // for one step. Without `random`, at test time, the result is x itself.
  Var operator()(Var x, Random* random) const {
    if (!random || p == 0) return x;
    if (!per_sequence || x.shape().rank() < 3) return autograd::dropout(std::move(x), p, *random);
    // The code samples the mask m in its own statement, before std::move(x), because m needs the shape of x.
    const Var m = autograd::constant(autograd::dropout_mask({1, x.dim(1), x.dim(2)}, p, *random));
    return std::move(x) * m;
  }
};

}  // namespace softalign::layers
