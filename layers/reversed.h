// Texts of a padded batch from their last word to their first.
#pragma once

#include <vector>

#include "autograd/array.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

// For each row t*B + b of S steps the row of what comes there when the first lengths[b] steps of text b are turned
// round and the others stay; its own inverse.
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
