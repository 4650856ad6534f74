#include "data/alignment/alignment.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

TEST_CASE("Pharaoh links are read, sorted, and written back") {
  const Gold gold = parse_gold(" 2-1  0-0\t1?2 0p2 ", 3, 3, "f:1");
  CHECK(gold.sure == Links{{0, 0}, {2, 1}});
  CHECK(gold.possible == Links{{0, 2}, {1, 2}});
  CHECK(format_gold(gold) == "0-0 0?2 1?2 2-1");
  CHECK(parse_gold(format_gold(gold), 3, 3, "f:1") == gold);
  CHECK(parse_gold("", 3, 3, "f:1") == Gold{});
  CHECK(format_links({{0, 1}, {2, 0}}) == "0-1 2-0");
}

TEST_CASE("bad input: a gold link out of range names file, line, link and length") {
  CHECK(parse_gold("1-2 3?1", 3, 2, "f:1", 1) == Gold{{{0, 1}}, {{2, 0}}});
  CHECK(has(user_error([] { parse_gold("0-1", 3, 2, "f:7", 1); }),
            "f:7: link 0-1: the source has 3 words, counted from 1"));
  CHECK(has(user_error([] { parse_gold("1-3", 3, 2, "f:7", 1); }), "the target has 2 words, counted from 1"));
  const std::string source = user_error([] { parse_gold("0-0 3-1", 3, 2, "dev.tsv:7"); });
  CHECK(has(source, "dev.tsv:7: link 3-1: the source has 3 words"));
  CHECK(has(user_error([] { parse_gold("0-0 1?2", 3, 2, "dev.tsv:7"); }), "link 1?2: the target has 2 words"));
}

TEST_CASE("bad input: what is no link is refused") {
  for (const char* bad : {"0", "0-", "-0", "0:1", "a-b", "0-1x", "0--1", "1-2-3", "99999999999999999999-0", "0- 1"}) {
    INFO(bad);
    CHECK(has(user_error([&] { parse_gold(bad, 5, 5, "f:2"); }), "f:2: \""));
  }
  CHECK(has(user_error([] { parse_gold("0-0 0?0", 1, 1, "f:2"); }), "f:2: link 0?0 is given twice"));
}

TEST_CASE("argmax links: </s> and the first of equals") {
  // je t' aime </s>  over  i love you </s>
  const Matrix m = {{.9f, .1f, 0, 0}, {0, .1f, .9f, 0}, {.4f, .4f, .1f, .1f}, {.9f, 0, 0, .1f}};
  CHECK(argmax_links(m, 3, 3) == Links{{0, 0}, {0, 2}, {2, 1}});
  CHECK(argmax_links({{0, .2f, .8f}, {0, 0, 1}}, 2, 1).empty());             // the argmax is </s>
  CHECK(argmax_links({{.2f, .8f}, {1, 0}}, 2, 2) == Links{{0, 1}, {1, 0}});  // no </s> on either side
  CHECK(argmax_links({{1}}, 0, 1).empty());
}

TEST_CASE("argmax links at shift 1: row t+1 belongs to word t") {
  const Matrix m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // two words and </s>, over two words and </s>
  CHECK(argmax_links(m, 2, 2, 0) == Links{{0, 0}, {1, 1}});
  CHECK(argmax_links(m, 2, 2, 1) == Links{{1, 0}});
  CHECK(argmax_links({{1, 0}, {0, 1}}, 2, 2, 1) == Links{{1, 0}});  // without a last row the last word has no link
}

TEST_CASE("a matrix of another size than the words is misuse") {
  CHECK(has(misuse([] { argmax_links({{1, 0}}, 1, 2); }), "1 rows for 2 target words"));
  CHECK(has(misuse([] { argmax_links({{1, 0, 0}}, 1, 1); }), "row 0 has 3 columns for 1 source words"));
}

// Och & Ney 2003, section 5.
TEST_CASE("AER by hand: Och and Ney's formula with sure and possible links") {
  AlignmentScore score;
  score.add({{0, 0}, {1, 1}, {2, 2}}, {{{0, 0}, {1, 2}}, {{1, 1}}});  // A = 3, S = 2, A n S = 1, A n P = 2
  CHECK(score.aer() == Approx(1 - (1 + 2) / 5.0));
  CHECK(score.precision() == Approx(2 / 3.0));
  CHECK(score.recall() == Approx(1 / 2.0));
}

TEST_CASE("AER is pooled over the corpus, not averaged over sentences") {
  AlignmentScore score;
  score.add({{0, 0}}, {{{0, 0}}, {}});                                  // alone: 0
  score.add({{0, 0}, {1, 1}, {2, 2}}, {{{0, 1}, {1, 2}, {2, 0}}, {}});  // alone: 1
  CHECK(score.aer() == Approx(1 - 2 / 8.0));
}

TEST_CASE("AER: possible links are neither owed nor wrong, duplicates count once, nothing is no error") {
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

TEST_CASE("links of fixed expressions are those to words with possible links alone") {
  const Gold gold{{{0, 0}, {1, 2}}, {{0, 1}, {3, 2}}};
  CHECK(outside_fixed_expressions({{0, 0}, {5, 1}, {3, 2}, {4, 3}}, gold) == Links{{0, 0}, {3, 2}, {4, 3}});
}
