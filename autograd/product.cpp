#include "autograd/internal/product.h"

#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/leaf_gradients.h"
#include "autograd/linalg/blas.h"
#include "autograd/linalg/internal/packed_gemm.h"

namespace autograd::inline SOFTALIGN_PRECISION {

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

void multiply(const Var& x, const Var& W, Array& y, Into into) {
  const Matrix rows = matrix(x.value());
  gemm(rows, factor_of(W, matrix(W.value()), rows.rows), y, into);
  expect_product_grad(W);
}

void add_product_to(const Var& x, const Matrix& a, const Factor& b) {
  if (!x.needs_grad()) return;
  const auto [dx, fresh] = x.grad_slot();
  gemm(a, b, dx, fresh ? Into::overwrite : Into::add);
}

void add_product_gradients(const Var& x, const Var& W, const Array& dy) {
  const Matrix rows = matrix(dy);
  if (x.needs_grad()) add_product_to(x, rows, factor_of(W, t(matrix(W.value())), rows.rows));
  add_product_grad(W, x.value(), dy);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
