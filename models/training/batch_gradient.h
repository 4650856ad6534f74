// This function computes the forward and the backward pass of a training step for a Seq2Seq (models/training/step.h).
// The result is the gradient of the mean loss over a batch. Several threads share the sentences of the batch.
#pragma once

#include "models/training/losses.h"
#include "models/training/rank_slice.h"

namespace softalign::models {

// Adds the gradient of the objective to the gradients of the parameters, and returns the losses. The gradient belongs
// to the sum of the losses divided by `words`, or by the number of target words of the batch if `words` is 0. With
// gradient accumulation, `words` counts the target words of several batches.
//
// The batch is split into parts (shards), and threads process the parts. Each process has at most `shards` parts
// (autograd::parts_of_batch). Dropout and sampled words use one random stream per part, so results depend on the number
// of parts. Without dropout and sampling, only rounding differs. `random` advances by one number.
//
// In data-parallel training, `slice` names the part of the batch that this process uses. Losses and gradient then cover
// only this part. All processes have the same number of shards.
SummedLosses add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                                const Objective& objective, Random& random, std::size_t shards = 1,
                                std::size_t words = 0, const RankSlice& slice = {});

}  // namespace softalign::models
