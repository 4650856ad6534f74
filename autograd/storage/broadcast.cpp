#include "autograd/storage/broadcast.h"
#include "autograd/storage/parallel_for.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::autograd {

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

namespace {

// `whole` padded to four axes, and the steps in memory of a `part` that broadcasts to it: 0 along stretched axes.
struct Strided {
  std::array<std::size_t, Shape::max_rank> extent, stride;
};
Strided strided(const Shape& part, const Shape& whole) {
  Strided s;
  s.extent.fill(1);
  s.stride.fill(0);
  std::size_t step = 1;
  for (std::size_t i = part.rank(); i-- > 0;) {
    s.stride[Shape::max_rank - part.rank() + i] = part[i] == 1 ? 0 : step;
    step *= part[i];
  }
  for (std::size_t i = 0; i < whole.rank(); ++i) s.extent[Shape::max_rank - whole.rank() + i] = whole[i];
  return s;
}

// visit(place in the part) for every element of the whole, in order.
template <class Visit>
void for_each_place(const Strided& s, Visit visit) {
  for (std::size_t i = 0; i < s.extent[0]; ++i)
    for (std::size_t j = 0; j < s.extent[1]; ++j)
      for (std::size_t k = 0; k < s.extent[2]; ++k)
        for (std::size_t l = 0; l < s.extent[3]; ++l)
          visit(i * s.stride[0] + j * s.stride[1] + k * s.stride[2] + l * s.stride[3]);
}

}  // namespace

Array sum_to_shape(const Array& g, const Shape& shape) {
  if (!(broadcast_shape("gradient", shape, g.shape()) == g.shape()))
    throw std::invalid_argument(
        fmt::format("a gradient of shape {} for a value of shape {}", to_string(g.shape()), to_string(shape)));
  Array y = zeros(shape);
  const std::size_t leading = g.rank() - shape.rank();
  if (std::equal(shape.begin(), shape.end(), g.shape().begin() + leading)) {  // the bias: only leading axes are summed
    add_column_sums(g, y);
    return y;
  }
  const Real* from = g.data();
  for_each_place(strided(shape, g.shape()), [&](std::size_t place) { y[place] += *from++; });
  return y;
}

Array repeated(const Array& row, const Shape& shape) {
  Array y(shape);
  const std::size_t width = row.size(), rows = width ? y.size() / width : 0;
  constexpr std::size_t worth_threads = std::size_t{1} << 18;
  parallel_for(0, rows, y.size() >= worth_threads,
               [&](std::size_t i) { std::copy_n(row.data(), width, y.data() + i * width); });
  return y;
}

Array stretched(const Array& g, const Shape& shape) {
  if (g.shape() == shape) return g;
  Array y(shape);
  Real* to = y.data();
  for_each_place(strided(g.shape(), shape), [&](std::size_t place) { *to++ = g[place]; });
  return y;
}

}  // namespace softalign::autograd
