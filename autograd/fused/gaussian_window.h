// A Gaussian over source positions, for the definition in layers/attention/scope.h.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// y_rj = alpha_rj exp(-(j - p_r)^2 / (2 sigma^2))      alpha (R, S), p (R, 1) in steps from 0  ->  (R, S).
// std::invalid_argument: sizes that do not fit.
//   dalpha = dy y / alpha      dp_r = sum_j dy_rj y_rj (j - p_r) / sigma^2
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

}  // namespace softalign::autograd::fused
