#include "autograd/internal/context.h"

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

}  // namespace autograd::inline SOFTALIGN_PRECISION
