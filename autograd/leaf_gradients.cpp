#include "autograd/leaf_gradients.h"

#include "autograd/internal/node.h"
#include "autograd/weight_products.h"

namespace softalign::autograd {

void add_row_grad(const Var& x, const Ids& ids, const Array& g) {
  if (!is_leaf(*x.node())) x.zeroed_grad();  // only leaves stay sparse
  own_gradient(*x.node()).add_rows({ids, g});
}

bool grad_is_sparse(const Var& x) { return x.node()->grad.sparse(); }
Ids touched_rows(const Var& x) { return x.node()->grad.rows().touched(); }

void add_product_grad(const Var& W, const Array& x, const Array& dy, std::size_t begin, std::size_t end) {
  if (!W.needs_grad()) return;
  if (!is_leaf(*W.node())) {
    WeightProducts product(W.value());
    product.add(x, dy, {begin, end});
    return product.add_into(W.grad_slot());
  }
  own_gradient(*W.node()).deferred<WeightProducts>(W.value()).add(x, dy, {begin, end});
}

}  // namespace softalign::autograd
