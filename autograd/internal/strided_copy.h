// A strided copy reads an array with a stride for each axis. The stride is the distance in memory between neighbours on
// the axis. For example, a copy with exchanged strides transposes the array. A stride of 0 repeats the numbers of an
// axis, as broadcasting does.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "autograd/array.h"

namespace softalign::autograd {

// Returns a new array y with the numbers y(i, j, ..) = x[i strides[0] + j strides[1] + ..]. There is one stride per
// axis of `shape`. An axis of stride 0 repeats its numbers.
using Strides = std::array<std::size_t, Shape::max_rank>;
inline Array strided_copy(const Array& x, const Shape& shape, const Strides& strides) {
  Strides extent, stride;  // in four axes
  extent.fill(1);
  stride.fill(0);
  std::copy(shape.begin(), shape.end(), extent.end() - static_cast<std::ptrdiff_t>(shape.rank()));
  std::copy_n(strides.begin(), shape.rank(), stride.end() - static_cast<std::ptrdiff_t>(shape.rank()));
  Array y(shape);
  Real* to = y.data();
  for (std::size_t i = 0; i < extent[0]; ++i)
    for (std::size_t j = 0; j < extent[1]; ++j)
      for (std::size_t k = 0; k < extent[2]; ++k)
        for (std::size_t l = 0; l < extent[3]; ++l)
          *to++ = x[i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]];
  return y;
}

// stretched() repeats g along each axis that has size 1 in g, or that g lacks, up to the size in `shape`. Without such
// an axis, it returns g itself.
inline Array stretched(const Array& g, const Shape& shape) {
  if (g.shape() == shape) return g;
  // xtensor's own function xt::broadcast takes 11 times as long from (32, 1) to (32, 512), and 30 times as long from
  // (10, 1, 64) to (10, 32, 64).
  Strides strides{};  // 0 for a stretched axis
  std::size_t step = 1;
  for (std::size_t i = g.rank(); i-- > 0;) {
    strides[shape.rank() - g.rank() + i] = g.dim(i) == 1 ? 0 : step;
    step *= g.dim(i);
  }
  return strided_copy(g, shape, strides);
}

}  // namespace softalign::autograd
