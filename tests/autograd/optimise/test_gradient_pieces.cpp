// Gradients in pieces, and how threads share them.
#include "autograd/optimise/gradient_pieces.h"

#include <algorithm>

#include "autograd/leaf_gradients.h"
#include "autograd/linalg/blas.h"
#include "tests/catch.h"

using namespace autograd;

TEST_CASE("threads share pieces by their elements, not by their number, and each of them once") {
  const int before = threads();
  set_threads(3);
  Params params{Random(1)};
  const Initialiser nothing = [](Array& w, Random&) { w.fill(0); };
  const Var table = params.declare("table", {1000, 8}, nothing), W = params.declare("W", {300, 1000}, nothing);
  Ids ids(1000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<Id>(i);
  add_row_grad(table, ids, Array({1000, 8}, 1));  // 1,000 small pieces, then a few large ones
  W.add_grad(Array({300, 1000}, 1));

  const std::vector<Piece> pieces = gradient_pieces(params);
  const std::vector<std::size_t> ends = ends_of_threads(pieces);
  REQUIRE(ends.size() == 3);
  CHECK(std::is_sorted(ends.begin(), ends.end()));
  CHECK(ends.back() == pieces.size());
  std::size_t largest = 0;
  for (const Piece& piece : pieces) largest = std::max(largest, piece.size);
  for (std::size_t thread = 0; thread < 3; ++thread) {
    std::size_t elements = 0;
    for (std::size_t i = thread > 0 ? ends[thread - 1] : 0; i < ends[thread]; ++i) elements += pieces[i].size;
    CHECK(elements + largest >= 308000 / 3);
    CHECK(elements <= 308000 / 3 + largest);
  }
  std::vector<int> visits(pieces.size());
  for_each_piece(pieces, [&](std::size_t i) { ++visits[i]; });
  CHECK(std::count(visits.begin(), visits.end(), 1) == std::ptrdiff_t(pieces.size()));
  set_threads(before);
}
