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
  // For B texts, entry t*B + b of `words` and of `said` belongs to step t of text b. `words` has the inputs, and `said`
  // has the targets. A text has T = 2n + 1 steps. The model first reads n letters and a separator, and the target of
  // these steps is -1, which means no target. Then the model writes the n letters again. At these steps, its input is a
  // filler word.
  autograd::Ids words, said;

  static std::size_t words_known();  // V
};

}  // namespace softalign::apps
