#include "data/corpus/pharaoh.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
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

TEST_CASE("bad input: an invalid link is refused") {
  for (const char* bad : {"0", "0-", "-0", "0:1", "a-b", "0-1x", "0--1", "1-2-3", "99999999999999999999-0", "0- 1"}) {
    INFO(bad);
    CHECK(has(user_error([&] { parse_gold(bad, 5, 5, "f:2"); }), "f:2: \""));
  }
  CHECK(has(user_error([] { parse_gold("0-0 0?0", 1, 1, "f:2"); }),
            "f:2: link 0?0 occurs twice. Write each link once, as a sure or as a possible link"));
}

TEST_CASE("a file whose links never name word 0 may count from 1") {
  const auto note = [](const std::vector<Gold>& file) {
    IndexBase base;
    for (const Gold& gold : file) base.add(gold);
    return base.note("gold.txt");
  };
  CHECK(note({{{{1, 1}, {2, 2}}, {}}, {{}, {{3, 1}}}}) ==
        "note: gold.txt: none of the 3 links contains word 0 of either side. If the file counts words from 1, add "
        "--one-based\n");
  CHECK(has(note({{{{0, 1}, {1, 2}, {2, 1}}, {}}}), "contains word 0 of the target."));
  CHECK(has(note({{{{1, 0}, {2, 1}, {1, 2}}, {}}}), "contains word 0 of the source."));
  CHECK(note({{{{1, 1}, {2, 2}}, {}}}).empty());                  // too few links to decide
  CHECK(note({{{{1, 0}, {2, 1}}, {}}, {{}, {{0, 3}}}}).empty());  // word 0 occurs on both sides if all lines count
}
