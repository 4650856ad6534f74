// LeafWatch reports each leaf whose gradient is complete while backward still runs. Data-parallel training uses it to
// start the all-reduce of a gradient early (apps/ranks/gradient_sum.h).
#pragma once

#include <functional>
#include <utility>

#include "autograd/hooks.h"

namespace softalign::autograd {

// While one lives, this thread's backward calls done(leaf) after the last use of a leaf in its graph. Not for shards
// (autograd/threads/shards.h), whose gradients are added up after all of them.
class LeafWatch : public Observer {
 public:
  explicit LeafWatch(std::function<void(const Var& leaf)> done) : Observer(Of::this_thread), done_(std::move(done)) {}
  void leaf_completed(const Var& leaf) override { done_(leaf); }

 private:
  std::function<void(const Var&)> done_;
};

}  // namespace softalign::autograd
