// log sum_v e^x_v: what makes log-probabilities of logits, log p_v = x_v - log sum e^x.
#pragma once

#include "autograd/array.h"

namespace softalign::autograd {

// Of one row. Its maximum is taken out first, so that huge logits stay finite; an x_v of -infinity adds 0. NaN where
// the row holds a NaN or +infinity, or -infinity alone; -infinity of no numbers.
Real log_sum_exp(const Real* x, std::size_t n);

// The same while the exponentials are kept: x_v <- e^(x_v - m) with m the maximum of the row. A softmax is x_v / total.
struct Exponentials {
  Real m, total;
  Real log_sum_exp() const;
};
Exponentials exponentiate(Real* x, std::size_t n);

// Of every row: (R, V) -> (R).
Array log_sum_exp(const Array& x);

// The largest of n numbers, -infinity of none; a NaN may be passed over.
Real largest(const Real* x, std::size_t n);

}  // namespace softalign::autograd
