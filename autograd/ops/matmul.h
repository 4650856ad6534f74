// These ops multiply matrices. An input x (.., K) may have several leading axes, which count as the rows of one matrix.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Computes the matrix product of x and W. dx, dW and dy are the gradients of the loss with respect to x, W and y.
// y = x W              dx = dy W'      dW = x' dy       x (.., K)  W (K, N)  ->  (.., N)
Var matmul(const Var& x, const Var& W);

// Multiplies x by the transpose W' of W. An output layer that shares its weights with the embedding needs this product.
// y = x W'             dx = dy W       dW = dy' x       x (.., K)  W (N, K)  ->  (.., N)
Var matmul_transposed(const Var& x, const Var& W);

// Multiplies x by W and adds a bias b, in one pass over y instead of two. The formulas for dx and dW are the same as in
// matmul. y = x W + b          db = sum dy
Var affine(const Var& x, const Var& W, const Var& b);

// Multiplies G pairs of matrices a_i (M, K) and b_i (K, N). The second and third formula give the gradients.
// y_i = a_i b_i        da_i = dy_i b_i'    db_i = a_i' dy_i      a (G, M, K)  b (G, K, N)  ->  (G, M, N)
Var batched_matmul(const Var& a, const Var& b);

}  // namespace softalign::autograd
