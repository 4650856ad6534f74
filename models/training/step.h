// One step of training: gradient, clipping, update. It refuses to take a step that is not made of finite numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"
#include "models/training/gradient.h"

namespace models {

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

struct StepResult {
  LossSums losses;           // before the update
  std::size_t words = 0;     // target tokens, </s> counted, without padding
  double gradient_norm = 0;  // before clipping
  double loss() const { return losses.words / static_cast<double>(words); }  // nats per target token
};

// One update of a Seq2Seq from the batches together: the mean is over all their words, so several small ones stand for
// a large one. `random` advances; nothing else is random.
StepResult training_step(const Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const std::vector<Batch>& batches, const Objective& objective, const Update& update,
                         Random& random);

}  // namespace models
