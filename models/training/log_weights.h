// This function computes the logarithm of attention weights, for losses.
#pragma once

#include "autograd/ops/elementwise.h"

namespace softalign::models {

// Returns log max(alpha, 1e-8). A weight of 0 would give an infinite loss, which ends a training. Weights below 1e-8
// get no gradient.
inline autograd::Var log_weights(const autograd::Var& alpha) {
  constexpr autograd::Real least = autograd::Real(1e-8);
  return log(relu(alpha - least) + least);
}

}  // namespace softalign::models
