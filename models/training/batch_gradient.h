// The forward and the backward pass of a training step of a Seq2Seq (models/training/step.h): the gradient of the mean
// loss over a batch, whose sentences several threads share.
#pragma once

#include "models/training/losses.h"
#include "models/training/step.h"

namespace softalign::models {

// Adds the gradient of the objective to the parameters', and returns the losses. The mean is over `words` target words
// if given, more than the batch's where batches add up to one. Dropout and sampled words draw from one stream per
// shard, so that another number of shards draws others; without them only rounding differs. `random` advances by one
// draw. Where there are more than two, a shard has eight sentences or more. Of a `share` only its part is learned from,
// to the losses and the gradient of that part; all shares have as many shards.
LossSums add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                            const Objective& objective, Random& random, std::size_t shards = 1, std::size_t words = 0,
                            const RankSlice& share = {});

}  // namespace softalign::models
