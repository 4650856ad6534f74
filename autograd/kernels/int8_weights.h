// int8 quantisation stores weights as 8-bit integers for decoding. A product then reads a quarter of the memory, and
// one instruction computes several multiplications.
//
// Each column of the weights W (K, N) has a scale s_n, and each row of the input x (R, K) has a scale a_r. q and u are
// the integers of W and x, and y is the result, which is nearly x W:
//
//   s_n = max_k |W_kn| / 127         q_kn = round(W_kn / s_n)         computed once for W
//   a_r = max_k |x_rk| / 127         u_rk = round(x_rk / a_r)         computed for each x
//   y_rn = a_r s_n sum_k u_rk q_kn                                    an exact sum of integers
//
// The scales of weights follow Wu et al. 2016, "Google's neural machine translation system", section 6. The scales of x
// follow Devlin 2017, "Sharp models on dull hardware". The sum of integers is exact. It is therefore the same on every
// processor, for a single row and for a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

class Int8Weights {
 public:
  // Copies b (K, N). If a column contains NaN or infinity, its results are NaN. The constructor throws
  // std::invalid_argument if b has more than most_terms rows, because a sum might overflow 32 bits.
  static constexpr std::size_t most_terms = std::size_t{1} << 16;
  explicit Int8Weights(const MatrixView& b);

  // Computes c (R, N) = x W or c += x W for a row-major x (R, K). If a row of x contains NaN or infinity, its results
  // are NaN. The function throws std::invalid_argument if x has another number of columns than W has rows.
  void multiply(const MatrixView& x, Real* c, std::size_t c_stride, Into into) const;

 private:
  std::size_t K_, N_;
  std::vector<Real> scales_;          // (N) s_n
  std::vector<std::int32_t> starts_;  // (N) the first number of each sum, which depends on the form of x
  std::vector<std::int8_t> panels_;   // the integers q, in groups of columns (int8_weights.cpp)
};

}  // namespace softalign::autograd
