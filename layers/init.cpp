#include "layers/init.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/orthogonal.h"

namespace softalign::layers {

Initialiser zeros() {
  return [](Array& w, Random&) { w.fill(0); };
}

Initialiser ones() {
  return [](Array& w, Random&) { w.fill(1); };
}

Initialiser normal(double standard_deviation) {
  return [=](Array& w, Random& random) {
    for (Real& v : w.span()) v = static_cast<Real>(standard_deviation * random.normal());
  };
}

Initialiser normal_by_width() {
  return [](Array& w, Random& random) { normal(1 / std::sqrt(static_cast<double>(w.dim(1))))(w, random); };
}

Initialiser uniform(double bound) {
  return [=](Array& w, Random& random) {
    for (Real& v : w.span()) v = static_cast<Real>(bound * (2 * random.uniform() - 1));
  };
}

Initialiser glorot(std::size_t blocks) {
  return [=](Array& w, Random& random) {
    const double fan_in = static_cast<double>(w.rank() > 1 ? w.dim(0) : w.size());
    const double fan_out = w.rank() > 1 ? static_cast<double>(w.dim(1)) / static_cast<double>(blocks) : 1;
    uniform(std::sqrt(6 / (fan_in + fan_out)))(w, random);
  };
}

Initialiser orthogonal(std::size_t blocks) {
  return [=](Array& w, Random& random) {
    const std::size_t n = w.dim(0), width = w.dim(1);
    if (width != n * blocks)
      throw std::invalid_argument(fmt::format("orthogonal: {} is not {} square blocks", to_string(w.shape()), blocks));
    for (std::size_t block = 0; block < blocks; ++block) {
      const Array q = autograd::random_orthogonal(n, random);
      for (std::size_t i = 0; i < n; ++i) std::copy_n(q.data() + i * n, n, w.data() + i * width + block * n);
    }
  };
}

InitialiserConfig initialiser_config(InitialiserKind kind, std::size_t hidden) {
  const auto small = [](std::size_t) { return normal(0.01); };
  const double a = 0.1 * std::sqrt(std::max(1.0, 128 / static_cast<double>(hidden)));
  const auto even = [a](std::size_t) { return uniform(a); };
  switch (kind) {
    case InitialiserKind::paper:
      return {normal(0.01), small, orthogonal, normal(0.001), zeros()};
    case InitialiserKind::luong:
      return {uniform(a), even, even, uniform(a), uniform(a)};
    case InitialiserKind::transformer:
      return {normal_by_width(), glorot, orthogonal, glorot(1), glorot(1)};
    case InitialiserKind::standard:
      break;
  }
  return {normal(1), glorot, orthogonal, glorot(1), glorot(1)};
}

}  // namespace softalign::layers
