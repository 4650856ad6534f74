// This file computes products of inputs and weights, y += x W, and their gradients. The ops (autograd/ops/matrix.h) and
// the fused ops use these functions.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/gradient.h"
#include "autograd/kernels/gemm.h"
#include "autograd/var.h"

namespace softalign::autograd {

// Returns the right factor b of a product with a left factor of `rows` rows. b is the value of W, a part of this value,
// or a transpose of it. If W is a parameter, the result may be a copy of b in a layout that makes products faster.
Factor factor_of(const Var& W, const MatrixView& b, std::size_t rows);

// Returns whether products with weights use 8-bit integers. The products use integers if set_int8(true) was called and
// no graph for gradients is recorded.
bool by_integers();

// Computes y = x W or y += x W, for x (.., K), W (K, N) and y (.., N). For each call in the forward pass, the backward
// pass must call add_product_gradients once.
void multiply(const Var& x, const Var& W, Array& y, Into into);

// Adds the gradients of y = x W to the gradients of x and W; dy is the gradient of y.
// dx += dy W'          dW += x' dy
void add_product_gradients(const Var& x, const Var& W, const Array& dy);

// Adds x' dy to the gradient of the weight W, for x (.., K), dy (.., N) and W (K, N). With `begin` and `end`, the
// function adds only to the columns from `begin` to end - 1. If W is a parameter, the function stores x and dy, and
// backward() multiplies them after the last use of W. If a loop uses W in T steps, the gradient dW = sum_t x_t' dy_t is
// then one large product instead of T small products.
void add_product_grad(const Var& W, const Array& x, const Array& dy, std::size_t begin, std::size_t end);
inline void add_product_grad(const Var& W, const Array& x, const Array& dy) {
  add_product_grad(W, x, dy, 0, dy.shape().back());
}

// The struct Columns names consecutive columns of a weight W (K, N): the columns from `begin` to end - 1.
struct Columns {
  std::size_t begin, end;
};

// WeightProducts is the gradient sum_t x_t' dy_t of a weight that a loop uses in T steps. It stores all x_t and dy_t,
// and computes one large product instead of T small products.
class WeightProducts : public Deferred {
 public:
  explicit WeightProducts(const Array& W) : W_(W) {}
  // Stores x (.., K) and dy (.., N) without copying them. The gradient of the given columns of W is the product of x'
  // and the same columns of dy. All other columns ignore this x and dy.
  void add(const Array& x, const Array& dy, Columns columns);
  void make_room() const override;        // frees the packed copy of W
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
