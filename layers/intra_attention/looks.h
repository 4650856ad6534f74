// Where the words of texts looked back, as matrices.
#pragma once

#include <vector>

#include "layers/types.h"

namespace softalign::layers {

// `weights`: of each word but the first on those read before it, (B, t-1), in the order of reading, in which the word
// of row t*B + b stands in row rows[t*B + b] of the texts (layers/reversed.h).
//   (S*B, 1, S): row i*B + b says where word i of text b looked; all 0 of the word that is read first
inline Var looks(const std::vector<Var>& weights, const Ids& rows, std::size_t B) {
  const std::size_t S = weights.size() + 1;
  const auto place = [&](std::size_t t, std::size_t b) { return static_cast<std::size_t>(rows[t * B + b]); };
  Array matrix = autograd::zeros({S * B, 1, S});
  for (std::size_t t = 1; t < S; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t i = 0; i < t; ++i) matrix[place(t, b) * S + place(i, b) / B] = weights[t - 1].value()[b * t + i];
  return autograd::constant(matrix);
}

}  // namespace softalign::layers
