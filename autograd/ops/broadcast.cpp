#include "autograd/ops/broadcast.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace autograd::inline SOFTALIGN_PRECISION {

Shape broadcast_shape(const char* op, const Shape& a, const Shape& b) {
  std::array<std::size_t, Shape::max_rank> dims{};
  const std::size_t rank = std::max(a.rank(), b.rank());
  for (std::size_t i = 1; i <= rank; ++i) {
    const std::size_t da = i <= a.rank() ? a[a.rank() - i] : 1, db = i <= b.rank() ? b[b.rank() - i] : 1;
    if (da != db && da != 1 && db != 1)
      throw std::invalid_argument(fmt::format("{}: {} and {} do not broadcast", op, to_string(a), to_string(b)));
    dims[rank - i] = da == 1 ? db : da;
  }
  return Shape(std::span(dims.data(), rank));
}

namespace {

void add_row(const Real* __restrict g, Real* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += g[i];
}

}  // namespace

void add_column_sums(const Array& g, Array& y) {
  const std::size_t width = y.size();
  for (std::size_t i = 0; i + width <= g.size() && width; i += width) add_row(g.data() + i, y.data(), width);
}

Array sum_to_shape(const Array& g, const Shape& shape) {
  Array y = zeros(shape);
  const std::size_t leading = g.rank() - shape.rank();
  if (std::equal(shape.begin(), shape.end(), g.shape().begin() + leading)) {  // the bias: only leading axes are summed
    add_column_sums(g, y);
    return y;
  }
  // Stretched axes get stride 0, so that every element of g finds the place that it came from.
  std::array<std::size_t, Shape::max_rank> extent, stride;
  extent.fill(1);
  stride.fill(0);
  std::size_t step = 1;
  for (std::size_t i = shape.rank(); i-- > 0;) {
    stride[Shape::max_rank - shape.rank() + i] = shape[i] == 1 ? 0 : step;
    step *= shape[i];
  }
  for (std::size_t i = 0; i < g.rank(); ++i) extent[Shape::max_rank - g.rank() + i] = g.dim(i);
  const Real* from = g.data();
  for (std::size_t i = 0; i < extent[0]; ++i)
    for (std::size_t j = 0; j < extent[1]; ++j)
      for (std::size_t k = 0; k < extent[2]; ++k)
        for (std::size_t l = 0; l < extent[3]; ++l)
          y[i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]] += *from++;
  return y;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
