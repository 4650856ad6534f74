// One training step of a Seq2Seq in tests and benchmarks: the gradient of some batches, clipping, update.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "models/training/batch_gradient.h"
#include "models/training/step.h"

namespace seq2seq_step {

using namespace softalign;

struct StepResult {
  models::SummedLosses losses;  // before the update
  std::size_t words = 0;        // target tokens, </s> included, without padding
  double gradient_norm = 0;     // before clipping
  double loss() const { return losses.words / static_cast<double>(words); }  // nats per target token
};

// The mean is over all words of the batches, so several small batches equal one large batch.
inline StepResult learn(const models::Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                        const std::vector<data::Batch>& batches, const models::Objective& objective,
                        const models::Update& update, autograd::Random& random) {
  StepResult result;
  for (const data::Batch& batch : batches) result.words += target_words(batch);
  const std::size_t shards = autograd::worthwhile_shards(params, autograd::threads());
  const auto run_batch = [&](std::size_t i) {
    const models::SummedLosses losses = models::add_batch_gradient(model, params, batches[i], objective, random,
                                                                   {.shards = shards, .words = result.words});
    result.losses += losses;
    return losses.total();
  };
  result.gradient_norm = models::training_step(params, optimiser, batches.size(), run_batch, update);
  return result;
}

}  // namespace seq2seq_step
