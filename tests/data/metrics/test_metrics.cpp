// Compares BLEU and chrF with counts by hand. test_against_python.cpp compares them with scorers written from the
// definitions.
#include <cmath>

#include "data/metrics/bleu.h"
#include "data/metrics/chrf.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;

namespace {

struct Segment {
  std::string hypothesis;
  std::vector<std::string> references;
};

Bleu bleu_of(const std::vector<Segment>& segments) {
  Bleu bleu;
  for (const Segment& s : segments) {
    std::vector<Tokens> references;
    for (const std::string& text : s.references) references.push_back(split_words(text));
    bleu.add(split_words(s.hypothesis), references);
  }
  return bleu;
}

Chrf chrf_of(const std::vector<Segment>& segments) {
  Chrf chrf;
  for (const Segment& s : segments) chrf.add(s.hypothesis, s.references);
  return chrf;
}

}  // namespace

TEST_CASE("BLEU equals a calculation by hand") {
  // Papineni et al. 2002, example 2: a word counts at most as often as it occurs in one reference.
  const Bleu clipped =
      bleu_of({{"the the the the the the the", {"the cat is on the mat", "there is a cat on the mat"}}});
  CHECK(clipped.matches[0] == 2);
  CHECK(clipped.total[0] == 7);
  // 5 of 6 words, 3 of 5 pairs, 2 of 4 triples and 1 of 3 quadruples match. The lengths are equal.
  const Bleu one = bleu_of({{"a b c d x f", {"a b c d e f"}}});
  CHECK(one.score() == Approx(100 * std::pow(5 / 6.0 * 3 / 5 * 2 / 4 * 1 / 3, .25)));
  CHECK(bleu_of({{"a b c d", {"a b c d e"}}}).brevity_penalty() == Approx(std::exp(1 - 5 / 4.0)));
  CHECK(bleu_of({{"a b c d", {"a b c d"}}}).score() == Approx(100));
  CHECK(bleu_of({{"a b c", {"a b c"}}}).score() == 0);  // there is no 4-gram, and BLEU still uses order 4
  CHECK(bleu_of({{"a b c d", {"w x y z"}}}).score() == 0);
}

TEST_CASE("BLEU smooths orders without a match by halves and takes the closest reference, the shorter of two") {
  const auto p = bleu_of({{"a b x c d y", {"a b z c d w"}}}).precisions();  // no triple or quadruple matches
  CHECK(p[2] == Approx(100 * .5 / 4));
  CHECK(p[3] == Approx(100 * .25 / 3));
  CHECK(bleu_of({{"a b c", {"a b c d", "a b", "a b c d e"}}}).wanted == 2);
}

TEST_CASE("chrF equals a calculation by hand") {
  CHECK(chrf_of({{"abc def", {"ab cd ef"}}}).score() == Approx(100));  // spaces do not count
  // Characters: 1 of 2 match on both sides. Pairs: 0 of 1. There is nothing longer. P = R = (1/2 + 0) / 2.
  CHECK(chrf_of({{"ab", {"ac"}}}).score() == Approx(25));
  // The hypothesis is longer than the reference. Orders 3-6 have no reference and do not count. P = (2/8 + 1/7) / 2, R
  // = 1.
  const double precision = (2 / 8.0 + 1 / 7.0) / 2;
  CHECK(chrf_of({{"abcdefgh", {"ab"}}}).score() == Approx(100 * 5 * precision / (4 * precision + 1)));
  CHECK(chrf_of({{"é", {"e"}}}).score() == 0);
  CHECK(chrf_of({{"abc", {"xyz", "abc"}}}).score() == Approx(100));
  CHECK(chrf_of({{"abc", {"abc", "xyz"}}}).score() == Approx(100));
}

TEST_CASE("a metric without a reference is misuse") {
  CHECK(testing::has(testing::misuse([] { bleu_of({{"a", {}}}); }), "no reference"));
  CHECK(testing::has(testing::misuse([] { chrf_of({{"a", {}}}); }), "no reference"));
}
