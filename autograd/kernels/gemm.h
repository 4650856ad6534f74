// GEMM: fast matrix products, C = A B or C += A B for row-major matrices with a row stride, either factor transposed.
// BLAS computes large products. autograd/kernels/internal/packed_gemm.h computes small ones and those of a time loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "autograd/ops/matrix.h"

namespace softalign::autograd {

Matrix columns(const Matrix& a, std::size_t begin, std::size_t end);
Matrix rows(const Matrix& a, std::size_t begin, std::size_t end);

class Int8Weights;  // autograd/kernels/int8_weights.h
struct Pieces;      // autograd/kernels/internal/packed_gemm.h

// c (m, n) with row stride c_stride. Zero-size factors give zeros. std::invalid_argument if A and B do not chain.
void gemm(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);
void gemm(const Matrix& a, const Matrix& b, Array& c, Into into);

// The right factor of many products, for example a recurrent weight. BLAS would copy it into its own layout at every
// call, which costs more than the product if the left factor has few rows. Here it is packed once.
struct Factor {
  Matrix b;                                       // whose memory must stay as it is
  Array panels;                                   // b laid out; undefined: b is used as it lies
  std::shared_ptr<const Int8Weights> integers{};  // what is multiplied by in place of b, if there
};

// Prepares b for many products with left factors of `rows` rows. It is packed, unless `rows` is 1.
Factor factor(const Matrix& b, std::size_t rows);

void gemm(const Matrix& a, const Factor& b, Real* c, std::size_t c_stride, Into into);
void gemm(const Matrix& a, const Factor& b, Array& c, Into into);
// b laid out, or std::invalid_argument.
void gemm(const Pieces& a, const Factor& b, Real* c, std::size_t c_stride, Into into);

// Packed weights, which are kept until their numbers change.
class PackedWeights {
 public:
  // Returns b, which is `weights`, a part of it, or of its transpose, for a product with a left factor of `rows` rows.
  // It is packed after products with `pack_after` rows in total. `version` counts how often the weights may have been
  // written; a new version starts afresh, so a resumed training gives the same bytes.
  Factor of(const Array& weights, std::uint64_t version, const Matrix& b, std::size_t rows, std::size_t pack_after);

  // The same as 8-bit integers, made at once.
  Factor integers_of(const Array& weights, std::uint64_t version, const Matrix& b);

  // Frees packed weights if they are large, because their memory matters: those of `weights`, or all.
  void forget(const Array& weights);
  void forget_large();

 private:
  struct Known {
    std::weak_ptr<const void> memory;  // of the weights: another array may come to lie where they lay
    std::uint64_t version;
    std::size_t numbers;  // of the weights, of which the factor may be a part
    Factor factor;
    std::size_t rows = 0;  // of all products so far
  };
  Known& find(const Array& weights, std::uint64_t version, const Matrix& b);

  std::vector<Known> known_;
};
PackedWeights& packed_weights();  // for this thread's products

}  // namespace softalign::autograd
