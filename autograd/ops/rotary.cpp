#include "autograd/ops/rotary.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

// rotated_by rotates each pair of numbers by its angle. With the sign -1 it rotates backwards.
Array rotated_by(const Array& x, const Array& c, const Array& s, Real sign) {
  const std::size_t R = x.dim(1), N = x.dim(2), P = c.dim(1);
  Array y(x.shape());
  const Real *const in = x.data(), *const cosines = c.data(), *const sines = s.data();
  Real* const out = y.data();
  parallel_for(0, x.dim(0) * R, x.size() >= parallel_from, [&](std::size_t row) {
    const Real *const cos = cosines + row / R * P, *const sin = sines + row / R * P;
    for (std::size_t first = row * N; first < (row + 1) * N; first += 2 * P) {
      const Real* const a = in + first;
      Real* const b = out + first;
      for (std::size_t j = 0; j < P; ++j) {  // explicit fma: otherwise the compiler chooses which product it rounds
        const Real turn = sign * sin[j];
        b[2 * j] = std::fma(cos[j], a[2 * j], -turn * a[2 * j + 1]);
        b[2 * j + 1] = std::fma(turn, a[2 * j], cos[j] * a[2 * j + 1]);
      }
    }
  });
  return y;
}

}  // namespace

Var rotary(Var x, const Array& c, const Array& s) {
  const Shape& shape = x.shape();
  if (shape.rank() != 3 || c.rank() != 2 || !(c.shape() == s.shape()) || c.dim(0) != shape[0] || c.dim(1) == 0 ||
      shape[2] % (2 * c.dim(1)) != 0)
    throw std::invalid_argument(
        fmt::format("rotary: x {} by cosines {} and sines {}; (T, R, K*2P), (T, P), (T, P) expected", to_string(shape),
                    to_string(c.shape()), to_string(s.shape())));
  const Array y = rotated_by(x.value(), c, s, 1);
  give_back(x);
  return Var("rotary", y, {x}, [x, c, s](const Array& dy) { x.add_grad(rotated_by(dy, c, s, -1)); });
}

}  // namespace softalign::autograd
