// Panels: a matrix product of our own for left factors of few rows and for small right factors. BLAS copies its right
// factor at every call and is made for large ones; this takes one that is laid out already.
#pragma once

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

// A left factor whose rows lie in pieces, as those of a convolution do: (rows, count * width), numbers q * width to
// (q + 1) * width of row i at data[q] + i * width.
struct Pieces {
  const Real* const* data;
  std::size_t count, rows, width;
};

// Rows of a left factor so few that each weight they are multiplied by is used little more than it costs to read.
constexpr std::size_t few_rows = 16;

// b (k, n), or its transpose if b is one, cut into panels of a few vectors' columns, one panel behind the other.
Array laid_out(const Matrix& b);

// Whether b is best read as it lies by so many rows: each of its numbers is used a few times only.
bool lies_well(const Matrix& b, std::size_t rows);

// c (m, n) = a b or c += a b for b (k, n) as it lies, row-major and not transposed: for a few rows, which read b once.
void multiply_few_rows(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);

// The same for b laid out. Every row of c is computed by the same operations in the same order, whatever m is.
// Zero-size factors are for the pieces alone.
void multiply_panels(const Matrix& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);
void multiply_panels(const Pieces& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);

// One row times a matrix: every weight is used once, so that the memory, or the cache, sets the time.
// c (n) = a b or c += a b for a (1, k) and b (k, n) as it lies, row-major and not transposed. Each thread has columns
// of its own and walks along several rows at a time, as caches read ahead.
void multiply_one_row(const Matrix& a, const Matrix& b, Real* c, Into into);

}  // namespace softalign::autograd
