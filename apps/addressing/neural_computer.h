// This file generates the texts of `reproduce dnc`, which tests a differentiable neural computer. The model reads
// sequences of letters, each after a key (k3, k1, ..), and stores them. Later, a "?" and a key ask for the sequence of
// that key, and the model writes its letters. Between two questions, the model stores further sequences.
//
//   read    k3 a f c   k1 d d b   ? k3 . . .   k7 e a f   ? k7 . . .   ? k1 . . .
//   write                              a f c                   e a f        d d b
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// Asked says in which order a text asks for its keys. With `any_order`, the order is random. With `first_last`, the key
// of the first sequence comes last, after the questions about all other sequences.
enum class Asked { any_order, first_last };

// KeyedSequences has B texts with n sequences of m letters each. The same seed gives the same texts. At most three
// sequences are stored at a time. In all texts, sequences and questions come at the same steps. The texts differ in
// their keys, in their letters and in the order in which they ask for the keys. Each sequence of a text has its own
// key. The constructor throws std::invalid_argument if n is above 24.
struct KeyedSequences {
  KeyedSequences(std::size_t n, std::size_t m, std::size_t B, std::uint64_t seed, Asked asked = Asked::any_order);

  std::size_t n, m, B;
  // `words` are the inputs of the model, and `said` are the targets. Row t*B + b of both belongs to step t of text b,
  // for B texts and T = n (2m + 3) steps. The model reads each of the n sequences of m letters in m + 1 steps, and
  // answers each question in m + 2 steps. The target -1 means that the model need not write anything at this step.
  autograd::Ids words, said;
  autograd::Ids read_at;  // (T*B) the step at which the model read the target letter, or -1 without a target

  std::size_t steps() const { return n * (2 * m + 3); }  // T
  static std::size_t words_known();                      // V
  static bool is_letter(autograd::Id word);
};

inline constexpr std::size_t most_sequences = 24, stored_at_once = 3;

}  // namespace softalign::apps
