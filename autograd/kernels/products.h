// y += x W and its gradients, for the ops (autograd/ops/matrix.h) and for the fused ops.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/gradient.h"
#include "autograd/kernels/gemm.h"
#include "autograd/var.h"

namespace softalign::autograd {

// The right factor b of a product with a left factor of `rows` rows. b is W's value, a part of it, or of its transpose.
// If W is a leaf, b may be packed already.
Factor factor_of(const Var& W, const Matrix& b, std::size_t rows);

// Whether products with weights use 8-bit integers: int8 is switched on, and no graph is recorded.
bool by_integers();

// y = x W or y += x W, for x (.., K), W (K, N) and y (.., N). Each needs one call of add_product_gradients.
void multiply(const Var& x, const Var& W, Array& y, Into into);

// dx += dy W'          dW += x' dy
void add_product_gradients(const Var& x, const Var& W, const Array& dy);

// x's gradient += a b, for a product of x's size; nothing happens if x needs none.
void add_product_to(const Var& x, const Matrix& a, const Factor& b);

// Adds x' dy to W's gradient, for x (.., K), dy (.., N) and W (K, N), or to that of its columns [begin, end). A leaf
// defers these products, and backward multiplies all of them after the leaf's last use. Therefore dW = sum_t x_t' dy_t
// over the steps of a loop is one GEMM instead of T small ones.
void add_product_grad(const Var& W, const Array& x, const Array& dy, std::size_t begin, std::size_t end);
inline void add_product_grad(const Var& W, const Array& x, const Array& dy) {
  add_product_grad(W, x, dy, 0, dy.shape().back());
}

// A part of the columns of a weight W (K, N): [begin, end).
struct Columns {
  std::size_t begin, end;
};

// sum_t x_t' dy_t, the gradient of a weight that a loop multiplies by, as one GEMM instead of T small ones.
class WeightProducts : public Deferred {
 public:
  explicit WeightProducts(const Array& W) : W_(W) {}
  // x (.., K) and dy (.., N), both kept, not copied. The product reaches only these columns of W, and only those of dy
  // count.
  void add(const Array& x, const Array& dy, Columns columns);
  void make_room() const override;        // W's layout is forgotten
  void add_into(Slot dW) const override;  // dW (K, N) += sum_t x_t' dy_t

 private:
  struct Group {
    Columns columns;
    std::vector<Array> xs, dys;
  };
  Array W_;
  std::vector<Group> groups_;
};

}  // namespace softalign::autograd
