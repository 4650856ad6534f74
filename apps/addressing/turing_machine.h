// The copy task of Graves, Wayne & Danihelka 2014, section 4.1, as numbers: the model reads letters and a separator,
// and then writes the same letters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// B texts of n letters; the same seed gives the same texts.
struct CopyBatch {
  CopyBatch(std::size_t n, std::size_t B, std::uint64_t seed);

  std::size_t n, B;
  // (T*B), row t*B + b, T = 2n + 1: the inputs, and the targets, which are -1 where there is none
  autograd::Ids words, said;

  static std::size_t words_known();  // V
};

}  // namespace softalign::apps
