// Seeded random numbers for the data room: corpora, shuffles, batches. The standard library's engines are fixed by
// the standard but its distributions and std::shuffle are not, so the same seed would give other bytes elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace data {

// xoshiro256** (Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators"), its state filled by
// splitmix64, as its authors advise: any seed, 0 included, gives a good state.
class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  // 64 uniform bits.
  uint64_t next() {
    const uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1): the 53 bits that a double holds.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in 0 .. n-1. Draws above the largest multiple of n are thrown away, so that no value is favoured.
  size_t below(size_t n) {
    if (n == 0) throw std::invalid_argument("Random::below: n is 0, there is nothing to choose from");
    const uint64_t excess = (0 - static_cast<uint64_t>(n)) % n;  // 2^64 mod n
    uint64_t draw = next();
    while (draw < excess) draw = next();
    return static_cast<size_t>(draw % n);
  }

  // Fisher-Yates: every order equally likely.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t state_[4];
};

}  // namespace data
