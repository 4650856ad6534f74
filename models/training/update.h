// One update of parameters from the gradients of some batches: clipping and the optimiser's step. It refuses to take a
// step that is not made of finite numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

struct Update {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
};

// Loss or gradient is not finite; the message says which, and the first parameter whose numbers or gradient are not.
// The parameters are as they were before the step.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One update from the sum of the gradients of several batches: add_gradient(i) adds that of batch i to the parameters'
// and returns what the batch was learned from, its loss. The result is the norm of the sum before clipping.
double take_step(const autograd::Params& params, autograd::Optimiser& optimiser, std::size_t batches,
                 const std::function<double(std::size_t)>& add_gradient, const Update& update);

// Diverged, naming the parameter, if one is not finite.
void check_finite(const autograd::Params& params);

}  // namespace softalign::models
