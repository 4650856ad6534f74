// Which places of a padded batch hold words.
#pragma once

#include <algorithm>

#include "layers/types.h"

namespace softalign::layers {

// 1 where sentence b has a word at step t, else 0: (S, B, 1)
inline Array word_mask(std::size_t S, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  Array m = autograd::zeros({S, B, 1});
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < std::min(S, lengths[b]); ++t) m[t * B + b] = 1;
  return m;
}

}  // namespace softalign::layers
