// LeafWatch: the gradient of a leaf is whole before backward has come to its end, and somebody waits for it.
#pragma once

#include <functional>

#include "autograd/var.h"

namespace softalign::autograd {

// While it lives, this thread's backward calls done(leaf) after the last use of a leaf in its graph, with the products
// that waited multiplied. Not for shards (autograd/parallel/shards.h), whose gradients are added up after all. One at a
// time in a thread.
class LeafWatch {
 public:
  explicit LeafWatch(std::function<void(const Var& leaf)> done);
  ~LeafWatch();
  LeafWatch(const LeafWatch&) = delete;
  LeafWatch& operator=(const LeafWatch&) = delete;

 private:
  std::function<void(const Var&)> done_;
};

}  // namespace softalign::autograd
