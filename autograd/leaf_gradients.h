// Gradients that do not come to a leaf as numbers of its shape: by rows (of an embedding table), as products (of a
// weight). Both are kept as they come for as long as that is cheaper; anything else than a leaf gets the numbers at
// once.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Rows ids[i] of x's gradient += g[i]. On a leaf it stays row-sparse as long as it comes by rows alone: only touched
// rows take memory and time.
void add_row_grad(const Var& x, const Ids& ids, const Array& g);
bool grad_is_sparse(const Var& x);
Ids touched_rows(const Var& x);  // of a row-sparse gradient: sorted, each once

// W's gradient += x' dy, for x (.., K), dy (.., N) and W (K, N); or that of its columns [begin, end), to which those of
// dy belong. A leaf lets the products of a graph wait, and backward multiplies them all at once after the leaf's last
// use: dW = sum_t x_t' dy_t over the steps of a loop is one GEMM instead of T small ones.
void add_product_grad(const Var& W, const Array& x, const Array& dy, std::size_t begin, std::size_t end);
inline void add_product_grad(const Var& W, const Array& x, const Array& dy) {
  add_product_grad(W, x, dy, 0, dy.shape().back());
}

}  // namespace softalign::autograd
