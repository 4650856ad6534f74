// log_sum_exp is log sum_v e^x_v. It turns logits into log-probabilities: log p_v = x_v - log sum e^x.
#pragma once

#include "autograd/array.h"

namespace softalign::autograd {

// Computes one row. It subtracts the maximum first, so huge logits stay finite, and an x_v of -infinity adds 0. The
// result is NaN if the row contains NaN or +infinity, or only -infinity. The result is -infinity for an empty row.
Real log_sum_exp(const Real* x, std::size_t n);

// Computes one row and keeps the exponentials: x_v <- e^(x_v - m), where m is the maximum of the row. A softmax is then
// x_v / total.
struct Exponentials {
  Real m, total;
  Real log_sum_exp() const;
};
Exponentials exponentiate(Real* x, std::size_t n);

// Computes every row: (R, V) -> (R).
Array log_sum_exp(const Array& x);

// Returns the largest of n numbers, or -infinity if n is 0. It may skip a NaN.
Real largest(const Real* x, std::size_t n);

}  // namespace softalign::autograd
