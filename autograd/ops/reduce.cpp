#include "autograd/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/strided_copy.h"
#include "autograd/internal/xtensor.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

struct Reduced {
  Shape kept, removed;  // shapes with the reduced axes as 1, and without them
  std::size_t n = 1;    // elements that are reduced to one
};

Reduced reduced_shapes(const char* op, const Shape& shape, const Axes& axes) {
  for (std::size_t axis : axes)
    if (axis >= shape.rank())
      throw std::invalid_argument(fmt::format("{}: {} has no axis {}", op, to_string(shape), axis));
  Reduced s{shape, {}};
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (axes.empty() || std::find(axes.begin(), axes.end(), i) != axes.end()) {
      s.kept[i] = 1;
      s.n *= shape[i];
    } else {
      rest.push_back(shape[i]);
    }
  }
  s.removed = Shape(rest);
  return s;
}

}  // namespace

// y = sum x            dx = dy, stretched
Var sum(const Var& x, const Axes& axes, Keep keep) {
  const Reduced s = reduced_shapes("sum", x.shape(), axes);
  const Array y = sum_to_shape(x.value(), s.kept);
  return Var("sum", y.reshaped(keep == Keep::yes ? s.kept : s.removed), {x},
             [x, s](const Array& dy) { x.add_grad(stretched(dy.reshaped(s.kept), x.shape())); });
}

// y = sum x / n        dx = dy / n, stretched
Var mean(const Var& x, const Axes& axes, Keep keep) {
  const Reduced s = reduced_shapes("mean", x.shape(), axes);
  if (s.n == 0) throw std::invalid_argument(fmt::format("mean: nothing to average in {}", to_string(x.shape())));
  Array y = sum_to_shape(x.value(), s.kept);
  flat(y) /= static_cast<Real>(s.n);
  return Var("mean", y.reshaped(keep == Keep::yes ? s.kept : s.removed), {x}, [x, s](const Array& dy) {
    Array mean_grad = dy.reshaped(s.kept).clone();
    flat(mean_grad) /= static_cast<Real>(s.n);
    x.add_grad(stretched(mean_grad, x.shape()));
  });
}

// y = max x            dx = dy at the first maximum
// One loop finds each maximum and its position. xt::amax and xt::argmax take twice as long (320 x 512).
Var max(Var x, std::size_t axis, Keep keep) {
  const Reduced s = reduced_shapes("max", x.shape(), {axis});
  const std::size_t n = s.n, total = x.value().size();
  if (n == 0) throw std::invalid_argument(fmt::format("max: axis {} of {} is empty", axis, to_string(x.shape())));
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < x.shape().rank(); ++i) inner *= x.dim(i);
  Array y(s.kept);
  std::vector<std::size_t> where(total / n);
  for (std::size_t o = 0, k = 0; o < total; o += n * inner)
    for (std::size_t i = 0; i < inner; ++i, ++k) {
      std::size_t best = o + i;
      for (std::size_t j = 1; j < n; ++j)
        if (x.value()[o + j * inner + i] > x.value()[best]) best = o + j * inner + i;
      where[k] = best;
      y[k] = x.value()[best];
    }
  give_back(x);
  return Var("max", y.reshaped(keep == Keep::yes ? s.kept : s.removed), {x}, [x, where](const Array& dy) {
    Array& dx = x.zeroed_grad();
    for (std::size_t k = 0; k < where.size(); ++k) dx[where[k]] += dy[k];
  });
}

namespace {

void add_row(const Real* __restrict g, Real* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += g[i];
}

}  // namespace

// Each thread sums some of the columns from the first row to the last. Results therefore do not depend on the number of
// threads.
void add_column_sums(const Array& g, Array& y) {
  constexpr std::size_t least_columns = 16;  // per thread; fewer columns would share a cache line
  const std::size_t width = y.size();
  if (width == 0) return;
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  const std::size_t parts =
      shares(g.size() >= long_loop) ? std::clamp<std::size_t>(width / least_columns, 1, threads) : 1;
  parallel_for(0, parts, parts > 1, [&](std::size_t part) {
    const std::size_t begin = width * part / parts, end = width * (part + 1) / parts;
    for (std::size_t i = 0; i + width <= g.size(); i += width)
      add_row(g.data() + i + begin, y.data() + begin, end - begin);
  });
}

void add_repeated_grad(const Var& b, const Array& dy) {
  const bool one_row = b.shape().rank() == 1 && dy.rank() > 1 && b.dim(0) == dy.shape().back();
  if (!b.needs_grad() || !one_row || !shares(dy.size() >= long_loop)) return b.add_grad(dy);
  Array sums = zeros(b.shape());
  add_column_sums(dy, sums);
  b.add_grad(sums);
}

}  // namespace softalign::autograd
