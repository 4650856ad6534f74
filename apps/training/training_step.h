// One step of training: loss, gradient, clipping, update. It refuses to take a step that is not made of finite numbers.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"
#include "data/corpus/batch.h"
#include "models/training/gradient.h"

namespace apps {

struct StepOptions {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
  models::Objective objective = {};
  double true_words = 1;  // probability that the decoder reads the true word (models/training/scheduled_sampling.h)
};

struct StepResult {
  models::LossSums losses;   // before the update
  std::size_t words = 0;     // target tokens, </s> counted, without padding
  double gradient_norm = 0;  // before clipping
  double loss() const { return losses.words / static_cast<double>(words); }  // nats per target token
};

// Loss or gradient is not finite; the message says which, and the first parameter whose numbers or gradient are not.
// The parameters are as they were before the step.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One update from the batches together: the mean is over all their words, so several small ones stand for a large one.
// `random` advances; nothing else is random.
StepResult training_step(const models::Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const std::vector<data::Batch>& batches, const StepOptions& options, autograd::Random& random);

// Diverged, naming the parameter, if one is not finite.
void check_finite(const autograd::Params& params);

}  // namespace apps
