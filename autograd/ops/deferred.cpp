#include "autograd/ops/deferred.h"

#include <algorithm>

#include "autograd/gemm.h"
#include "autograd/node.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

Array joined_rows(const std::vector<Array>& slabs) {
  if (slabs.size() == 1) return slabs.front();
  std::size_t rows = 0;
  for (const Array& slab : slabs) rows += slab.dim(0);
  Array joined({rows, slabs.front().dim(1)});
  Real* to = joined.data();
  for (const Array& slab : slabs) to = std::copy_n(slab.data(), slab.size(), to);
  return joined;
}

}  // namespace

void DeferredProducts::add(const Array& x, const Array& dy) {
  xs_.push_back(x);
  dys_.push_back(dy);
}

void DeferredProducts::multiply_into(const Var& W) {
  if (xs_.empty()) return;
  const Array x = joined_rows(xs_), dy = joined_rows(dys_);
  Var::GradSlot dW = W.grad_slot();
  gemm(t(matrix(x)), matrix(dy), dW.array, dW.fresh ? Into::overwrite : Into::add);
  xs_.clear();
  dys_.clear();
}

Var deferred(const Var& W) {
  // Not only products may use it: a tied weight that is read directly sends its gradient the ordinary way.
  auto products = std::make_shared<DeferredProducts>();
  Var late("deferred", W.value(), {W}, [W, products](const Array& dy, const Array&) {
    if (dy.defined()) W.add_grad(dy);
    products->multiply_into(W);
  });
  if (late.needs_grad()) late.node()->products = products;
  return late;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
