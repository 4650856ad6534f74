// This function computes the forward and the backward pass of a training step for a Seq2Seq (models/training/step.h).
// The result is the gradient of the mean loss over a batch. Several threads share the sentences of the batch.
#pragma once

#include <cstddef>

#include "models/training/losses.h"
#include "models/training/rank_slice.h"

namespace softalign::models {

// GradientOptions says by what the loss of a batch is divided, and into how many parts (shards) the batch is split.
struct GradientOptions {
  std::size_t shards = 1;  // largest number of parts per process (autograd::parts_of_batch)
  // The loss is divided by this number of words. 0 means the number of target words of the batch. With gradient
  // accumulation, it is the number of target words of several batches.
  std::size_t words = 0;
  // In data-parallel training, `slice` names the parts of the batch that this process computes. Losses and gradient
  // then cover only these parts. All processes must use the same `shards`.
  RankSlice slice = {};
};

// Computes the gradient of the objective and adds it to the gradients of the parameters. Returns the losses. The
// objective is the sum of the losses divided by the number of words.
//
// Threads process the parts of the batch. Dropout and sampled words use one random stream per part, so results depend
// on the number of parts. Without dropout and sampling, only rounding differs. `random` advances by one number.
SummedLosses add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                                const Objective& objective, Random& random, const GradientOptions& options = {});

}  // namespace softalign::models
