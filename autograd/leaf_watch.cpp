#include "autograd/leaf_watch.h"

#include <utility>

#include "autograd/internal/context.h"

namespace autograd::inline SOFTALIGN_PRECISION {

LeafWatch::LeafWatch(std::function<void(const Var&)> done) : done_(std::move(done)) { context().leaf_done = &done_; }
LeafWatch::~LeafWatch() { context().leaf_done = nullptr; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
