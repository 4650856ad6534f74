// Gradients as pieces of memory: one walk over all parameters, dense and row-sparse, in one parallel loop. A loop for
// each parameter would cost more in waiting for threads than in work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "autograd/params.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct Piece {
  std::size_t parameter;    // its place in Params::all()
  std::size_t begin, size;  // elements
};

// Everything in the gradients that may not be zero: all of a dense one, the touched rows of a row-sparse one (all rows
// if `whole`). Pieces do not overlap and are small enough to share among threads; how they are cut depends on the
// gradients alone, so that results do not depend on the number of threads.
inline std::vector<Piece> gradient_pieces(const Params& params, bool whole = false) {
  constexpr std::size_t largest = 16384;
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p < params.all().size(); ++p) {
    const Var& x = params.all()[p].var;
    if (!x.grad().defined()) continue;
    const auto cut = [&](std::size_t begin, std::size_t size) {
      for (std::size_t i = 0; i < size; i += largest) pieces.push_back({p, begin + i, std::min(largest, size - i)});
    };
    const std::size_t size = x.grad().size();
    if (whole || !x.grad_is_sparse()) {
      cut(0, size);
    } else {
      const std::size_t width = size / std::max<std::size_t>(x.dim(0), 1);
      for (Id row : x.touched_rows()) cut(static_cast<std::size_t>(row) * width, width);
    }
  }
  return pieces;
}

// work(i) for each piece, on several threads if there is enough to do.
template <class Work>
void for_each_piece(const std::vector<Piece>& pieces, const Work& work) {
  constexpr std::size_t worth_threads = 65536;  // elements
  std::size_t elements = 0;
  for (const Piece& piece : pieces) elements += piece.size;
#pragma omp parallel for schedule(static) if (elements >= worth_threads)
  for (std::size_t i = 0; i < pieces.size(); ++i) work(i);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
