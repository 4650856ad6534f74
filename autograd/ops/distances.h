// This op computes the distances between the rows of two matrices.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Returns the distance y_mn between each of the M rows of a and each of the N rows of b. A row has D numbers. da, db
// and dy are the gradients of the loss with respect to a, b and y. Equal rows add nothing to da and db.
// y_mn = |a_m - b_n|      a (M, D)  b (N, D)  ->  (M, N)
//   da_m = sum_n dy_mn (a_m - b_n) / y_mn      db_n = -sum_m dy_mn (a_m - b_n) / y_mn
// Throws std::invalid_argument if the rows of a and b differ in size.
Var distances(const Var& a, const Var& b);

}  // namespace softalign::autograd
