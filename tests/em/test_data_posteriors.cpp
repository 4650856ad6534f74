// The posterior probabilities of alignments, on examples worked by hand. em_reference.py enumerates longer ones.
#include "data/alignment/em/posteriors.h"

#include <cmath>

#include "tests/catch.h"

using namespace softalign;
using namespace data;

// Dyer, Chahuneau & Smith 2013.
TEST_CASE("posteriors of the diagonal equal a calculation by hand") {
  // There are one target word and two source words: i/m = 1, j/n = 1/2 and 1. With lambda = 2 ln 2 the weights are 1/2
  // and 1.
  // delta = 1/4, (3/4)(1/3) = 1/4, (3/4)(2/3) = 1/2; times t = .2 .4 .1: .05 .1 .05, together .2
  const Posteriors found = posteriors(diagonal_prior({.lambda = 2 * std::log(2), .p0 = .25}, 1, 2), {.2, .4, .1}, 1, 2);
  CHECK(found.p[0] == Approx(.25));
  CHECK(found.p[1] == Approx(.5));
  CHECK(found.p[2] == Approx(.25));
  CHECK(found.log_likelihood == Approx(std::log(.2)));
}

// Vogel, Ney & Tillmann 1996.
TEST_CASE("posteriors of jumps equal a calculation by hand") {
  // Both sides have two words. The first jump is uniform. Later jumps go one ahead or, half as often, stay; none goes
  // back.
  //   p(a_1) = .4 .4, empty .2;  from 1: stays (.8)(1/3), goes on (.8)(2/3), empty .2;  from 2: stays .8, empty .2
  Jumps jumps;
  jumps.p0 = .2;
  for (double& s : jumps.s) s = 0;
  jumps.at(0) = 1;
  jumps.at(1) = 2;
  for (double& s : jumps.s1) s = 1;
  // The empty word has t = 0, so four alignments remain. One of them, 2 1, is a jump back and impossible.
  //   1 1   .4 * .5 * (.8/3) * .1      = .0053333
  //   1 2   .4 * .5 * (1.6/3) * .6     = .064
  //   2 2   .4 * .1 * .8 * .6          = .0192
  const std::vector<double> t = {0, .5, .1, 0, .1, .6};
  const double a = .4 * .5 * .8 / 3 * .1, b = .064, c = .0192, all = a + b + c;
  const Posteriors found = posteriors(Transitions(jumps, 2), t, 2);
  CHECK(found.log_likelihood == Approx(std::log(all)));
  CHECK(found.p[1] == Approx((a + b) / all));
  CHECK(found.p[2] == Approx(c / all));
  CHECK(found.p[4] == Approx(a / all));
  CHECK(found.p[5] == Approx((b + c) / all));
  CHECK(found.jumps.jumps[0] == 0);
  CHECK(found.jumps.jumps[1] == Approx((a + c) / all));
  CHECK(found.jumps.jumps[2] == Approx(b / all));
  CHECK(found.jumps.first[0] == Approx((a + b) / all));
}

// Och & Ney 2003.
TEST_CASE("the empty word keeps the source position of the previous word") {
  // There is one source word. Each target word is linked to it with .8 and to the empty word with .2.
  Jumps jumps;
  jumps.p0 = .2;
  const Posteriors found = posteriors(Transitions(jumps, 1), {.1, .5, .4, .1}, 2);
  CHECK(found.log_likelihood == Approx(std::log(.2 * .1 + .8 * .5) + std::log(.2 * .4 + .8 * .1)));
  CHECK(found.p[0] == Approx(.02 / .42));
  CHECK(found.p[2] == Approx(.5));
}
