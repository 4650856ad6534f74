// y += x W and its gradients: where every product with a weight is made.
#pragma once

#include "autograd/linalg/gemm.h"
#include "autograd/var.h"

namespace softalign::autograd {

// The right factor b of a product with a left one of `rows` rows, b being W's value or a part of it or of its
// transpose: of a leaf it may be laid out already.
Factor factor_of(const Var& W, const Matrix& b, std::size_t rows);

// Whether products with weights are made by 8-bit integers: that is in force, and nothing is recorded.
bool by_integers();

// y = x W or y += x W, for x (.., K), W (K, N) and y (.., N). Once for each there is a call of add_product_gradients.
void multiply(const Var& x, const Var& W, Array& y, Into into);

// dx += dy W'          dW += x' dy
void add_product_gradients(const Var& x, const Var& W, const Array& dy);

// x's gradient += a b, for a product of x's size; nothing happens if x needs none.
void add_product_to(const Var& x, const Matrix& a, const Factor& b);

}  // namespace softalign::autograd
