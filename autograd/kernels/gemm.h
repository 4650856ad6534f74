// This file has fast products of row-major matrices: gemm computes C = A B or C += A B, and either factor may be
// transposed. The library BLAS computes large products. autograd/kernels/internal/packed_gemm.h computes small
// products, and products in loops over the steps of a sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

MatrixView columns(const MatrixView& a, std::size_t begin, std::size_t end);
MatrixView rows(const MatrixView& a, std::size_t begin, std::size_t end);

class Int8Weights;  // autograd/kernels/int8_weights.h
struct Pieces;      // autograd/kernels/internal/packed_gemm.h

// gemm computes c = a b of size (m, n), or adds the product to c. The rows of c are c_stride numbers apart. If a factor
// has size 0, the product is zero. gemm throws std::invalid_argument if a has another number of columns than b has
// rows.
void gemm(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into);
void gemm(const MatrixView& a, const MatrixView& b, Array& c, Into into);

// A Factor is a matrix b that is the right factor of many products, for example a weight that a loop uses in every
// step. BLAS copies its right factor into a faster layout at every call. If the left factor has few rows, this copy
// takes longer than the product. A Factor is copied only once, before its first product.
struct Factor {
  MatrixView b;                                   // its memory must not change
  Array panels;                                   // b in the faster layout; undefined: b is used as it is
  std::shared_ptr<const Int8Weights> integers{};  // if given, the product uses these integers instead of b
};

// Prepares b for many products with left factors of `rows` rows. The function copies b into a faster layout, unless
// `rows` is 1.
Factor factor(const MatrixView& b, std::size_t rows);

void gemm(const MatrixView& a, const Factor& b, Real* c, std::size_t c_stride, Into into);
void gemm(const MatrixView& a, const Factor& b, Array& c, Into into);
// Multiplies a left factor a, whose rows consist of several pieces of memory (Pieces), by b. Throws
// std::invalid_argument if b has not been copied into a faster layout (see factor).
void gemm(const Pieces& a, const Factor& b, Real* c, std::size_t c_stride, Into into);

// PackedWeights keeps weights in a faster layout (packed), until their numbers change.
class PackedWeights {
 public:
  // Returns b for a product with a left factor of `rows` rows. b is `weights`, a part of `weights`, or a transpose of
  // them. After products with `pack_after` rows in total, the function packs b, that is, copies b into a faster layout.
  // `version` changes when the numbers of the weights may have changed. The function then drops the copy and counts the
  // rows from 0 again, as it does at the start of a resumed training. A resumed training therefore computes the same
  // bytes as an uninterrupted one.
  Factor of(const Array& weights, std::uint64_t version, const MatrixView& b, std::size_t rows, std::size_t pack_after);

  // Returns b as 8-bit integers. The function converts b at the first call.
  Factor integers_of(const Array& weights, std::uint64_t version, const MatrixView& b);

  // A packed copy has the weights in a faster layout. forget frees the packed copies of `weights`, and forget_large
  // frees those of all weights. Both functions free only large copies, because small copies need little memory.
  void forget(const Array& weights);
  void forget_large();

 private:
  struct Known {
    std::weak_ptr<const void> memory;  // memory of the weights; shows whether it was freed
    std::uint64_t version;
    std::size_t numbers;  // size of the weights; the factor may be a part of them
    Factor factor;
    std::size_t rows = 0;  // number of rows of the left factors of all products so far
  };
  Known& find(const Array& weights, std::uint64_t version, const MatrixView& b);

  std::vector<Known> known_;
};
PackedWeights& packed_weights();  // for this thread's products

}  // namespace softalign::autograd
