// These ops compute each element of the result from one element of each input. The comment next to an op has its
// derivative: dx is the gradient of the loss with respect to x, y is the result, and [a <= b] is 1 if a <= b and 0
// otherwise. An op with two inputs broadcasts them, and throws std::invalid_argument if their shapes do not match. An
// op takes an input by value if its backward pass does not need the input's numbers. The memory of a temporary input
// can then be freed at once.
#pragma once

#include <utility>

#include "autograd/var.h"

namespace softalign::autograd {

Var operator+(Var a, Var b);                // da = dy                 db = dy
Var operator-(Var a, Var b);                // da = dy                 db = -dy
Var operator*(Var a, Var b);                // da = dy b               db = dy a
Var operator/(const Var& a, const Var& b);  // da = dy / b             db = -dy y / b
Var minimum(const Var& a, const Var& b);    // da = dy [a <= b]        db = dy [a > b]

Var operator+(Var x, Real k);  // dx = dy
Var operator*(Var x, Real k);  // dx = k dy
inline Var operator*(Real k, Var x) { return std::move(x) * k; }
inline Var operator+(Real k, Var x) { return std::move(x) + k; }
inline Var operator-(Var x, Real k) { return std::move(x) + (-k); }
inline Var operator-(Var x) { return std::move(x) * Real(-1); }
inline Var operator-(Real k, Var x) { return std::move(x) * Real(-1) + k; }

Var exp(Var x);              // dx = dy y
Var log(const Var& x);       // dx = dy / x
Var tanh(Var x);             // dx = dy (1 - y^2)
Var sigmoid(Var x);          // dx = dy y (1 - y)       y = 1 / (1 + e^-x)
Var relu(Var x);             // dx = dy [y > 0]
Var square(const Var& x);    // dx = 2 dy x
Var softplus(const Var& x);  // dx = dy sigmoid(x)     y = log(1 + e^x)

}  // namespace softalign::autograd
