// Shards: several threads share one batch. Each shard runs its own graph, forward and backward, over a part of the
// batch. The parameters are shared, and each shard has its own gradients until all are done. With small matrices, this
// is faster than threads inside every product, which wait for each other hundreds of times per step.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/params.h"

namespace softalign::autograd {

// The best number of shards: one per thread while the parameters fit into its caches. For larger models, every shard
// would read all weights from memory and store all gradients again, so their threads share each product instead.
std::size_t worthwhile_shards(const Params& params, int threads);

// Runs work(0) .. work(workers - 1) in parallel, each on its own thread with BLAS on one thread. If there are fewer
// threads (OneThread, autograd/threads/blas.h), it runs them one after the other and gives the same bytes. It rethrows
// the first exception (lowest worker) after all have ended.
void run_workers(std::size_t workers, const std::function<void(std::size_t)>& work);

// The same, and then adds the gradients of the workers in their order. Therefore the same number of shards gives the
// same bytes on any number of threads.
void run_shards(const Params& params, std::size_t shards, const std::function<void(std::size_t)>& work);

}  // namespace softalign::autograd
