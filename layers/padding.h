// Padded batches: which steps are words, and texts read from their last word to their first.
#pragma once

#include <algorithm>
#include <vector>

#include "autograd/array.h"
#include "autograd/ops/shape.h"
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

// Reverses the first lengths[b] steps of each text b and leaves the others in place. Row t*B + b of the result is the
// number of the row that moves to step t of text b. The permutation is its own inverse.
inline Ids reversed_rows(std::size_t S, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  Ids rows = autograd::all_rows(S * B);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < lengths[b]; ++t) rows[t * B + b] = static_cast<Id>((lengths[b] - 1 - t) * B + b);
  return rows;
}

// x (S, B, K) with row rows[t*B + b] at t*B + b
inline Var reordered(const Var& x, const Ids& rows) {
  return reshape(gather(reshape(x, {x.dim(0) * x.dim(1), x.dim(2)}), rows), x.shape());
}

}  // namespace softalign::layers
