// The gradient of the mean loss over a batch, its sentences shared out to several threads.
#pragma once

#include "models/training/losses.h"

namespace models {

// How a batch is learned from.
struct Lesson {
  Random& random;  // advances by one draw
  Objective objective = {};
  double true_words = 1;  // probability that the decoder reads the true word (models/training/scheduled_sampling.h)
  std::size_t words = 0;  // target words that the loss is a mean over; 0: the batch's. More where batches add up to one
  std::size_t shards = 1;
};

// Adds the gradient of the objective to the parameters', and returns the losses. Dropout and sampled words draw from
// one stream per shard, so that another number of shards draws others; without them only rounding differs.
LossSums add_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch, const Lesson& lesson);

}  // namespace models
