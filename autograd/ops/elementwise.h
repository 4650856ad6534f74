// Elementwise ops, each with its derivative. Two-argument ops broadcast; shapes that do not are std::invalid_argument.
#pragma once

#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Var operator+(const Var& a, const Var& b);  // da = dy                 db = dy
Var operator-(const Var& a, const Var& b);  // da = dy                 db = -dy
Var operator*(const Var& a, const Var& b);  // da = dy b               db = dy a
Var operator/(const Var& a, const Var& b);  // da = dy / b             db = -dy y / b
Var minimum(const Var& a, const Var& b);    // da = dy [a <= b]        db = dy [a > b]

Var operator+(const Var& x, Real k);  // dx = dy
Var operator*(const Var& x, Real k);  // dx = k dy
inline Var operator*(Real k, const Var& x) { return x * k; }
inline Var operator+(Real k, const Var& x) { return x + k; }
inline Var operator-(const Var& x, Real k) { return x + (-k); }
inline Var operator-(const Var& x) { return x * Real(-1); }
inline Var operator-(Real k, const Var& x) { return x * Real(-1) + k; }

Var exp(const Var& x);       // dx = dy y
Var log(const Var& x);       // dx = dy / x
Var tanh(const Var& x);      // dx = dy (1 - y^2)
Var sigmoid(const Var& x);   // dx = dy y (1 - y)       y = 1 / (1 + e^-x)
Var relu(const Var& x);      // dx = dy [x > 0]
Var square(const Var& x);    // dx = 2 dy x
Var softplus(const Var& x);  // dx = dy sigmoid(x)     y = log(1 + e^x)

}  // namespace autograd::inline SOFTALIGN_PRECISION
