// One step of training: loss, gradient, clipping, update. It refuses to take a step that is not made of finite numbers.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "autograd/optimiser.h"
#include "autograd/params.h"
#include "data/batch.h"
#include "models/seq2seq.h"

namespace apps {

struct StepOptions {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
  double label_smoothing = 0;
};

struct StepResult {
  double loss = 0;           // nats per target token, before the update
  std::size_t words = 0;     // target tokens, </s> counted, without padding
  double gradient_norm = 0;  // before clipping
};

// Loss or gradient is not finite; the message says which, and the first parameter whose numbers or gradient are not.
// The parameters are as they were before the step.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `dropout` advances; nothing else is random.
StepResult training_step(const models::Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const data::Batch& batch, const StepOptions& options, autograd::Random& dropout);

// Target tokens of a batch, </s> counted, without padding.
std::size_t count_words(const data::Batch& batch);

// Diverged, naming the parameter, if one is not finite.
void check_finite(const autograd::Params& params);

}  // namespace apps
