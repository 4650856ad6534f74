// This file splits the gradients of all parameters into pieces of memory. One parallel loop can then visit all
// parameters. If each parameter had its own loop, threads would wait longer than they work.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/params.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd {

struct Piece {
  std::size_t parameter;    // the parameter's index in Params::all()
  std::size_t begin, size;  // elements of the parameter
  Real* gradient;           // the gradient of these elements; no other parameter shares it
};

// Returns the parts of the gradients that can differ from zero. For most parameters, these parts are the complete
// gradient. For an embedding table, they are the rows that were used, or all rows if `whole` is true. Pieces do not
// overlap, and are small enough for several threads. How the gradients are split depends only on the gradients, so
// results do not depend on the number of threads. Pieces point into the gradients, so do not change the gradients while
// you use them.
std::vector<Piece> gradient_pieces(const Params& params, bool whole = false);

// Assigns the pieces to threads, in order. Entry i of the result is the end of the pieces of thread i: the number of
// its last piece, plus 1. The pieces of thread i + 1 begin there. All threads get about the same number of elements. As
// long as the shapes stay the same, each thread gets the same elements, so its processor core finds them in its cache.
std::vector<std::size_t> ends_of_threads(const std::vector<Piece>& pieces);

// Calls work(i) for the number i of each piece. The function uses several threads if there is enough work.
template <class Work>
void for_each_piece(const std::vector<Piece>& pieces, const Work& work) {
  const std::vector<std::size_t> ends = ends_of_threads(pieces);
  parallel_for(0, ends.size(), ends.size() > 1, [&](std::size_t thread) {
    for (std::size_t i = thread > 0 ? ends[thread - 1] : 0; i < ends[thread]; ++i) work(i);
  });
}

}  // namespace softalign::autograd
