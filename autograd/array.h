// An Array is a dense, row-major block of numbers with a shape. Copying an Array shares its numbers; clone() copies the
// numbers. Broadcasting repeats a small array so that it fits a larger one. Operations (ops) do the arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autograd/precision.h"

namespace softalign::autograd {

// An Id is the number of a row, for example of the row of a word in an embedding table.
using Id = std::int32_t;
using Ids = std::vector<Id>;
Ids all_rows(std::size_t n);  // 0 .. n-1

// A Shape has up to four axes. A scalar has none.
class Shape {
 public:
  static constexpr std::size_t max_rank = 4;
  Shape() = default;
  Shape(std::initializer_list<std::size_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const std::size_t> dims);  // throws std::invalid_argument for more than four axes

  std::size_t rank() const { return rank_; }
  std::size_t size() const;  // product of the axes, 1 for a scalar
  std::size_t operator[](std::size_t axis) const { return dims_[axis]; }
  std::size_t& operator[](std::size_t axis) { return dims_[axis]; }
  std::size_t back() const { return dims_[rank_ - 1]; }
  const std::size_t* begin() const { return dims_.data(); }
  const std::size_t* end() const { return dims_.data() + rank_; }
  bool operator==(const Shape& other) const;

 private:
  std::array<std::size_t, max_rank> dims_{};
  std::size_t rank_ = 0;
};
std::string to_string(const Shape& shape);  // "(32, 128)"

inline namespace SOFTALIGN_PRECISION {
class Array {
 public:
  Array() = default;                   // an empty array without shape and memory
  explicit Array(const Shape& shape);  // the numbers are not initialised
  Array(const Shape& shape, Real fill);
  Array(const Shape& shape, const std::vector<Real>& values);  // throws std::invalid_argument if the counts differ
  static Array scalar(Real value) { return Array(Shape{}, value); }
  static Array without_numbers(const Shape& shape);  // has a shape and a size, but no memory

  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.rank(); }
  std::size_t size() const { return size_; }
  std::size_t dim(std::size_t axis) const { return shape_[axis]; }
  bool defined() const { return block_ != nullptr; }

  Real* data() { return data_; }
  const Real* data() const { return data_; }
  Real& operator[](std::size_t i) { return data_[i]; }
  Real operator[](std::size_t i) const { return data_[i]; }
  Real item() const;  // the only element; throws std::invalid_argument if there are more
  std::span<Real> span() { return {data_, size_}; }
  std::span<const Real> span() const { return {data_, size_}; }

  void fill(Real value);
  Array clone() const;
  // reshaped() returns the same numbers in another shape of equal size. rows() returns the rows of axis 0 from number
  // `begin` to number end - 1. The results share their memory with this array.
  Array reshaped(const Shape& shape) const;
  Array rows(std::size_t begin, std::size_t end) const;
  bool shares_memory_with(const Array& other) const { return block_ && block_ == other.block_; }
  std::weak_ptr<const void> memory() const { return block_; }  // expires when the block is freed
  bool sole_owner() const { return block_.use_count() == 1; }

 private:
  std::shared_ptr<void> block_;
  Real* data_ = nullptr;
  Shape shape_;
  std::size_t size_ = 0;
};
}  // namespace SOFTALIGN_PRECISION

// The struct Allocator has the two functions with which arrays allocate and free memory. `take` returns a block of at
// least the given number of bytes. The block is 64-byte aligned and not initialised.
struct Allocator {
  void* (*take)(std::size_t bytes);                       // may throw std::bad_alloc
  void (*give)(void* block, std::size_t bytes) noexcept;  // `bytes` must be the same as in take
};
bool set_array_allocator(Allocator allocator);  // the default is std::aligned_alloc and std::free

// A Slot is an array for an op's output. If it is `fresh`, the op overwrites it. Otherwise the op adds to it.
struct Slot {
  Array& array;
  bool fresh;
};

Array zeros(const Shape& shape);
Array zeros_like(const Array& a);
void add_into(Array& y, const Array& x);  // y += x, equal shapes
bool all_finite(const Array& a);

// --- Broadcasting aligns shapes at their last axis. It repeats an axis that has size 1, or that is missing ---

// Returns the shape to which a and b broadcast. If their shapes do not fit, throws std::invalid_argument with a message
// that names `op`.
Shape broadcast_shape(const char* op, const Shape& a, const Shape& b);

// Undoes broadcasting for a gradient g: sums g over every axis along which an array of the given shape was repeated.
// Throws std::invalid_argument if broadcasting cannot turn `shape` into g's shape.
Array sum_to_shape(const Array& g, const Shape& shape);

}  // namespace softalign::autograd
