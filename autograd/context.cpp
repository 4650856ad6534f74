#include "autograd/internal/context.h"

#include <utility>

#include "autograd/internal/node.h"
#include "autograd/linalg/blas.h"
#include "autograd/linalg/internal/packed_gemm.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Context& context() {
  thread_local Context own;
  return own;
}

Factor factor_of(const Var& W, const Matrix& b, std::size_t rows) {
  const Node& node = *W.node();
  if (!node.needs_grad || !is_leaf(node)) return {b, {}};
  // A training step multiplies by most weights several times. A decoder's few rows read W as it lies, shared by the
  // threads; where there are none to share with, laying it out has to pay within the products of a sentence.
  const bool few = rows <= few_rows && !recording();
  if (few && threads() > 1 && !in_parallel()) return {b, {}};
  const std::size_t patience = recording() ? 0 : few ? 64 : 1;
  return context().packed.of(node.value, 2 * node.version + recording(), b, rows, patience);
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
