// Shards: one batch, several threads. Each shard runs its own graph, forwards and backwards, over a part of the batch;
// the parameters are shared, their gradients are the shard's own until all are done. With small matrices this beats
// threads inside every product, which wait for each other hundreds of times a step.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/params.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// Runs work(0) .. work(shards - 1) at once, each on a thread of its own with BLAS on one thread, then adds the gradients
// that they left in the parameters, in the order of the shards: the same number of shards gives the same bytes.
// Rethrows the first exception (lowest shard) after all have ended.
void run_shards(const Params& params, std::size_t shards, const std::function<void(std::size_t)>& work);

std::size_t current_shard();  // of this thread; 0 outside run_shards

}  // namespace autograd::inline SOFTALIGN_PRECISION
