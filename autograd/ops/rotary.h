// Rotary position embedding (RoPE) treats two neighbouring columns as a point in a plane. It rotates each point by an
// angle that depends on the position of the word (Su et al. 2021, "RoFormer", eq. 34). docs/notation.md explains the
// notation.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Rotates pairs of columns of x (T, R, K*2P), for T steps of R rows in K heads of P pairs. c and s (T, P) have the
// cosine and the sine of each step and pair. All rows and all heads use the same angles. The formulas rotate pair j.
// The gradient dx is dy, rotated back.
// y_2j = c_j x_2j - s_j x_2j+1      y_2j+1 = s_j x_2j + c_j x_2j+1
// Throws std::invalid_argument if the shapes do not fit.
Var rotary(Var x, const Array& c, const Array& s);

}  // namespace softalign::autograd
