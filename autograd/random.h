// The class Random is the only source of random numbers. The random functions of standard libraries, such as
// std::shuffle, differ between vendors. The functions of Random do not, so the same seed gives the same bytes
// everywhere.
//
// Random implements the generator Philox4x32-10 of Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
// Its numbers come in blocks, and block i is a hash of the number i and a key. The state of a stream is therefore only
// a key and a position. A stream can be split into independent streams by name. For example, an additional parameter
// does not change the initial values of the other parameters.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace softalign::autograd {

using Indices = std::vector<std::size_t>;  // positions in a list, from 0, for example of the examples of a batch

// Fnv1a is the 64-bit hash FNV-1a of Fowler, Noll & Vo. It reads bytes or integers. The hash depends on their order.
struct Fnv1a {
  std::uint64_t value = 0xcbf29ce484222325;

  Fnv1a& add(std::uint64_t number) {
    value = (value ^ number) * 0x100000001b3;
    return *this;
  }
  Fnv1a& add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
    return *this;
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : key_(seed) {}

  // Returns a stream of random numbers that is independent of this one. It depends only on this stream's key and on the
  // name: the same name always gives the same stream.
  Random split(std::string_view name) const {
    const std::uint64_t hash = Fnv1a().add(name).value;
    const auto mixed = philox(key_, {low(hash), high(hash), 0x73706c69, 0x74000000});
    return Random(word(mixed[0], mixed[1]));
  }
  Random split(std::uint64_t index) const {
    return split(std::string_view(reinterpret_cast<const char*>(&index), sizeof index));
  }

  // Returns 64 uniform bits.
  std::uint64_t next() {
    if (position_ % 2 == 0 || !block_is_current_)
      block_ = philox(key_, {low(position_ / 2), high(position_ / 2), 0, 0});
    block_is_current_ = true;
    const std::size_t half = position_++ % 2 * 2;
    return word(block_[half], block_[half + 1]);
  }

  // Fills the span with the numbers that next() would return. With AVX-512, this is five times as fast as next().
  void fill(std::span<std::uint64_t> draws);

  // Returns a uniform number in [0, 1), with the 53 bits of a double.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Returns a uniform integer in 0 .. n-1. If next() returns a number below 2^64 mod n, the function draws again, so
  // that all results are equally likely.
  std::size_t below(std::size_t n) {
    if (n == 0) throw std::invalid_argument("Random::below: n is 0, there is nothing to choose from");
    const std::uint64_t excess = (0 - static_cast<std::uint64_t>(n)) % n;
    std::uint64_t draw = next();
    while (draw < excess) draw = next();
    return static_cast<std::size_t>(draw % n);
  }

  // Returns a random index of `weights`. The probability of an index is its weight divided by the sum of the weights.
  // An index with a weight of 0 or less is never chosen. Because of rounding, the search may find no index. The result
  // is then the last index with a positive weight. Returns 0 if no weight is positive.
  std::size_t choose(std::span<const double> weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight > 0 ? weight : 0;
    double left = uniform() * sum;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] > 0)) continue;
      chosen = i;
      if ((left -= weights[i]) < 0) break;
    }
    return chosen;
  }

  // Returns a sample of the normal distribution N(0, 1), by the method of Box & Muller 1958.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  // Shuffles the items by the method of Fisher and Yates. Every order is equally likely.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // Returns one item. All items are equally likely.
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }

  // Returns n items from different positions of `items`, in random order.
  template <class T>
  std::vector<T> some_of(std::vector<T> items, std::size_t n) {
    if (n > items.size()) throw std::invalid_argument("Random::some_of: more items are wanted than there are");
    shuffle(items);
    items.resize(n);
    return items;
  }

  // Returns n different numbers of 0 .. most-1, in random order.
  Indices different(std::size_t n, std::size_t most) {
    Indices all(most);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return some_of(std::move(all), n);
  }

  // Returns the number of random numbers that the stream has produced. If you pass this number to set_position(), the
  // stream goes on from here.
  std::uint64_t position() const { return position_; }
  void set_position(std::uint64_t position) {
    position_ = position;
    block_is_current_ = false;
  }

 private:
  using Block = std::array<std::uint32_t, 4>;
  static constexpr std::uint64_t lower_half = 0xffffffff;
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
  static std::uint64_t word(std::uint32_t l, std::uint32_t h) { return static_cast<std::uint64_t>(h) << 32 | l; }

  // Replaces c, the number of a block, by the four words of this block, which depend on the key. Each word is stored in
  // 64 bits, so that the product of two words fits. If Word is a vector type, the function computes many blocks at
  // once.
  template <class Word>
  static void hash(std::uint64_t key, Word (&c)[4]) {
    Word k0 = Word{} + (key & lower_half), k1 = Word{} + (key >> 32);
    for (int round = 0; round < 10; ++round) {
      const Word p0 = c[0] * 0xD2511F53, p1 = c[2] * 0xCD9E8D57;
      c[0] = (p1 >> 32) ^ c[1] ^ k0;
      c[1] = p1 & lower_half;
      c[2] = (p0 >> 32) ^ c[3] ^ k1;
      c[3] = p0 & lower_half;
      k0 = (k0 + 0x9E3779B9) & lower_half;
      k1 = (k1 + 0xBB67AE85) & lower_half;
    }
  }
  static Block philox(std::uint64_t key, const Block& block) {
    std::uint64_t c[] = {block[0], block[1], block[2], block[3]};
    hash(key, c);
    return {low(c[0]), low(c[1]), low(c[2]), low(c[3])};
  }
  static constexpr std::size_t side = 8;  // blocks that are hashed side by side
  static void philox(std::uint64_t key, std::uint64_t first, std::uint64_t* draws);  // blocks first .. first + side - 1

  std::uint64_t key_, position_ = 0;
  Block block_{};  // the last block, which has two draws
  bool block_is_current_ = false;
};

}  // namespace softalign::autograd
