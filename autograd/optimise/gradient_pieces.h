// Gradients as pieces of memory: one walk over all parameters, dense and row-sparse, in one parallel loop. A loop for
// each parameter would cost more in waiting for threads than in work.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/params.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd {

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

// Where the pieces of each thread end: every thread has about as many elements, always the same ones for as long as the
// gradients have the same shapes, so that they stay in its core's cache.
std::vector<std::size_t> ends_of_threads(const std::vector<Piece>& pieces);

// work(piece) for each piece, on several threads if there is enough to do.
template <class Work>
void for_each_piece(const std::vector<Piece>& pieces, const Work& work) {
  const std::vector<std::size_t> ends = ends_of_threads(pieces);
  parallel_for(0, ends.size(), ends.size() > 1, [&](std::size_t thread) {
    for (std::size_t i = thread > 0 ? ends[thread - 1] : 0; i < ends[thread]; ++i) work(i);
  });
}

}  // namespace softalign::autograd
