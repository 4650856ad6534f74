// int8 quantisation stores weights as 8-bit integers for decoding. This reads a quarter of the memory, and computes
// several products in one instruction.
//
//   s_n = max_k |W_kn| / 127         q_kn = round(W_kn / s_n)         a scale for each column of W (K, N)
//   a_r = max_k |x_rk| / 127         u_rk = round(x_rk / a_r)         and for each row of x (R, K), as it comes
//   y_rn = a_r s_n sum_k u_rk q_kn                                    the sum in integers, exact
//
// The scales of weights follow Wu et al. 2016, "Google's neural machine translation system", section 6. The scales of x
// follow Devlin 2017, "Sharp models on dull hardware". The sum is exact, so it is the same on every processor, for a
// single row and in a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

class Int8Weights {
 public:
  // Copies b (K, N). A column with a number that is not finite gives NaN. std::invalid_argument: more than most_terms
  // rows, because their sums might overflow 32 bits.
  static constexpr std::size_t most_terms = std::size_t{1} << 16;
  explicit Int8Weights(const Matrix& b);

  // Computes c (R, N) = y or c += y for a row-major x (R, K). A row with a number that is not finite gives NaN.
  // std::invalid_argument if the width of x is not the number of rows of W.
  void multiply(const Matrix& x, Real* c, std::size_t c_stride, Into into) const;

 private:
  std::size_t K_, N_;
  std::vector<Real> scales_;          // (N) s_n
  std::vector<std::int32_t> starts_;  // (N) what a sum begins with, by the form that x has
  std::vector<std::int8_t> panels_;   // q, in panels of some columns, k by k (int8_weights.cpp)
};

}  // namespace softalign::autograd
