#include "autograd/storage/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/storage/internal/xtensor.h"
#include "autograd/storage/pool.h"
#include "autograd/storage/profile.h"

namespace softalign::autograd {

namespace {
constexpr std::size_t most_elements = std::size_t{1} << 56;  // their bytes can still be counted
}

Shape::Shape(std::span<const std::size_t> dims) : rank_(dims.size()) {
  if (rank_ > max_rank)
    throw std::invalid_argument(fmt::format("shape: {} axes, at most {} are supported", rank_, max_rank));
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

std::size_t Shape::size() const {
  std::size_t n = 1;
  for (std::size_t d : *this)
    if (__builtin_mul_overflow(n, d, &n) || n > most_elements)
      throw std::length_error(fmt::format("shape {}: no memory holds so many elements", to_string(*this)));
  return n;
}

bool Shape::operator==(const Shape& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

std::string to_string(const Shape& shape) { return fmt::format("({})", fmt::join(shape.begin(), shape.end(), ", ")); }

namespace {

std::shared_ptr<void> take_block(std::size_t elements) {
  const std::size_t bytes = elements * sizeof(Real);
  return {pool_take(bytes), [bytes](void* block) { pool_give(block, bytes); }};
}

}  // namespace

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
  const Profile::Part part("fill");
  std::fill_n(data_, size_, value);
}

Array Array::clone() const {
  const Profile::Part part("copy");
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
  xt::noalias(y_flat) += flat(x);
}

bool all_finite(const Array& a) {
  return std::all_of(a.data(), a.data() + a.size(), [](Real v) { return std::isfinite(v); });
}

}  // namespace softalign::autograd
