// Gradients as pieces of memory: one walk over all parameters, dense and row-sparse, in one parallel loop. A loop for
// each parameter would cost more in waiting for threads than in work.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/params.h"
#include "autograd/storage/parallel_for.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct Piece {
  std::size_t parameter;    // its place in Params::all()
  std::size_t begin, size;  // elements of the parameter
  Real* gradient;           // theirs, owned by this parameter alone
};

// Everything in the gradients that may not be zero: all of a dense one, the touched rows of a row-sparse one (all rows
// if `whole`). Pieces do not overlap and are small enough to share among threads; how they are cut depends on the
// gradients alone, so that results do not depend on the number of threads. They point into the gradients, which must
// stay as they are while pieces are in use.
std::vector<Piece> gradient_pieces(const Params& params, bool whole = false);

// work(piece) for each piece, on several threads if there is enough to do.
template <class Work>
void for_each_piece(const std::vector<Piece>& pieces, const Work& work) {
  constexpr std::size_t worth_threads = 65536;  // elements
  std::size_t elements = 0;
  for (const Piece& piece : pieces) elements += piece.size;
  parallel_for(0, pieces.size(), elements >= worth_threads, [&](std::size_t i) { work(i); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
