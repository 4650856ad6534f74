// The task of `reproduce dnc`: the model stores sequences of letters under keys. Later, a key asks for its sequence, in
// another order, while more sequences are stored.
//
//   read   k3 a f c   k1 d d b   ? k3 . . .   k7 e a f   ? k7 . . .   ? k1 . . .
//   say                               a f c                   e a f        d d b
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// The keys ask in random order, or in an order that keeps the first sequence until all others have been stored and
// answered.
enum class Asked { any_order, first_last };

// B texts of n sequences of m letters; the same seed gives the same texts. At most three sequences are stored at a
// time. All texts store and ask at the same steps. Keys, letters, and the choice of the next key differ between texts.
// A key occurs once in a text, so n is at most 24 (std::invalid_argument).
struct KeyedSequences {
  KeyedSequences(std::size_t n, std::size_t m, std::size_t B, std::uint64_t seed, Asked asked = Asked::any_order);

  std::size_t n, m, B;
  // (T*B), row t*B + b, T = n (2m + 3): the inputs, and the targets, which are -1 where there is none
  autograd::Ids words, said;
  autograd::Ids read_at;  // (T*B) the step at which the letter to be said was read, -1 likewise

  std::size_t steps() const { return n * (2 * m + 3); }  // T
  static std::size_t words_known();                      // V
  static bool is_letter(autograd::Id word);
};

inline constexpr std::size_t most_sequences = 24, stored_at_once = 3;

}  // namespace softalign::apps
