// Rotary position embedding (RoPE): two neighbouring columns are a point in a plane, and each point is rotated by an
// angle that depends on its step. Su et al. 2021, "RoFormer", eq. 34.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y_2j = c_j x_2j - s_j x_2j+1      y_2j+1 = s_j x_2j + c_j x_2j+1        x (T, R, K*2P), c and s (T, P): of each step
//   dx: dy rotated back                                                   the same for every row and each of K groups
// std::invalid_argument: shapes that do not fit.
Var rotary(Var x, const Array& c, const Array& s);

}  // namespace softalign::autograd
