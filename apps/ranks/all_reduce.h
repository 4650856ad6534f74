// AllReduce sums many numbers over the processes of a training, while the processes compute.
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

// bfloat16 is the upper half of a float, with 8 bits of exponent and 7 bits of mantissa. Gradients keep their range in
// this format, but only two to three decimal digits.
using Bfloat16 = std::uint16_t;

// Rounds to the nearest bfloat16. If two are equally near, it takes the one with an even mantissa. NaN stays NaN.
inline Bfloat16 to_bfloat16(autograd::Real x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (std::isnan(x)) return static_cast<Bfloat16>(bits >> 16 | 0x40);
  return static_cast<Bfloat16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline autograd::Real from_bfloat16(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }

// All processes must create an AllReduce and call its functions in the same order. Only go_on() may be called at
// different times.
class AllReduce {
 public:
  // The ranks must outlive it. With int8, quantised.h says how numbers travel.
  AllReduce(const Communicator& ranks, GradientDtype gradient_dtype);
  ~AllReduce();

  // Replaces the numbers of all pieces by their sums over the processes. Each process adds its part of the numbers, and
  // then all processes exchange these sums. The order of the additions does not depend on the network, so every process
  // and every call gets the same bytes. Do not move or write the pieces until finish() returns.
  //
  // With int8, `errors` has as many numbers for each piece: what earlier sums of these numbers have lost in this
  // process. They are added to the numbers, and what is lost now replaces them. Otherwise `errors` is not used.
  void begin(const std::vector<std::span<Real>>& pieces, const std::vector<std::span<Real>>& errors = {});
  // Continues the exchange as far as the received data allow. Call it often, because the network does not progress by
  // itself.
  void go_on();
  void finish();

  // Returns the memory that the sums of `numbers` values need. It is the memory for these values, and for those of the
  // other processes in the data type of the network. With int8, it includes the errors.
  static std::size_t bytes(const Communicator& ranks, std::size_t numbers, GradientDtype gradient_dtype);

 private:
  class UnderWay;
  const Communicator& ranks_;
  GradientDtype dtype_;
  std::unique_ptr<UnderWay> under_way_;  // none of one process
};

}  // namespace softalign::apps
