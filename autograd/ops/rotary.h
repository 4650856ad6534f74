// Rotary position embedding (RoPE) treats two neighbouring columns as a point in a plane. It rotates each point by an
// angle that depends on the step. Su et al. 2021, "RoFormer", eq. 34. docs/notation.md explains the letters.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y_2j = c_j x_2j - s_j x_2j+1      y_2j+1 = s_j x_2j + c_j x_2j+1        x (T, R, K*2P), c and s (T, P): of each step
//   dx: dy rotated back                                                   the same for every row and each of K groups
// Throws std::invalid_argument if the shapes do not fit.
Var rotary(Var x, const Array& c, const Array& s);

}  // namespace softalign::autograd
