// The number log_sum_exp(x) = log sum_v e^x_v turns logits x_v into log-probabilities: log p_v = x_v - log_sum_exp(x).
#pragma once

#include "autograd/array.h"

namespace softalign::autograd {

// Computes log_sum_exp of one row of n numbers. The function first subtracts the maximum, so that huge logits stay
// finite. An x_v of -infinity adds 0 to the sum. The result is NaN if the row contains NaN or +infinity, or only
// -infinity. The result is -infinity for an empty row.
Real log_sum_exp(const Real* x, std::size_t n);

// exponentiate replaces each x_v of a row by e^(x_v - m), where m is the maximum of the row. The function returns m and
// `total`, the sum of the new numbers. If you divide the new numbers by `total`, you get the softmax of the row.
struct Exponentials {
  Real m, total;
  Real log_sum_exp() const;
};
Exponentials exponentiate(Real* x, std::size_t n);

// Computes log_sum_exp of every row of a matrix: (R, V) -> (R).
Array log_sum_exp(const Array& x);

// Returns the largest of n numbers, or -infinity if n is 0. The function may ignore a NaN.
Real largest(const Real* x, std::size_t n);

}  // namespace softalign::autograd
