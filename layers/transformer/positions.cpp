#include "layers/transformer/positions.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace softalign::layers {

namespace {

// angle returns i w_j for the width d, in double precision.
double angle(std::size_t i, std::size_t j, std::size_t d) {
  return static_cast<double>(i) * std::exp(-2 * static_cast<double>(j) / static_cast<double>(d) * std::log(10000.0));
}

void check_pairs(const char* what, std::size_t d) {
  if (d % 2 != 0) throw std::invalid_argument(fmt::format("{}: pairs of numbers, but rows of {}", what, d));
}

}  // namespace

Array sinusoids(std::size_t first, std::size_t n, std::size_t d) {
  check_pairs("sinusoidal positions", d);
  Array P({n, d});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d / 2; ++j) {
      P[i * d + 2 * j] = static_cast<Real>(std::sin(angle(first + i, j, d)));
      P[i * d + 2 * j + 1] = static_cast<Real>(std::cos(angle(first + i, j, d)));
    }
  return P;
}

RotaryEmbedding::RotaryEmbedding(std::size_t first, std::size_t n, std::size_t d)
    : cosines({n, d / 2}), sines({n, d / 2}) {
  check_pairs("rotary positions", d);
  const Array P = sinusoids(first, n, d);
  for (std::size_t i = 0; i < sines.size(); ++i) sines[i] = P[2 * i], cosines[i] = P[2 * i + 1];
}

Positions::Positions(const Params& p, Kind kind, std::size_t L, std::size_t d, const Initialiser& init,
                     std::string side)
    : kind_(kind), side_(std::move(side)) {
  if (kind_ == Kind::sinusoidal || kind_ == Kind::concatenated) check_pairs("sinusoidal positions", d);
  if (kind_ == Kind::learned) P_ = p.declare("P", {L, d}, init);
  if (kind_ == Kind::concatenated) W_ = p.declare("W", {2 * d, d}, glorot());
}

Var Positions::operator()(Var x, std::size_t first) const {
  const std::size_t T = x.dim(0), d = x.dim(2);
  if (kind_ == Kind::sinusoidal) return std::move(x) + autograd::constant(sinusoids(first, T, d).reshaped({T, 1, d}));
  if (kind_ == Kind::concatenated) {  // [x; P] W = x W_1 + P W_2; P W_2 is computed once for all rows of a step
    const Var P = constant(sinusoids(first, T, d));
    return matmul(x, slice(W_, 0, 0, d)) + reshape(matmul(P, slice(W_, 0, d, 2 * d)), {T, 1, d});
  }
  if (kind_ != Kind::learned) return x;
  if (first + T > P_.dim(0))
    throw std::invalid_argument(
        fmt::format("the {} has {} tokens with </s>, but the model has learned only {} positions. Train with "
                    "--positions sinusoidal, or with longer sentences",
                    side_, first + T, P_.dim(0)));
  return std::move(x) + reshape(slice(P_, 0, first, first + T), {T, 1, d});
}

}  // namespace softalign::layers
