// Layer normalisation in one pass over each row, for the definition in layers/dense/layer_norm.h.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// y = g xh + b, xh = (x - mean) / sqrt(var + eps)      x (.., d), g (d), b (d); mean and (biased) variance of each row.
// std::invalid_argument: sizes that do not fit.
//   u = dy g      dx = (u - mean(u) - xh mean(u xh)) / sqrt(var + eps)      dg = sum dy xh      db = sum dy
Var layer_norm(const Var& x, const Var& g, const Var& b, Real eps);

}  // namespace softalign::autograd::fused
