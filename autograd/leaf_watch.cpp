#include "autograd/leaf_watch.h"

#include <utility>

#include "autograd/internal/context.h"

namespace softalign::autograd {

LeafWatch::LeafWatch(std::function<void(const Var&)> done) : done_(std::move(done)) { context().leaf_done = &done_; }
LeafWatch::~LeafWatch() { context().leaf_done = nullptr; }

}  // namespace softalign::autograd
