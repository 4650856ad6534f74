// This file computes the forward and the backward pass of a training step of a Seq2Seq (models/training/step.h). The
// result is the gradient of the mean loss over a batch. Several threads share the sentences of the batch.
#pragma once

#include "models/training/losses.h"
#include "models/training/step.h"

namespace softalign::models {

// Adds the gradient of the objective to the gradients of the parameters, and returns the losses. The mean is over
// `words` target words if given; with gradient accumulation, these are more than the words of the batch. Dropout and
// sampled words use one random stream per shard, so they depend on the number of shards. Without them, only rounding
// differs. `random` advances by one number. If there are more than two shards, each has at least eight sentences. If
// `share` is given, the function uses only that rank's part of the batch, and losses and gradient cover that part. All
// ranks have the same number of shards.
SummedLosses add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                                const Objective& objective, Random& random, std::size_t shards = 1,
                                std::size_t words = 0, const RankSlice& slice = {});

}  // namespace softalign::models
