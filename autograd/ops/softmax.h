// Softmax and its logarithm over the last axis. A mask of 1 (keep) and 0 (drop) broadcasts to x. Dropped entries are
// not in the sum, whatever their value, and get no gradient. The maximum of each row is subtracted first, so huge
// logits stay finite.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// y = e^x / sum e^x             dx = y (dy - sum dy y)
// Dropped entries are exactly 0; a row with nothing kept is all 0.
Var softmax(const Var& x);
Var softmax(const Var& x, const Array& mask);

// y = x - log sum e^x           dx = dy - e^y sum dy
// Dropped entries are log_of_zero instead of -infinity: its exponential is 0, and a loss that multiplies it by 0 gets 0
// and not NaN. No entry is below it.
inline constexpr Real log_of_zero = Real(-1e30);
Var log_softmax(const Var& x);
Var log_softmax(const Var& x, const Array& mask);

}  // namespace softalign::autograd
