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
  // While decoding, a few rows read W as it lies, shared by the threads; where there are none to share with, laying it
  // out has to pay within the few products of a sentence.
  const bool few = rows <= few_rows && !recording();
  if (few && threads() > 1 && !in_parallel()) return {b, {}};
  return context().packed.of(node.value, node.version, b, rows, few ? 64 : 0);
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
