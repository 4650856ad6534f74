// These ops compute softmax and its logarithm over the last axis. A mask of 1 (keep) and 0 (drop) broadcasts to x. The
// sum leaves out dropped entries, whatever their value, and they get no gradient. The ops subtract the maximum of each
// row first, so huge logits stay finite.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y = e^x / sum e^x             dx = y (dy - sum dy y)
// Dropped entries are exactly 0. If a mask drops a complete row, the row is all 0.
Var softmax(const Var& x);
Var softmax(const Var& x, const Array& mask);

// y = x - log sum e^x           dx = dy - e^y sum dy
// Dropped entries are log_of_zero instead of -infinity. Its exponential is 0. If a loss multiplies log_of_zero by 0,
// the loss gets 0 and not NaN. No entry is below log_of_zero.
inline constexpr Real log_of_zero = Real(-1e30);
Var log_softmax(const Var& x);
Var log_softmax(const Var& x, const Array& mask);

}  // namespace softalign::autograd
