// Gradients are split into pieces, which the threads share.
#include "autograd/optimise/gradient_pieces.h"

#include <algorithm>

#include "autograd/threads/blas.h"
#include "autograd/threads/openmp.h"
#include "autograd/var.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("threads share gradient pieces by their number of elements, and each piece is visited once") {
  const int before = threads();
  set_threads(2);
  const auto threads_at_work = static_cast<std::size_t>(omp_get_max_threads());
  Params params{Random(1)};
  const Initialiser nothing = [](Array& w, Random&) { w.fill(0); };
  const Var table = params.declare("table", {1000, 8}, nothing), W = params.declare("W", {300, 1000}, nothing);
  Ids ids(1000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<Id>(i);
  add_row_grad(table, ids, Array({1000, 8}, 1));  // 1,000 small pieces; a few large ones follow
  W.add_grad(Array({300, 1000}, 1));

  const std::vector<Piece> pieces = gradient_pieces(params);
  std::size_t largest = 0;
  for (const Piece& piece : pieces) largest = std::max(largest, piece.size);
  std::vector<int> visits(pieces.size());
  std::vector<std::size_t> elements(threads_at_work);
  for_each_piece(pieces, [&](std::size_t i) {
    ++visits[i];
    elements[static_cast<std::size_t>(omp_get_thread_num())] += pieces[i].size;
  });
  CHECK(std::count(visits.begin(), visits.end(), 1) == std::ptrdiff_t(pieces.size()));
  for (const std::size_t of_thread : elements) {
    CHECK(of_thread + largest >= 308000 / threads_at_work);
    CHECK(of_thread <= 308000 / threads_at_work + largest);
  }
  set_threads(before);
}
