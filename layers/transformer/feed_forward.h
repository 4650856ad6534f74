// The position-wise feed-forward network.
#pragma once

#include "autograd/ops/elementwise.h"
#include "layers/dense/linear.h"

namespace softalign::layers {

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2                Vaswani et al. 2017, eq. 2; x (.., d) -> (.., d)
struct FeedForward {
  Linear first;   // (d, f)
  Linear second;  // (f, d)
  FeedForward(const Params& p, std::size_t d, std::size_t f, const Scheme& init)
      : first(p / "first", d, f, init.input(1)), second(p / "second", f, d, init.input(1)) {}
  Var operator()(const Var& x) const { return second(relu(first(x))); }
};

}  // namespace softalign::layers
