// Context: what a thread has with it while it computes. Everything else in the engine belongs to a graph or to a leaf.
#pragma once

#include <cstddef>
#include <functional>

#include "autograd/var.h"

namespace softalign::autograd {

struct Context {
  bool recording = true;  // ops remember how they were made
  std::size_t shard = 0;  // of a batch (autograd/parallel/shards.h)
  // Who waits for leaves (autograd/leaf_watch.h).
  const std::function<void(const Var&)>* leaf_done = nullptr;
};
Context& context();

}  // namespace softalign::autograd
