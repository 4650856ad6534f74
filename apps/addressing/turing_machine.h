// The copy task of Graves, Wayne & Danihelka 2014, section 4.1, as numbers: letters, a mark, and then the same letters
// while nothing is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// B texts of n letters; the same seed draws the same.
struct CopyBatch {
  CopyBatch(std::size_t n, std::size_t B, std::uint64_t seed);

  std::size_t n, B;
  // (T*B), row t*B + b, T = 2n + 1: what is read, and what is to be said, -1 as long as that is nothing
  autograd::Ids words, said;

  static std::size_t words_known();  // V
};

}  // namespace softalign::apps
