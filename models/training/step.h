// One step of training a Seq2Seq: gradient, clipping, update.
#pragma once

#include <cstddef>
#include <vector>

#include "models/training/gradient.h"
#include "models/training/update.h"

namespace softalign::models {

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

}  // namespace softalign::models
