// log sum_v e^x_v turns logits into log-probabilities: log p_v = x_v - log sum e^x.
#pragma once

#include "autograd/array.h"

namespace softalign::autograd {

// For one row. The maximum is subtracted first, so huge logits stay finite, and an x_v of -infinity adds 0. The result
// is NaN if the row contains NaN or +infinity, or only -infinity. It is -infinity for an empty row.
Real log_sum_exp(const Real* x, std::size_t n);

// The same while the exponentials are kept: x_v <- e^(x_v - m) with m the maximum of the row. A softmax is x_v / total.
struct Exponentials {
  Real m, total;
  Real log_sum_exp() const;
};
Exponentials exponentiate(Real* x, std::size_t n);

// For every row: (R, V) -> (R).
Array log_sum_exp(const Array& x);

// The largest of n numbers, -infinity of none; a NaN may be passed over.
Real largest(const Real* x, std::size_t n);

}  // namespace softalign::autograd
