// PackedWeights: weights laid out for products (gemm.h, Factor) and kept as long as their numbers stay as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "autograd/kernels/gemm.h"

namespace softalign::autograd {

class PackedWeights {
 public:
  // b, which is `weights` or a part of it or of its transpose, for a product with a left factor of `rows` rows: laid
  // out once there were products of `patience` rows. `version` counts how often somebody may have written into the
  // weights; nothing of the one before is remembered, so that a training that was stopped goes on with the same bytes.
  Factor of(const Array& weights, std::uint64_t version, const Matrix& b, std::size_t rows, std::size_t patience);

  // The same as 8-bit integers, made at once.
  Factor integers_of(const Array& weights, std::uint64_t version, const Matrix& b);

  // Large ones, of which the memory counts: these, or all.
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
