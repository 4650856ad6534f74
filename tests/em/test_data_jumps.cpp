#include "data/alignment/em/jumps.h"

#include <algorithm>
#include <cmath>

#include "tests/catch.h"

using namespace softalign;
using namespace data;

// Vogel, Ney & Tillmann 1996.
TEST_CASE("counts of jumps give the next prior, no jump is impossible, and long jumps count as the longest") {
  JumpTotals totals;
  totals.add({{0, 1, 3}, {.75, .25}});  // two words have jumps of -1, 0 and 1
  totals.add({{0, 2, 0}, {1, 0}});
  JumpCounts far{std::vector<double>(2 * 70 - 1), std::vector<double>(70)};  // 70 words have jumps of -69 .. 69
  far.jumps.front() = 4;
  far.jumps.back() = 5;
  far.first.back() = 6;
  totals.add(far);
  const Jumps best = totals.best(.3);
  CHECK(best.p0 == .3);
  CHECK((best.at(-1) == .5 && best.at(0) == 3.5 && best.at(1) == 3.5));
  CHECK((best.at(-69) == 4.5 && best.at(-60) == 4.5 && best.at(60) == 5.5 && best.at(59) == .5));
  CHECK((best.s1[0] == 2.25 && best.s1[1] == .75 && best.s1[60] == 6.5));
  const Transitions p(best, 2);
  const std::vector<double> first = best.first(2);
  CHECK(p(0, 0) == Approx(.7 / 2));       // from the first word, jumps of 0 and 1 are possible
  CHECK(p(1, 0) == Approx(.7 * .5 / 4));  // from the second word, jumps of -1 and 0
  CHECK(p(0, 0) + p(0, 1) + p(1, 0) + p(1, 1) == Approx(2 * .7));
  CHECK(first[0] == Approx(.7 * 2.25 / 3));
}

TEST_CASE("transitions of a long sentence equal the full matrix, though memory has only a band of it") {
  Jumps jumps;
  jumps.at(-60) = 0.02, jumps.at(60) = 0.03, jumps.at(5) = 0.4;
  for (const size_t n : {1, 2, 61, 128, 129, 130, 257, 258, 300}) {
    INFO(n);
    const Transitions A(jumps, n);
    std::vector<double> x(n), y(n), forward, backward(n), counted(2 * n - 1);
    for (size_t j = 0; j < n; ++j) x[j] = 1 + std::sin(3. * j), y[j] = 1 + std::cos(2. * j);
    A.forward(x, forward);
    A.backward(x, backward.data());
    A.count(x.data(), y, counted);
    std::vector<double> far(121);
    JumpTotals totals;
    totals.add({counted, std::vector<double>(n)});
    for (size_t k = 0; k < n; ++k) {
      double all = 0, to = 0, from = 0;
      for (size_t j = 0; j < n; ++j) all += jumps.at(static_cast<long>(j) - static_cast<long>(k));
      for (size_t j = 0; j < n; ++j) {
        const long d = static_cast<long>(j) - static_cast<long>(k);
        REQUIRE(A(k, j) == Approx(.8 * jumps.at(d) / all));
        far[static_cast<size_t>(std::clamp(d, -60L, 60L) + 60)] += x[k] * A(k, j) * y[j];
        from += A(k, j) * x[j];
        to += A(j, k) * x[j];
      }
      REQUIRE(forward[k] == Approx(to));
      REQUIRE(backward[k] == Approx(from));
    }
    for (long d = -60; d <= 60; ++d)
      REQUIRE(totals.best(.2).at(d) - .5 == Approx(far[static_cast<size_t>(d + 60)]).margin(1e-9));
  }
}
