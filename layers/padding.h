// A batch has B texts of different lengths, and padding fills each text up to S steps. The functions in this file mark
// the steps that are words, and reverse the words of each text (docs/notation.md).
#pragma once

#include <algorithm>
#include <vector>

#include "autograd/array.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

// Returns a mask (S, B, 1). Element (t, b) is 1 if text b has a word at step t, and 0 if the step is padding.
inline Array word_mask(std::size_t S, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  Array m = autograd::zeros({S, B, 1});
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < std::min(S, lengths[b]); ++t) m[t * B + b] = 1;
  return m;
}

// Returns row numbers that reverse the first lengths[b] steps of each text b and leave the padding in place. Entry t*B
// + b of the result is the number of the row that moves to step t of text b. Applying these row numbers twice restores
// the original order.
inline Ids reversed_rows(std::size_t S, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  Ids rows = autograd::all_rows(S * B);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < lengths[b]; ++t) rows[t * B + b] = static_cast<Id>((lengths[b] - 1 - t) * B + b);
  return rows;
}

// Returns x (S, B, K) with its rows in another order: row t*B + b of the result is row rows[t*B + b] of x.
inline Var reordered(const Var& x, const Ids& rows) {
  return reshape(gather(reshape(x, {x.dim(0) * x.dim(1), x.dim(2)}), rows), x.shape());
}

}  // namespace softalign::layers
