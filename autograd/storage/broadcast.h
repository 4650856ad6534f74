// Broadcasting: shapes are aligned at their last axis; an axis of 1, or a missing one, is stretched.
#pragma once

#include "autograd/storage/array.h"

namespace softalign::autograd {

// The shape of a op b. std::invalid_argument naming the op and both shapes if they do not fit.
Shape broadcast_shape(const char* op, const Shape& a, const Shape& b);

// The adjoint of broadcasting: g summed over every axis along which `shape` was stretched to become g's.
// std::invalid_argument if it cannot have been.
Array sum_to_shape(const Array& g, const Shape& shape);

// Its inverse direction: g repeated along the axes of `shape` that it lacks or has as 1. g itself if there are none.
Array stretched(const Array& g, const Shape& shape);

// A new array of `shape` (.., K), each of its rows a copy of `row` (K).
Array repeated(const Array& row, const Shape& shape);

// y (K) += sum over rows of g (N, K)
void add_column_sums(const Array& g, Array& y);

}  // namespace softalign::autograd
