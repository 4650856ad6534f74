// LeafWatch calls a function for each leaf as soon as the leaf's gradient is complete, while backward() still runs. A
// leaf is a Var that no op computed, for example a parameter. If several processes train one model, they use LeafWatch
// to start adding up their gradients early (apps/ranks/gradient_sum.h).
#pragma once

#include <functional>
#include <utility>

#include "autograd/hooks.h"

namespace softalign::autograd {

// While a LeafWatch exists, backward() in this thread calls done(leaf) after the last use of a leaf in its graph. Do
// not use LeafWatch for batches that are split between threads (autograd/threads/shards.h). The gradients of the parts
// of such a batch are added only after all threads have finished, so no gradient is complete before.
class LeafWatch : public Observer {
 public:
  explicit LeafWatch(std::function<void(const Var& leaf)> done) : Observer(Of::this_thread), done_(std::move(done)) {}
  void leaf_completed(const Var& leaf) override { done_(leaf); }

 private:
  std::function<void(const Var&)> done_;
};

}  // namespace softalign::autograd
