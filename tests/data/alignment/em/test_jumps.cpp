#include "data/alignment/em/jumps.h"

#include <numeric>

#include "tests/catch.h"

using namespace data;

// Vogel, Ney & Tillmann 1996.
TEST_CASE(
    "what was counted of jumps is what the next round expects, none is impossible, long ones count as the longest") {
  JumpTotals totals;
  totals.add({{0, 1, 3}, {.75, .25}});  // two words: jumps of -1, 0 and 1
  totals.add({{0, 2, 0}, {1, 0}});
  JumpCounts far{std::vector<double>(2 * 70 - 1), std::vector<double>(70)};  // of 70 words: -69 .. 69
  far.jumps.front() = 4;
  far.jumps.back() = 5;
  far.first.back() = 6;
  totals.add(far);
  const Jumps best = totals.best(.3);
  CHECK(best.p0 == .3);
  CHECK((best.at(-1) == .5 && best.at(0) == 3.5 && best.at(1) == 3.5));
  CHECK((best.at(-69) == 4.5 && best.at(-60) == 4.5 && best.at(60) == 5.5 && best.at(59) == .5));
  CHECK((best.s1[0] == 2.25 && best.s1[1] == .75 && best.s1[60] == 6.5));
  const std::vector<double> p = best.transitions(2), first = best.first(2);
  CHECK(p[0] == Approx(.7 / 2));       // from the first word: 0 and 1
  CHECK(p[2] == Approx(.7 * .5 / 4));  // from the second: -1 and 0
  CHECK(std::accumulate(p.begin(), p.end(), 0.0) == Approx(2 * .7));
  CHECK(first[0] == Approx(.7 * 2.25 / 3));
}
