// Linear is an affine map, x W + b. docs/notation.md explains the notation.
#pragma once

#include "autograd/ops/matmul.h"
#include "layers/init.h"

namespace softalign::layers {

// y = x W + b            x (.., K) -> (.., N)
struct Linear {
  Var W;  // (K, N)
  Var b;  // (N)
  Linear(const Params& p, std::size_t K, std::size_t N, const Initialiser& init)
      : W(p.declare("W", {K, N}, init)), b(p.declare("b", {N}, zeros())) {}
  Var operator()(const Var& x) const { return affine(x, W, b); }
};

}  // namespace softalign::layers
