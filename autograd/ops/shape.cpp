#include "autograd/ops/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/internal/strided_copy.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

// Around describes an array around one axis: `outer` blocks of `length` rows of `inner` numbers.
struct Around {
  std::size_t outer = 1, length = 1, inner = 1;
};
Around around(const Shape& shape, std::size_t axis) {
  Around a;
  for (std::size_t i = 0; i < axis; ++i) a.outer *= shape[i];
  a.length = shape[axis];
  for (std::size_t i = axis + 1; i < shape.rank(); ++i) a.inner *= shape[i];
  return a;
}

// copy_runs copies `outer` runs of `run` numbers from one stride to another. xtensor takes 20 times as long for this.
void copy_runs(const Real* from, std::size_t from_stride, Real* to, std::size_t to_stride, std::size_t run,
               std::size_t outer) {
  parallel_for(0, outer, run * outer >= long_loop,
               [&](std::size_t i) { std::copy_n(from + i * from_stride, run, to + i * to_stride); });
}
// place_runs also copies runs, but to memory that is not initialised. It writes zeros between the runs.
void place_runs(const Real* from, Real* to, std::size_t offset, std::size_t stride, std::size_t run,
                std::size_t outer) {
  parallel_for(0, outer, stride * outer >= long_loop, [&](std::size_t i) {
    std::fill_n(to + i * stride, offset, Real(0));
    std::copy_n(from + i * run, run, to + i * stride + offset);
    std::fill_n(to + i * stride + offset + run, stride - offset - run, Real(0));
  });
}
void add_runs(const Real* from, std::size_t from_stride, Real* to, std::size_t to_stride, std::size_t run,
              std::size_t outer) {
  parallel_for(0, outer, run * outer >= long_loop, [&](std::size_t i) {
    for (std::size_t j = 0; j < run; ++j) to[i * to_stride + j] += from[i * from_stride + j];
  });
}

// permuted does not use xt::transpose, which takes 6 to 25 times as long.
Array permuted(const Array& x, const std::vector<std::size_t>& axes) {
  Shape shape = x.shape();
  Strides strides{};
  for (std::size_t i = 0; i < x.rank(); ++i) {
    shape[i] = x.dim(axes[i]);
    strides[i] = around(x.shape(), axes[i]).inner;
  }
  return strided_copy(x, shape, strides);
}

}  // namespace

Var reshape(Var x, const Shape& shape) {
  const Array y = x.value().reshaped(shape);
  give_back(x);
  return Var("reshape", y, {x}, [x](const Array& dy) { x.add_grad(dy.reshaped(x.shape())); });
}

Var transpose(const Var& x, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  bool ok = axes.size() == x.shape().rank();
  for (std::size_t i = 0; ok && i < sorted.size(); ++i) ok = sorted[i] == i;
  if (!ok)
    throw std::invalid_argument(fmt::format("transpose: axes ({}) are no permutation of those of {}",
                                            fmt::join(axes, ", "), to_string(x.shape())));
  std::vector<std::size_t> inverse(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) inverse[axes[i]] = i;
  return Var("transpose", permuted(x.value(), axes), {x},
             [x, inverse](const Array& dy) { x.add_grad(permuted(dy, inverse)); });
}

Var transpose(const Var& x) { return transpose(x, {1, 0}); }

namespace {

// part makes an op whose result y has some entries of x: from `offset` on, `run` entries of every `stride`.
Var part(const char* op, const Var& x, const Array& y, std::size_t offset, std::size_t run, std::size_t stride) {
  return Var(op, y, {x}, [x, offset, run, stride](const Array& dy) {
    const Slot dx = x.grad_slot();
    const std::size_t outer = run ? dy.size() / run : 0;
    if (dx.fresh && outer == 0) dx.array.fill(0);
    else if (dx.fresh) place_runs(dy.data(), dx.array.data(), offset, stride, run, outer);
    else add_runs(dy.data(), run, dx.array.data() + offset, stride, run, outer);
  });
}

}  // namespace

// y = x[.., begin:end, ..]      dx[.., begin:end, ..] += dy
Var slice(const Var& x, std::size_t axis, std::size_t begin, std::size_t end) {
  if (axis >= x.shape().rank() || begin > end || end > x.dim(axis))
    throw std::invalid_argument(
        fmt::format("slice: [{}, {}) on axis {} is outside {}", begin, end, axis, to_string(x.shape())));
  const Around a = around(x.shape(), axis);
  const std::size_t run = (end - begin) * a.inner, stride = a.length * a.inner, offset = begin * a.inner;
  if (axis == 0) return part("slice", x, x.value().rows(begin, end), offset, run, stride);
  Shape shape = x.shape();
  shape[axis] = end - begin;
  Array y(shape);
  copy_runs(x.value().data() + offset, stride, y.data(), run, run, a.outer);
  return part("slice", x, y, offset, run, stride);
}

// y = x_i              dx_i += dy
Var at(const Var& x, std::size_t i) {
  const Shape& shape = x.shape();
  if (shape.rank() == 0 || i >= shape[0]) throw std::invalid_argument(fmt::format("at: {} of {}", i, to_string(shape)));
  const Array y = x.value().rows(i, i + 1).reshaped(Shape(std::span(shape.begin() + 1, shape.end())));
  return part("at", x, y, i * y.size(), y.size(), x.value().size());
}

Var concat(const std::vector<Var>& xs, std::size_t axis) {
  if (xs.empty()) throw std::invalid_argument("concat: nothing to join");
  Shape shape = xs.front().shape();
  if (axis >= shape.rank())
    throw std::invalid_argument(fmt::format("concat: {} has no axis {}", to_string(shape), axis));
  shape[axis] = 0;
  for (const Var& x : xs) {
    Shape other = x.shape();
    const std::size_t length = axis < other.rank() ? other[axis] : 0;
    if (axis < other.rank()) other[axis] = shape[axis];
    if (!(other == shape))
      throw std::invalid_argument(fmt::format("concat: {} and {} differ beside axis {}", to_string(xs.front().shape()),
                                              to_string(x.shape()), axis));
    shape[axis] += length;
  }
  Array y(shape);
  const Around a = around(shape, axis);
  const std::size_t stride = a.length * a.inner;
  std::size_t offset = 0;
  for (const Var& x : xs) {
    const std::size_t run = x.dim(axis) * a.inner;
    copy_runs(x.value().data(), run, y.data() + offset, stride, run, a.outer);
    offset += run;
  }
  return Var("concat", y, xs, [xs, axis, a, stride](const Array& dy) {
    std::size_t from = 0;
    for (const Var& x : xs) {
      const std::size_t run = x.dim(axis) * a.inner;
      if (x.needs_grad()) {
        const Slot dx = x.grad_slot();
        (dx.fresh ? copy_runs : add_runs)(dy.data() + from, stride, dx.array.data(), run, run, a.outer);
      }
      from += run;
    }
  });
}

// y_i = x_i            dx_i = dy_i
Var stack(const std::vector<Var>& xs) {
  if (xs.empty()) throw std::invalid_argument("stack: nothing to join");
  const Shape& each = xs.front().shape();
  std::vector<std::size_t> dims(each.begin(), each.end());
  dims.insert(dims.begin(), xs.size());
  Array y{Shape(dims)};
  const std::size_t size = each.size();
  for (const Var& x : xs)
    if (!(x.shape() == each))
      throw std::invalid_argument(fmt::format("stack: {} and {} differ", to_string(each), to_string(x.shape())));
  parallel_for(0, xs.size(), y.size() >= long_loop,
               [&](std::size_t i) { std::copy_n(xs[i].value().data(), size, y.data() + i * size); });
  return Var("stack", y, xs, [xs](const Array& dy) {
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i].add_grad(dy.rows(i, i + 1).reshaped(xs[i].shape()));
  });
}

}  // namespace softalign::autograd
