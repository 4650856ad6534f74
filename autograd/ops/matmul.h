// These ops multiply matrices. The leading axes of x count as rows: x (.., K) times W (K, N) is (.., N).
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y = x W              dx = dy W'      dW = x' dy       x (.., K)  W (K, N)  ->  (.., N)
Var matmul(const Var& x, const Var& W);

// y = x W'             dx = dy W       dW = dy' x       x (.., K)  W (N, K)  ->  (.., N)     for tied embeddings
Var matmul_transposed(const Var& x, const Var& W);

// y = x W + b          as matmul       db = sum dy      one pass over y instead of two
Var affine(const Var& x, const Var& W, const Var& b);

// y_i = a_i b_i        da_i = dy_i b_i'    db_i = a_i' dy_i      a (G, M, K)  b (G, K, N)  ->  (G, M, N)
Var batched_matmul(const Var& a, const Var& b);

}  // namespace softalign::autograd
