#include "autograd/ops/distances.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace softalign::autograd {

Var distances(const Var& a, const Var& b) {
  if (a.shape().rank() != 2 || b.shape().rank() != 2 || a.dim(1) != b.dim(1))
    throw std::invalid_argument(fmt::format("distances: {} and {} are not rows of one size; (M, D) and (N, D) expected",
                                            to_string(a.shape()), to_string(b.shape())));
  const std::size_t M = a.dim(0), N = b.dim(0), D = a.dim(1);
  Array y({M, N});
  for (std::size_t m = 0; m < M; ++m)
    for (std::size_t n = 0; n < N; ++n) {
      Real squares = 0;  // |a|^2 + |b|^2 - 2 ab would lose the digits of close points
      for (std::size_t i = 0; i < D; ++i) {
        const Real difference = a.value()[m * D + i] - b.value()[n * D + i];
        squares += difference * difference;
      }
      y[m * N + n] = std::sqrt(squares);
    }
  return Var("distances", y, {a, b}, [a, b, M, N, D](const Array& dy, const Array& out) {
    Array da = zeros({M, D}), db = zeros({N, D});
    for (std::size_t m = 0; m < M; ++m)
      for (std::size_t n = 0; n < N; ++n) {
        const Real length = out[m * N + n];
        if (length == 0) continue;
        const Real part = dy[m * N + n] / length;
        for (std::size_t i = 0; i < D; ++i) {
          const Real g = part * (a.value()[m * D + i] - b.value()[n * D + i]);
          da[m * D + i] += g;
          db[n * D + i] -= g;
        }
      }
    a.add_grad(da);
    b.add_grad(db);
  });
}

}  // namespace softalign::autograd
