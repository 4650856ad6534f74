// This function computes the forward and the backward pass of a training step for a Seq2Seq (models/training/step.h).
// The result is the gradient of the mean loss over a batch. Several threads share the sentences of the batch.
#pragma once

#include "models/training/losses.h"
#include "models/training/rank_slice.h"

namespace softalign::models {

// Computes the gradient of the objective and adds it to the gradients of the parameters. Returns the losses. The
// objective is the sum of the losses divided by `words`. If `words` is 0, the divisor is the number of target words of
// the batch. With gradient accumulation, `words` counts the target words of several batches.
//
// The batch is split into parts (shards), and threads process the parts. Each process has at most `shards` parts
// (autograd::parts_of_batch). Dropout and sampled words use one random stream per part, so results depend on the number
// of parts. Without dropout and sampling, only rounding differs. `random` advances by one number.
//
// In data-parallel training, `slice` names the parts of the batch that this process computes. Losses and gradient then
// cover only these parts. All processes must pass the same `shards`.
SummedLosses add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                                const Objective& objective, Random& random, std::size_t shards = 1,
                                std::size_t words = 0, const RankSlice& slice = {});

}  // namespace softalign::models
