#include "autograd/random.h"

namespace softalign::autograd {
namespace {

// Without a 64-bit multiplication of vectors (AVX-512DQ), computing several blocks side by side takes longer than
// computing one after the other.
#ifdef __AVX512DQ__
constexpr bool side_by_side = true;
#else
constexpr bool side_by_side = false;
#endif

}  // namespace

void Random::philox(std::uint64_t key, std::uint64_t first, std::uint64_t* draws) {
  using Eight = std::uint64_t __attribute__((vector_size(8 * side)));  // GNU vectors, which clang also has
  Eight c[4] = {};
  for (std::size_t i = 0; i < side; ++i) c[0][i] = (first + i) & lower_half, c[1][i] = (first + i) >> 32;
  hash(key, c);
  for (std::size_t i = 0; i < side; ++i) {
    draws[2 * i] = c[1][i] << 32 | c[0][i];
    draws[2 * i + 1] = c[3][i] << 32 | c[2][i];
  }
}

void Random::fill(std::span<std::uint64_t> draws) {
  std::size_t i = 0;
  if (position_ % 2 == 1 && !draws.empty()) draws[i++] = next();  // the second half of a block
  for (; side_by_side && draws.size() - i >= 2 * side; i += 2 * side) {
    philox(key_, position_ / 2, draws.data() + i);
    set_position(position_ + 2 * side);
  }
  for (; i < draws.size(); ++i) draws[i] = next();
}

}  // namespace softalign::autograd
