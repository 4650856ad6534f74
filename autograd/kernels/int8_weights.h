// int8 quantisation: weights as 8-bit integers, for decoding: a quarter of the memory to read, several products in one
// instruction.
//
//   s_n = max_k |W_kn| / 127         q_kn = round(W_kn / s_n)         a scale for each column of W (K, N)
//   a_r = max_k |x_rk| / 127         u_rk = round(x_rk / a_r)         and for each row of x (R, K), as it comes
//   y_rn = a_r s_n sum_k u_rk q_kn                                    the sum in integers, exact
//
// Wu et al. 2016, "Google's neural machine translation system", section 6, where only weights have such scales; those
// of x as in Devlin 2017, "Sharp models on dull hardware". An exact sum is the same on every processor, alone and in a
// batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

class Int8Weights {
 public:
  // Of b (K, N), of which a copy is made. A column with a number that is not finite gives NaN. std::invalid_argument:
  // more than most_terms rows, whose sums 32 bits might not hold.
  static constexpr std::size_t most_terms = std::size_t{1} << 16;
  explicit Int8Weights(const Matrix& b);

  // c (R, N) = y or c += y, for x (R, K) as it lies, not transposed. Of a row that is not finite all is NaN.
  // std::invalid_argument if x has another width than W has rows.
  void multiply(const Matrix& x, Real* c, std::size_t c_stride, Into into) const;

 private:
  std::size_t K_, N_;
  std::vector<Real> scales_;          // (N) s_n
  std::vector<std::int32_t> starts_;  // (N) what a sum begins with, by the form that x has
  std::vector<std::int8_t> panels_;   // q, in panels of some columns, k by k (int8_weights.cpp)
};

}  // namespace softalign::autograd
