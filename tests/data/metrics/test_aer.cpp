#include "data/metrics/aer.h"

#include "tests/catch.h"

using namespace softalign;
using namespace data;

// Och & Ney 2003, section 5.
TEST_CASE("AER by hand: it follows Och and Ney's formula with sure and possible links") {
  AlignmentScore score;
  score.add({{0, 0}, {1, 1}, {2, 2}}, {{{0, 0}, {1, 2}}, {{1, 1}}});  // A = 3, S = 2, |A n S| = 1, |A n P| = 2
  CHECK(score.aer() == Approx(1 - (1 + 2) / 5.0));
  CHECK(score.precision() == Approx(2 / 3.0));
  CHECK(score.recall() == Approx(1 / 2.0));
}

TEST_CASE("AER is pooled over the corpus, not averaged over sentences") {
  AlignmentScore score;
  score.add({{0, 0}}, {{{0, 0}}, {}});                                  // this pair's own AER is 0
  score.add({{0, 0}, {1, 1}, {2, 2}}, {{{0, 1}, {1, 2}, {2, 0}}, {}});  // this pair's own AER is 1
  CHECK(score.aer() == Approx(1 - 2 / 8.0));
}

TEST_CASE("AER: possible links are optional, duplicates count once, and empty input has no error") {
  AlignmentScore perfect;
  perfect.add({{0, 0}, {0, 0}}, {{{0, 0}}, {{1, 1}}});
  CHECK(perfect.aer() == 0);
  CHECK(perfect.found == 1);
  CHECK(AlignmentScore{}.aer() == 0);
  AlignmentScore silent;
  silent.add({}, {{{0, 0}}, {}});
  CHECK(silent.aer() == 1);
  CHECK(silent.precision() == 1);
  CHECK(silent.recall() == 0);
}

TEST_CASE("links of fixed expressions are links to words with possible links only") {
  const Gold gold{{{0, 0}, {1, 2}}, {{0, 1}, {3, 2}}};
  CHECK(outside_fixed_expressions({{0, 0}, {5, 1}, {3, 2}, {4, 3}}, gold) == Links{{0, 0}, {3, 2}, {4, 3}});
}
