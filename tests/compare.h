// The numeric tests share these functions: seeded random arrays, and distances between arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "autograd/params.h"
#include "autograd/random.h"
#include "autograd/var.h"

using namespace softalign;

namespace compare {

using namespace autograd;

inline Array random_array(const Shape& shape, Random& random, double scale = 1) {
  Array a(shape);
  for (Real& x : a.span()) x = static_cast<Real>(scale * random.normal());
  return a;
}

// Replaces every parameter by random numbers, so that biases and attention vectors are not zero. Gains of layer norms
// stay near 1: near 0, they leave gradients that are smaller than rounding errors.
inline void randomise(const Params& params, Random& random, double scale = 0.5) {
  for (const Parameter& p : params.all()) {
    Array values = random_array(p.var.shape(), random, scale);
    if (p.name.ends_with("norm/g"))
      for (Real& gain : values.span()) gain = 1 + gain / 2;
    std::copy_n(values.data(), values.size(), p.var.mutable_value().data());
  }
}

// max |a - b| / max |b|. The scale is the largest element, because single elements may cancel to nearly nothing. The
// error is infinite if shapes differ or a number is not finite.
inline double relative_error(const Array& a, const Array& b) {
  if (!(a.shape() == b.shape())) return std::numeric_limits<double>::infinity();
  double difference = 0, largest = 1e-6;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    if (!std::isfinite(x) || !std::isfinite(y)) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(x - y));
    largest = std::max(largest, std::abs(y));
  }
  return difference / largest;
}

inline bool same_bits(const Array& a, const Array& b) {
  return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.size(), b.data());
}

// The gradient of x, or zeros if none has arrived.
inline Array gradient(const Var& x) { return x.grad().defined() ? x.grad().clone() : zeros_like(x.value()); }

// The gradients of all parameters, which are then cleared.
inline std::vector<Array> gradients(const Params& params) {
  std::vector<Array> result;
  for (const Parameter& p : params.all()) {
    result.push_back(gradient(p.var));
    p.var.zero_grad();
  }
  return result;
}

}  // namespace compare
