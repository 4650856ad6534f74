// The gradient of the mean loss over a batch, its sentences shared out to several threads.
#pragma once

#include "models/seq2seq.h"

namespace models {

// Adds the gradient to the parameters' and returns the mean loss per target word. Dropout draws from one stream per
// shard, so that another number of shards drops other numbers; without dropout only rounding differs.
double add_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch, const Training& training,
                    std::size_t shards);

}  // namespace models
