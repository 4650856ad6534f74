// AllReduce: sums many numbers over the ranks while the ranks compute.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "apps/ranks/communicator.h"
#include "apps/scatter_gather/gradient_dtype.h"
#include "autograd/array.h"

namespace softalign::apps {

// bfloat16: the upper half of a float, 8 bits of exponent and 7 of mantissa. Gradients keep their range in it, and two
// to three decimal digits.
using Bfloat16 = std::uint16_t;

// Rounds to nearest, and to even if two are equally near. NaN stays NaN.
inline Bfloat16 to_bfloat16(autograd::Real x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (std::isnan(x)) return static_cast<Bfloat16>(bits >> 16 | 0x40);
  return static_cast<Bfloat16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline autograd::Real from_bfloat16(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }

// All ranks must create it and use it in the same order. Only the times of go_on() may differ.
class AllReduce {
 public:
  // The ranks must outlive it.
  AllReduce(const Communicator& ranks, GradientDtype gradient_dtype);
  ~AllReduce();

  // Replaces the numbers of all pieces by their sums over the ranks. Sums are computed in the order of ranks,
  // independent of the network, so every rank and every call gets the same bytes. Each rank adds its part of the
  // numbers, and then all exchange their parts. Until finish(), do not move or write the pieces.
  void begin(const std::vector<std::span<Real>>& pieces);
  // Continues as far as the received data allow, because the network does not progress by itself.
  void go_on();
  void finish();

  // The memory that it needs for this number of numbers: the numbers themselves and those from other ranks, in the data
  // type of the network.
  static std::size_t bytes(const Communicator& ranks, std::size_t numbers, GradientDtype gradient_dtype);

 private:
  class UnderWay;
  const Communicator& ranks_;
  GradientDtype dtype_;
  std::unique_ptr<UnderWay> under_way_;  // none of one process
};

}  // namespace softalign::apps
