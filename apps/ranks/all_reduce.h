// AllReduce sums many numbers, such as gradients, over the processes of a training. The processes can compute during
// the exchange.
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

// All processes must create an AllReduce and call its functions in the same order. Only for progress(), the order does
// not matter.
class AllReduce {
 public:
  // `ranks` must outlive the AllReduce. With int8, the numbers are compressed as quantised.h describes.
  AllReduce(const Communicator& ranks, GradientDtype gradient_dtype);
  ~AllReduce();

  // Starts to replace each number by its sum over the processes. The numbers are in pieces, for example one gradient
  // per piece. Each process adds up a part of the numbers, and then all processes exchange these sums. The order of the
  // additions does not depend on the network, so every process and every call gets the same bytes. Do not move or write
  // the pieces until finish() returns.
  //
  // With int8, each number is rounded before it is sent. `errors` has the same sizes as `pieces`, and contains the
  // rounding errors that this process made in the previous sum. begin() adds them to the numbers. When the new sum is
  // complete, `errors` contains the new rounding errors. Other data types do not use `errors`.
  void begin(const std::vector<std::span<Real>>& pieces, const std::vector<std::span<Real>>& errors = {});
  // Continues the exchange as far as the received data allow. Call it often during the computation, because nothing
  // else continues the exchange.
  void progress();
  void finish();

  // Returns the number of bytes that an AllReduce needs to sum `numbers` values per process. This memory is for the
  // values that the process sends and receives, and with int8 also for the rounding errors.
  static std::size_t bytes(const Communicator& ranks, std::size_t numbers, GradientDtype gradient_dtype);

 private:
  class UnderWay;
  const Communicator& ranks_;
  GradientDtype dtype_;
  std::unique_ptr<UnderWay> under_way_;  // null if there is only one process
};

}  // namespace softalign::apps
