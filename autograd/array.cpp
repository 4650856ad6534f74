#include "autograd/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>

#include "autograd/hooks.h"
#include "autograd/internal/xtensor.h"

namespace softalign::autograd {

Ids all_rows(std::size_t n) {
  Ids rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

Shape::Shape(std::span<const std::size_t> dims) : rank_(dims.size()) {
  if (rank_ > max_rank)
    throw std::invalid_argument(fmt::format("shape: {} axes, at most {} are supported", rank_, max_rank));
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

std::size_t Shape::size() const {
  constexpr std::size_t most_elements = std::size_t{1} << (sizeof(std::size_t) == 8 ? 56 : 28);  // so bytes fit size_t
  std::size_t n = 1;
  for (std::size_t d : *this)
    if (__builtin_mul_overflow(n, d, &n) || n > most_elements)
      throw std::length_error(fmt::format("shape {}: no memory holds so many elements", to_string(*this)));
  return n;
}

bool Shape::operator==(const Shape& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

std::string to_string(const Shape& shape) { return fmt::format("({})", fmt::join(shape.begin(), shape.end(), ", ")); }

namespace {

void* take_of_system(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  void* const block = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);  // zero bytes get a block too
  if (!block) throw std::bad_alloc();
  return block;
}
void give_to_system(void* block, std::size_t) noexcept { std::free(block); }

constinit Allocator allocator{take_of_system, give_to_system};

// A block returns to the allocator that it came from. The deleter keeps this allocator, because another one may have
// been set in between.
std::shared_ptr<void> take_block(std::size_t elements) {
  const std::size_t bytes = elements * sizeof(Real);
  return {allocator.take(bytes), [bytes, give = allocator.give](void* block) { give(block, bytes); }};
}

}  // namespace

bool set_array_allocator(Allocator other) {
  allocator = other;
  return true;
}

Array::Array(const Shape& shape) : block_(take_block(shape.size())), shape_(shape), size_(shape.size()) {
  data_ = static_cast<Real*>(block_.get());
}

Array Array::without_numbers(const Shape& shape) {
  Array array;
  array.shape_ = shape;
  array.size_ = shape.size();
  return array;
}

Array::Array(const Shape& shape, Real value) : Array(shape) { fill(value); }

Array::Array(const Shape& shape, const std::vector<Real>& values) : Array(shape) {
  if (values.size() != size_)
    throw std::invalid_argument(
        fmt::format("array: shape {} needs {} values, got {}", to_string(shape), size_, values.size()));
  std::copy(values.begin(), values.end(), data_);
}

Real Array::item() const {
  if (size_ != 1)
    throw std::invalid_argument(fmt::format("item: one element expected, shape is {}", to_string(shape_)));
  return data_[0];
}

void Array::fill(Real value) {
  const Span span("fill");
  std::fill_n(data_, size_, value);
}

Array Array::clone() const {
  const Span span("copy");
  Array copy(shape_);
  std::copy_n(data_, size_, copy.data_);
  return copy;
}

Array Array::reshaped(const Shape& shape) const {
  if (shape.size() != size_)
    throw std::invalid_argument(fmt::format("reshape: {} has {} elements, {} has {}", to_string(shape_), size_,
                                            to_string(shape), shape.size()));
  Array view = *this;
  view.shape_ = shape;
  return view;
}

Array Array::rows(std::size_t begin, std::size_t end) const {
  if (rank() == 0 || begin > end || end > dim(0))
    throw std::invalid_argument(fmt::format("rows: [{}, {}) is outside {}", begin, end, to_string(shape_)));
  Array view = *this;
  const std::size_t width = dim(0) ? size_ / dim(0) : 0;
  view.data_ = data_ + begin * width;
  view.shape_[0] = end - begin;
  view.size_ = (end - begin) * width;
  return view;
}

Array zeros(const Shape& shape) { return Array(shape, 0); }
Array zeros_like(const Array& a) { return zeros(a.shape()); }

void add_into(Array& y, const Array& x) {
  if (!(y.shape() == x.shape()))
    throw std::invalid_argument(fmt::format("add_into: {} += {}", to_string(y.shape()), to_string(x.shape())));
  auto y_flat = flat(y);
  if (y.size() < 65536) xt::noalias(y_flat) += flat(x);  // starting threads would take longer than adding
  else
#pragma omp parallel for simd
    for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] += x.data()[i];
}

bool all_finite(const Array& a) {
  return std::all_of(a.data(), a.data() + a.size(), [](Real v) { return std::isfinite(v); });
}

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

// sum_to_shape first sums the last run of broadcast axes, which is n in the view (outer, n, inner). A recursive call
// sums the broadcast axes before this run.
Array sum_to_shape(const Array& g, const Shape& shape) {
  if (!(broadcast_shape("gradient", shape, g.shape()) == g.shape()))
    throw std::invalid_argument(
        fmt::format("a gradient of shape {} for a value of shape {}", to_string(g.shape()), to_string(shape)));
  if (g.size() == 0) return zeros(shape);
  const std::size_t leading = g.rank() - shape.rank();
  const auto stretched = [&](std::size_t i) { return i < leading || shape[i - leading] != g.dim(i); };
  std::size_t end = g.rank();
  while (end > 0 && !stretched(end - 1)) --end;
  if (end == 0) return g;
  std::size_t begin = end;
  while (begin > 0 && stretched(begin - 1)) --begin;

  Shape left = g.shape();
  std::size_t outer = 1, n = 1, inner = 1;
  for (std::size_t i = 0; i < g.rank(); ++i) {
    (i < begin ? outer : i < end ? n : inner) *= g.dim(i);
    if (i >= begin && i < end) left[i] = 1;
  }
  Array y(left);
  auto sums = with_axes(y, outer, inner);
  xt::noalias(sums) = xt::sum(with_axes(g, outer, n, inner), {1}, xt::evaluation_strategy::immediate);
  return begin <= leading ? y.reshaped(shape) : sum_to_shape(y, shape);
}

}  // namespace softalign::autograd
