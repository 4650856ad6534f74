#include "data/metrics/attention_accuracy.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

namespace {

const std::vector<std::vector<float>> weights{{.6f, .3f, .1f}, {.2f, .3f, .5f}, {.4f, .4f, .2f}, {0, 0, 1}};

AttentionAccuracy score(const Gold& gold, size_t shift = 0) {
  AttentionAccuracy s;
  s.add(weights, gold, shift);
  return s;
}

}  // namespace

TEST_CASE("attention accuracy counts words whose largest weight is on gold, and sums the weight on gold") {
  // Word 0 has gold positions 0 and 1, word 1 position 1.
  const AttentionAccuracy s = score({{{1, 1}}, {{0, 0}, {1, 0}}});
  CHECK(s.words == 2);
  CHECK(s.hits == 1);
  CHECK(s.mass == Approx(.9 + .3));
  CHECK(s.accuracy() == Approx(.5));
  CHECK(s.mass_in_gold() == Approx(.6));
}

TEST_CASE("a position that is sure and possible counts once, and the first of equal weights is the largest") {
  const AttentionAccuracy both = score({{{0, 2}}, {{0, 2}}});
  CHECK((both.words == 1 && both.hits == 1));
  CHECK(both.mass == Approx(.4));
  CHECK(score({{{1, 2}}, {}}).hits == 0);
}

TEST_CASE("attention accuracy is pooled over words, not averaged over sentences") {
  AttentionAccuracy s = score({{}, {{0, 0}, {2, 1}, {0, 2}}});  // three hits
  s.add(weights, {{{1, 0}}, {}});                               // one miss
  CHECK((s.words == 4 && s.hits == 3));
  CHECK(s.accuracy() == Approx(.75));
}

TEST_CASE("at shift 1 a row belongs to the read word, and a word without a row is left out") {
  const AttentionAccuracy s = score({{{2, 0}, {2, 2}, {0, 3}}, {}}, 1);  // rows 1 and 3; word 3 would need row 4
  CHECK((s.words == 2 && s.hits == 2));
  CHECK(s.mass == Approx(1.5));
}

TEST_CASE("without gold no word is counted, and gold outside a row is refused") {
  const AttentionAccuracy s = score({});
  CHECK((s.words == 0 && s.accuracy() == 0 && s.mass_in_gold() == 0));
  CHECK(has(misuse([] { score({{{3, 0}}, {}}); }), "gold has place 3 for word 0, whose row has 3 weights"));
}

TEST_CASE("attention accuracy within one cell: eight neighbours of gold count as near, and rows of cells do not wrap") {
  // The grid has two rows of three cells. The largest weights are in cells 4, 2, 3 and 0.
  const std::vector<std::vector<float>> looks{
      {0, 0, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {1, 0, 0, 0, 0, 0}};
  AttentionAccuracy s;
  s.add(looks, {{}, {{0, 0}, {5, 1}, {2, 2}, {2, 3}, {5, 3}}}, 0,
        // The gold cells of the four words are at a corner, at a side, across a row's end, and two columns apart.
        3);
  CHECK((s.words == 4 && s.hits == 0));
  CHECK((s.on_grid == 4 && s.near == 2));
  CHECK(s.accuracy_within_one_cell() == Approx(.5));
  s.add(looks, {{{4, 0}}, {}});  // this sentence has no grid
  CHECK((s.words == 5 && s.hits == 1 && s.on_grid == 4));
}
