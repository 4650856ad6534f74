#include "autograd/internal/context.h"

#include <utility>

#include "autograd/internal/node.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Context& context() {
  thread_local Context own;
  return own;
}

Factor factor_of(const Var& W, const Matrix& b, std::size_t rows) {
  const Node& node = *W.node();
  const bool leaf = node.needs_grad && !node.rule;
  return leaf ? context().packed.of(node.value, node.version, b, rows) : Factor{b, {}};
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
