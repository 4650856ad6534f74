// LeafWatch reports each leaf whose gradient is complete while backward still runs. Data-parallel training uses it to
// start the all-reduce of a gradient early (apps/ranks/gradient_sum.h).
#pragma once

#include <functional>
#include <utility>

#include "autograd/hooks.h"

namespace softalign::autograd {

// While an object exists, this thread's backward calls done(leaf) after the last use of a leaf in its graph. It does
// not work with shards (autograd/threads/shards.h), because their gradients are added after all of them.
class LeafWatch : public Observer {
 public:
  explicit LeafWatch(std::function<void(const Var& leaf)> done) : Observer(Of::this_thread), done_(std::move(done)) {}
  void leaf_completed(const Var& leaf) override { done_(leaf); }

 private:
  std::function<void(const Var&)> done_;
};

}  // namespace softalign::autograd
