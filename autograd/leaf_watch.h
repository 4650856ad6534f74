// LeafWatch calls a function for each leaf as soon as its gradient is complete, while backward() still runs.
// Data-parallel training uses this call to start the all-reduce of a gradient early (apps/ranks/gradient_sum.h).
#pragma once

#include <functional>
#include <utility>

#include "autograd/hooks.h"

namespace softalign::autograd {

// While a LeafWatch exists, backward() in this thread calls done(leaf) after the last use of a leaf in its graph.
// LeafWatch does not support shards (autograd/threads/shards.h), because their gradients are added only after all
// shards have finished.
class LeafWatch : public Observer {
 public:
  explicit LeafWatch(std::function<void(const Var& leaf)> done) : Observer(Of::this_thread), done_(std::move(done)) {}
  void leaf_completed(const Var& leaf) override { done_(leaf); }

 private:
  std::function<void(const Var&)> done_;
};

}  // namespace softalign::autograd
