// This file splits gradients into pieces of memory, so that one parallel loop visits all parameters, dense and
// row-sparse. With one loop per parameter, threads would wait longer than they work.
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

// Returns all parts of the gradients that may not be zero: a dense gradient completely, and the touched rows of a
// row-sparse one (all rows if `whole`). Pieces do not overlap and are small enough for several threads. Their sizes
// depend only on the gradients, so results do not depend on the number of threads. Pieces point into the gradients, so
// do not change the gradients while you use them.
std::vector<Piece> gradient_pieces(const Params& params, bool whole = false);

// Returns the end of each thread's pieces. All threads have about the same number of elements. A thread keeps the same
// elements while the shapes stay the same, so they stay in the cache of its core.
std::vector<std::size_t> ends_of_threads(const std::vector<Piece>& pieces);

// Calls work(piece) for each piece. It uses several threads if there is enough to do.
template <class Work>
void for_each_piece(const std::vector<Piece>& pieces, const Work& work) {
  const std::vector<std::size_t> ends = ends_of_threads(pieces);
  parallel_for(0, ends.size(), ends.size() > 1, [&](std::size_t thread) {
    for (std::size_t i = thread > 0 ? ends[thread - 1] : 0; i < ends[thread]; ++i) work(i);
  });
}

}  // namespace softalign::autograd
