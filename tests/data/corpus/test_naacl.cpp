#include "data/corpus/naacl.h"

#include "data/corpus/pharaoh.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::user_error;

TEST_CASE("gold links of the NAACL shared task count from 1, and a pair without a line has none") {
  const auto gold =
      read_naacl("g", {"0001 1 1 S", "1 2 1 P", "", "3\t1\t2", "3 2 2 P 0.7", "3 3 3 0.5"}, {{2, 1}, {1, 1}, {3, 3}});
  CHECK(gold ==
        std::vector<std::optional<Gold>>{Gold{{{0, 0}}, {{1, 0}}}, std::nullopt, Gold{{{0, 1}, {2, 2}}, {{1, 1}}}});
}

TEST_CASE("a link that is sure and possible is sure, and a link to word 0 is none") {
  const auto gold = read_naacl("g", {"1 1 1 P", "1 1 1 S", "1 0 2 S", "1 2 0 P"}, {{any_words, any_words}});
  CHECK(gold == std::vector<std::optional<Gold>>{Gold{{{0, 0}}, {}}});
}

TEST_CASE("the first line shows whether a file has the form of the NAACL shared task") {
  for (const char* line : {"1 1 1", "0018 4 5 S", "1 2 3 P 0.5", "1 2 3 0.5"}) CHECK(is_naacl({"", line}));
  for (const char* line : {"0-0 1-1 2-2", "1 1", "1 1 1 X", "1 1 1 S 1 1", "a 1 1 S", "1 -1 1", "1 1 1 0.5 S"})
    CHECK_FALSE(is_naacl({line}));
  CHECK_FALSE(is_naacl({"", " "}));
}

TEST_CASE("bad input: a line of the NAACL shared task that names no word of a pair is refused") {
  const auto error = [](const std::string& line) {
    return user_error([&] { read_naacl("g", {"1 1 1 S", line}, {{2, 1}}); });
  };
  CHECK(has(error("2 1 1 S"), "g:2: sentence 2 does not exist. There are 1 alignments, counted from 1"));
  CHECK(has(error("0 1 1 S"), "g:2: sentence 0 does not exist"));
  CHECK(has(error("1 3 1 S"), "g:2: the link has word 3 of the source, which has 2 words. Words count from 1"));
  CHECK(has(error("1 1 2 P"), "g:2: the link has word 2 of the target, which has 1 word. Words count from 1"));
  CHECK(has(error("0-0 1-1"), "g:2: \"0-0 1-1\" is not a link. The first line has the form of the NAACL shared task"));
}
