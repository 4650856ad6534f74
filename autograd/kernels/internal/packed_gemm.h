// Panels: our own matrix product for left factors with few rows and for small right factors. BLAS copies its right
// factor at every call, which is worthwhile only for large ones. This product takes a right factor that is packed
// already.
#pragma once

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

// A left factor with rows in pieces, as in a convolution: (rows, count * width). The numbers q * width to (q + 1) *
// width of row i are at data[q] + i * width.
struct Pieces {
  const Real* const* data;
  std::size_t count, rows, width;
};

// The number of rows of a left factor below which reading a weight costs about as much as using it.
constexpr std::size_t few_rows = 16;

// b (k, n), or its transpose if b is one, cut into panels of a few vectors' columns, one panel behind the other.
Array pack_panels(const Matrix& b);

// Whether b should be read without packing for this number of rows, because each of its numbers is used only a few
// times.
bool better_unpacked(const Matrix& b, std::size_t rows);

// Computes c (m, n) = a b or c += a b for an unpacked, row-major b (k, n). This is for a few rows, which read b once.
void multiply_few_rows(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);

// The same for a packed b. Every row of c is computed by the same operations in the same order, whatever m is. Only
// `Pieces` may have zero-size factors.
void multiply_panels(const Matrix& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);
void multiply_panels(const Pieces& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);

// One row times a matrix: every weight is used once, so memory or cache bandwidth is the limit. Computes c (n) = a b or
// c += a b for a (1, k) and a row-major b (k, n). Each thread has its own columns and reads several rows at a time,
// because caches prefetch.
void multiply_one_row(const Matrix& a, const Matrix& b, Real* c, Into into);

}  // namespace softalign::autograd
