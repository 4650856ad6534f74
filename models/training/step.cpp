#include "models/training/step.h"

#include "autograd/kernels/blas.h"
#include "autograd/kernels/shards.h"

namespace softalign::models {

StepResult training_step(const Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const std::vector<Batch>& batches, const Objective& objective, const Update& update,
                         Random& random) {
  StepResult result;
  for (const Batch& batch : batches) result.words += target_words(batch);
  const std::size_t shards = autograd::worthwhile_shards(params, autograd::threads());
  const auto add = [&](std::size_t i) {
    const LossSums losses = add_gradient(model, params, batches[i], objective, random, shards, result.words);
    result.losses += losses;
    return losses.total();
  };
  result.gradient_norm = take_step(params, optimiser, batches.size(), add, update);
  return result;
}

}  // namespace softalign::models
