// This file generates the copy task of Graves, Wayne & Danihelka 2014, section 4.1. The model reads letters and a
// separator, and then writes the same letters. Each letter is a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autograd/array.h"

namespace softalign::apps {

// CopyBatch has B texts of n letters. The same seed gives the same texts.
struct CopyBatch {
  CopyBatch(std::size_t n, std::size_t B, std::uint64_t seed);

  std::size_t n, B;
  // Row t*B + b has step t of text b, for B texts. A text has T = 2n + 1 steps: the model reads n letters and a
  // separator, and then writes n letters. `words` are the inputs, and `said` are the targets. The target -1 means that
  // the model need not write anything at this step.
  autograd::Ids words, said;

  static std::size_t words_known();  // V
};

}  // namespace softalign::apps
