// The training of an experiment's model.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/params.h"

namespace apps {

// Adam, gradients clipped at norm 1, the rate growing over 50 steps and falling to 0 in the second half. `loss` of a
// step, counted from 0, is a mean.
void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss);

}  // namespace apps
