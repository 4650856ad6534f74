// Several threads can share one batch: each thread computes a part of the batch, called a shard. Each shard has its own
// graph, with forward and backward pass. The shards share the parameters, but each shard has its own gradients until
// all shards are done. With small matrices, shards are faster than threads that share every matrix product, because
// such threads wait for each other hundreds of times per step.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/params.h"

namespace softalign::autograd {

// Returns the best number of shards. There is one shard per thread if the parameters fit into the processor's caches.
// With a larger model, every shard would have to read all weights from memory and write its own gradients. It is then
// faster to have only one shard, whose matrix products the threads share.
std::size_t worthwhile_shards(const Params& params, int threads);

// Returns into how many shards to split a batch of `sentences` sentences. In data-parallel training, `slices` processes
// share the batch, and each of them can compute `shards` shards at once. The result is at most shards * slices. Each
// shard costs some time, so a small batch gets fewer shards, with least_sentences sentences each. But it gets at least
// 2 shards, and at least one per process.
std::size_t parts_of_batch(std::size_t sentences, std::size_t shards, std::size_t slices = 1);
inline constexpr std::size_t least_sentences = 2;

// Runs work(0) .. work(workers - 1) in parallel, each on its own thread. If there are fewer threads than workers
// (ThreadLimit, autograd/threads/blas.h), a thread runs several workers in turn, and the results have the same bytes.
// If workers throw exceptions, the function rethrows the exception of the worker with the lowest number, after all have
// ended.
void run_workers(std::size_t workers, const std::function<void(std::size_t)>& work);

// All shards multiply by the same weights. WeightSharing has two functions that prepare the weights once for all
// shards. run_shards calls `prepare` before the shards begin. Each thread calls `use` with the result of `prepare`
// before a shard, and with nullptr after the shard. The kernels set both functions
// (autograd/kernels/shared_weights.cpp).
struct WeightSharing {
  const void* (*prepare)() = nullptr;
  void (*use)(const void* weights) = nullptr;
};
bool set_weight_sharing(WeightSharing sharing);  // returns true

// Runs work(0) .. work(shards - 1) in parallel, as run_workers does, and then adds their gradients in the order of the
// shards. The result therefore depends on the number of shards, but not on the number of threads.
void run_shards(const Params& params, std::size_t shards, const std::function<void(std::size_t)>& work);

}  // namespace softalign::autograd
