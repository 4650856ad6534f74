// How far the rows of two matrices are apart.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y_mn = |a_m - b_n|      a (M, D)  b (N, D)  ->  (M, N)      std::invalid_argument: rows of two sizes
//   da_m = sum_n dy_mn (a_m - b_n) / y_mn      db_n = -sum_m dy_mn (a_m - b_n) / y_mn      0 where both are one point
Var distances(const Var& a, const Var& b);

}  // namespace softalign::autograd
