#include "autograd/internal/product.h"

#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/leaf_gradients.h"
#include "autograd/linalg/blas.h"
#include "autograd/linalg/int8_weights.h"
#include "autograd/linalg/internal/packed_gemm.h"
#include "autograd/linalg/packed_weights.h"

namespace softalign::autograd {

bool by_integers() { return int8() && !recording(); }

Factor factor_of(const Var& W, const Matrix& b, std::size_t rows) {
  const Node& node = *W.node();
  if (!node.needs_grad || !is_leaf(node)) return {b, {}};
  const std::uint64_t version = 2 * node.version + recording();
  if (by_integers() && (b.transposed ? b.columns : b.rows) <= Int8Weights::most_terms)
    return packed_weights().integers_of(node.value, version, b);
  // A training step multiplies by most weights several times. A decoder's few rows read W as it lies, shared by the
  // threads; where there are none to share with, laying it out has to pay within the products of a sentence. Of what
  // would be rounded otherwise no product waits: numbers must not depend on what a process has computed before.
  const bool few = rows <= few_rows && !recording();
  if (few && threads() > 1 && !in_parallel()) return {b, {}};
  const std::size_t patience = few && lies_well(b, rows) ? 64 : 0;
  return packed_weights().of(node.value, version, b, rows, patience);
}

void multiply(const Var& x, const Var& W, Array& y, Into into) {
  const Matrix rows = matrix(x.value());
  gemm(rows, factor_of(W, matrix(W.value()), rows.rows), y, into);
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

}  // namespace softalign::autograd
