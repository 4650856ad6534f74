// These ops compute softmax and its logarithm over the last axis. A mask broadcasts to x. It is 1 for an entry to keep
// and 0 for an entry to drop. Dropped entries do not enter the sum and get no gradient. The ops first subtract the
// maximum of each row, so that huge logits stay finite.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Returns y = softmax(x) over the last axis. dx and dy are the gradients of the loss with respect to x and y.
// y = e^x / sum e^x             dx = y (dy - sum dy y)
// Entries that the mask drops are exactly 0. If the mask drops a complete row, the row is all 0.
Var softmax(const Var& x);
Var softmax(const Var& x, const Array& mask);

// Returns y, the logarithm of softmax(x). dx and dy are the gradients of the loss with respect to x and y.
// y = x - log sum e^x           dx = dy - e^y sum dy
// Entries that the mask drops are log_of_zero instead of -infinity. The exponential of log_of_zero is 0. If a loss
// multiplies log_of_zero by 0, it gets 0, but -infinity would give NaN. No entry is below log_of_zero.
inline constexpr Real log_of_zero = Real(-1e30);
Var log_softmax(const Var& x);
Var log_softmax(const Var& x, const Array& mask);

}  // namespace softalign::autograd
