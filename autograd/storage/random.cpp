#include "autograd/storage/random.h"

namespace autograd {
namespace {

// Eight numbers of 32 bits, each with room for a product: GNU's vectors, which clang has too.
using Eight = std::uint64_t __attribute__((vector_size(64)));
constexpr std::uint64_t lower_half = 0xffffffff;

}  // namespace

void Random::philox(std::uint64_t key, std::uint64_t first, std::uint64_t* draws) {
  constexpr std::size_t rows = side / 8;
  Eight c[4][rows], k0 = Eight{} + (key & lower_half), k1 = Eight{} + (key >> 32);
  for (std::size_t i = 0; i < side; ++i) {
    c[0][i / 8][i % 8] = (first + i) & lower_half;
    c[1][i / 8][i % 8] = (first + i) >> 32;
    c[2][i / 8][i % 8] = c[3][i / 8][i % 8] = 0;
  }
  for (int round = 0; round < 10; ++round) {
    for (std::size_t l = 0; l < rows; ++l) {
      const Eight p0 = c[0][l] * 0xD2511F53, p1 = c[2][l] * 0xCD9E8D57;
      c[0][l] = (p1 >> 32) ^ c[1][l] ^ k0;
      c[1][l] = p1 & lower_half;
      c[2][l] = (p0 >> 32) ^ c[3][l] ^ k1;
      c[3][l] = p0 & lower_half;
    }
    k0 = (k0 + 0x9E3779B9) & lower_half;
    k1 = (k1 + 0xBB67AE85) & lower_half;
  }
  for (std::size_t i = 0; i < side; ++i) {
    draws[2 * i] = c[1][i / 8][i % 8] << 32 | c[0][i / 8][i % 8];
    draws[2 * i + 1] = c[3][i / 8][i % 8] << 32 | c[2][i / 8][i % 8];
  }
}

void Random::fill(std::span<std::uint64_t> draws) {
  std::size_t i = 0;
  if (position_ % 2 == 1 && !draws.empty()) draws[i++] = next();  // the second half of a block
  for (; draws.size() - i >= 2 * side; i += 2 * side) {
    philox(key_, position_ / 2, draws.data() + i);
    set_position(position_ + 2 * side);
  }
  for (; i < draws.size(); ++i) draws[i] = next();
}

}  // namespace autograd
