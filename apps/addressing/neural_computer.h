// The task of reproduce dnc: sequences of letters are stored under keys, and the keys ask for them in another order,
// while further sequences are stored.
//
//   read   k3 a f c   k1 d d b   ? k3 . . .   k7 e a f   ? k7 . . .   ? k1 . . .
//   say                               a f c                   e a f        d d b
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// In random order, or in an order that keeps the first sequence until all others have been stored and asked for.
enum class Asked { any_order, first_last };

// B texts of n sequences of m letters; the same seed draws the same. At most three sequences are stored at a time. The
// texts store and ask at the same steps; keys, letters, and which of the stored keys asks, are each text's own. A key
// occurs once in a text, so n is at most 24 (std::invalid_argument).
struct KeyedSequences {
  KeyedSequences(std::size_t n, std::size_t m, std::size_t B, std::uint64_t seed, Asked asked = Asked::any_order);

  std::size_t n, m, B;
  // (T*B), row t*B + b, T = n (2m + 3): what is read, and what is to be said, -1 as long as that is nothing
  autograd::Ids words, said;
  autograd::Ids read_at;  // (T*B) the step at which the letter to be said was read, -1 likewise

  std::size_t steps() const { return n * (2 * m + 3); }  // T
  static std::size_t words_known();                      // V
  static bool is_letter(autograd::Id word);
};

inline constexpr std::size_t most_sequences = 24, stored_at_once = 3;

}  // namespace softalign::apps
