// This file has softalign's own matrix product, for left factors with few rows and for small right factors. The library
// BLAS copies its right factor into a faster layout at every call, which is worthwhile only for large products. This
// product takes a right factor that has been copied (packed) already.
#pragma once

#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

// The struct Pieces is the left factor of a product. It is a matrix (rows, count * width) whose rows are not contiguous
// in memory, as in a convolution. Each row has `count` pieces of `width` numbers. Piece q of row i begins at data[q] +
// i * width.
struct Pieces {
  const Real* const* data;
  std::size_t count, rows, width;
};

// If the left factor has at most this number of rows, each weight is used only a few times. Reading a weight from
// memory then takes about as long as multiplying with it.
constexpr std::size_t few_rows = 16;

// If the left factor has more rows than this, BLAS is faster than a product with packed weights.
constexpr std::size_t most_packed_rows = 256;

// If a weight matrix W has more numbers than this, its packed copy exists only while it is needed: a copy of W in the
// forward pass, and a copy of the transpose W' in the backward pass. Packed copies of smaller weights are kept.
constexpr std::size_t large_weights = std::size_t{1} << 20;

// Packs the matrix b (k, n): the function cuts b into panels of a few columns, and stores one panel after the other. A
// row of a panel fills a few vector registers. If b is a transposed view, the function packs the transpose.
Array pack_panels(const MatrixView& b);

// pack_together packs several matrices, and all threads share the work. room_for_panels allocates the memory for one
// packed matrix.
struct Packing {
  MatrixView from;
  Array to;
};
Array room_for_panels(const MatrixView& b);
void pack_together(std::vector<Packing> packings);

// Returns whether a product of a left factor of `rows` rows and b is faster without packing b (copying b into a faster
// layout). With few rows, each number of b is used only a few times, so packing costs more than it saves.
bool better_unpacked(const MatrixView& b, std::size_t rows);

// Computes c (m, n) = a b or c += a b for a row-major b (k, n) that is not packed. The function is fast if a has few
// rows, because it reads b only once.
void multiply_few_rows(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into);

// Computes c (m, n) = a b or c += a b for a packed b. The operations that compute a row of c, and their order, do not
// depend on the number of rows of a. If a is a Matrix, it must have at least one column.
void multiply_panels(const MatrixView& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);
void multiply_panels(const Pieces& a, const Array& panels, std::size_t n, Real* c, std::size_t c_stride, Into into);

// Computes the same product as multiply_panels for a large b that is not packed. The function packs one part of b at a
// time, because a packed copy of b would double its memory. A build without the library BLAS calls this function
// instead of BLAS.
void multiply_in_parts(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into);

// Computes c (m, n) = a b or c += a b for large matrices. All threads share the work equally. The result does not
// depend on the number of threads.
void multiply_large(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into);

// Multiplies one row a (1, k) by a row-major matrix b (k, n): c = a b or c += a b. The product uses every weight only
// once, so the speed of memory or cache is the limit. Each thread computes its own columns, and reads several rows of b
// at a time, because the processor can fetch them in advance.
void multiply_one_row(const MatrixView& a, const MatrixView& b, Real* c, Into into);

}  // namespace softalign::autograd
