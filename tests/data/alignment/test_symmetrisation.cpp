// Symmetrisation joins the links of two directions into one set (Koehn, Och & Marcu 2003).
#include "data/alignment/symmetrisation.h"
#include "data/corpus/pharaoh.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

namespace {

Links links(const std::string& text) { return parse_gold(text, 100, 100, "test").sure; }

std::string joined(const std::string& rule, const std::string& forward, const std::string& backward) {
  return format_links(
      symmetrise(autograd::value_named<JointRuleKind>(rule).value(), links(forward), links(backward), 10, 10));
}

}  // namespace

// "maria no dio una bofetada a la bruja verde" / "mary did not slap the green witch" is the example of Koehn's lectures
// and of "Statistical Machine Translation", chapter 4. Spanish is the source.
TEST_CASE("each rule gives the textbook's links for its sentence") {
  const std::string spanish_to_english = "0-0 1-2 2-3 4-3 6-4 8-5 7-6";
  const std::string english_to_spanish = "0-0 1-1 1-2 4-3 6-4 8-5 7-6";
  CHECK(joined("intersection", spanish_to_english, english_to_spanish) == "0-0 1-2 4-3 6-4 7-6 8-5");
  CHECK(joined("union", spanish_to_english, english_to_spanish) == "0-0 1-1 1-2 2-3 4-3 6-4 7-6 8-5");
  // 1-1 is next to 1-2, and "did" has no link. 2-3 is next to 1-2, and "dio" has no link.
  CHECK(joined("grow-diag-final-and", spanish_to_english, english_to_spanish) == "0-0 1-1 1-2 2-3 4-3 6-4 7-6 8-5");
}

TEST_CASE("grow-diag takes adjacent links with a free word, diagonal ones too, and continues from them") {
  CHECK(joined("grow-diag-final-and", "0-0 1-1", "0-0 2-2") == "0-0 1-1 2-2");  // 2-2 is next to 1-1 only
  CHECK(joined("grow-diag-final-and", "0-0 1-1 0-1", "0-0 1-1") == "0-0 1-1");  // both words of 0-1 have links already
  CHECK(joined("grow-diag-final-and", "1-1 0-0 2-1", "1-1") == "0-0 1-1 2-1");  // one word without a link is enough
  CHECK(joined("grow-diag-final-and", "5-5 4-4 3-3", "5-5") == "3-3 4-4 5-5");  // links grow towards the beginning, too
}

TEST_CASE("grow-diag takes each of the four diagonal neighbours with one free word") {
  CHECK(joined("grow-diag-final-and", "0-0 1-1 2-0", "0-0 1-1") == "0-0 1-1 2-0");
  CHECK(joined("grow-diag-final-and", "0-0 1-1 0-2", "0-0 1-1") == "0-0 0-2 1-1");
  CHECK(joined("grow-diag-final-and", "1-1 5-2 2-2", "1-1 5-2") == "1-1 2-2 5-2");
  CHECK(joined("grow-diag-final-and", "4-4 0-3 3-3", "4-4 0-3") == "0-3 3-3 4-4");
}

TEST_CASE("final-and takes distant links whose two words are free, forward ones first") {
  CHECK(joined("grow-diag-final-and", "0-0 5-7", "0-0") == "0-0 5-7");
  CHECK(joined("grow-diag-final-and", "0-0", "0-0 5-7") == "0-0 5-7");
  CHECK(joined("grow-diag-final-and", "0-0 5-7", "0-0 5-9 8-7") == "0-0 5-7");
  CHECK(joined("grow-diag-final-and", "0-0 0-7", "0-0") == "0-0");  // word 0 is linked already
}

TEST_CASE("symmetrisation accepts empty links and a single side, and refuses invalid input") {
  for (const std::string& rule : rules_of_links()) CHECK(joined(rule, "", "").empty());
  CHECK(joined("union", "1-0", "") == "1-0");
  CHECK(joined("intersection", "1-0", "").empty());
  CHECK(has(misuse([] { joined("agreement", "", ""); }), "the rule agreement needs weights"));
  CHECK(has(misuse([] { joined("union", "0-0", "3-10"); }), "link 3-10 is outside 10 x 10 words"));
  CHECK(has(misuse([] { joined("union", "10-3", ""); }), "link 10-3 is outside 10 x 10 words"));
  CHECK(format_links(transposed(links("0-3 1-2"))) == "2-1 3-0");
}

TEST_CASE("swapping a pair exchanges sides, lines and gold links") {
  const std::vector<Pair> pairs = {
      {{"a", "b"}, {"c", "d", "e"}, Gold{{{0, 2}, {1, 1}}, {{1, 0}}}, {"tag"}, 1, "A b", "c d e"},
      {{"f"}, {"g"}, {}, {}, 2}};
  const std::vector<Pair> back = turned(pairs);
  CHECK(back[0].source == Tokens{"c", "d", "e"});
  CHECK(back[0].target_line == "A b");
  CHECK(back[0].gold == Gold{{{1, 1}, {2, 0}}, {{0, 1}}});
  CHECK(back[0].tags == pairs[0].tags);
  CHECK_FALSE(back[1].gold.has_value());
  std::vector<Pair> written = pairs;
  written[0].written = WrittenGold{Gold{{{0, 1}}, {{2, 0}}}, {0, 0}, {0, 1, 1}};
  const std::vector<Pair> swapped = turned(written);
  CHECK(swapped[0].written->gold == Gold{{{1, 0}}, {{0, 2}}});
  CHECK(swapped[0].written->source == std::vector<std::size_t>{0, 1, 1});
  CHECK(swapped[0].written->target == std::vector<std::size_t>{0, 0});
  CHECK(format_tsv(turned(back)) == format_tsv(pairs));
}

namespace {

// Two target words over two source words, and vice versa. The last column is </s>.
const Matrix forward = {{.9f, .1f, 0}, {.5f, .4f, .1f}}, backward = {{.9f, .02f, .08f}, {.1f, .9f, 0}};

std::string by(const std::string& rule, double threshold = .25) {
  return format_links(
      joint_links({autograd::value_named<JointRuleKind>(rule).value(), threshold}, forward, backward, 2, 2));
}

}  // namespace

// Liang, Taskar & Klein 2006.
TEST_CASE("two directions agree if the root of their product reaches the threshold") {
  CHECK(by("agreement", .5) == "0-0 1-1");  // sqrt(.4 * .9) = .6
  CHECK(by("agreement", .61) == "0-0");
  CHECK(by("agreement", .09) == "0-0 0-1 1-0 1-1");  // sqrt(.5 * .02) = .1
  CHECK(by("agreement") == "0-0 1-1");
}

TEST_CASE("a single direction is kept, and both are merged") {
  CHECK(by("forward") == "0-0 0-1");
  CHECK(by("backward") == "0-0 1-1");
  CHECK(by("intersection") == "0-0");
  CHECK(by("union") == "0-0 0-1 1-1");
  CHECK(by("grow-diag-final-and") == "0-0 0-1 1-1");
  CHECK(autograd::all_names<JointRuleKind>().size() == 6);
}

TEST_CASE("rows of </s> have no links, and wrong sizes are misuse") {
  const Matrix with_end = {{.9f, .1f, 0}, {.5f, .4f, .1f}, {0, 1, 0}};
  CHECK(format_links(joint_links({}, with_end, backward, 2, 2)) == "0-0 1-1");
  CHECK(has(misuse([] { joint_links({}, forward, backward, 2, 4); }), "2 rows for 4 target words"));
  CHECK(has(misuse([] { joint_links({}, forward, backward, 4, 2); }), "3 columns for 4 source words"));
}
