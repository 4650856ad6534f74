#include "data/alignment/link_extraction.h"

#include "data/alignment/argmax_links.h"
#include "data/corpus/pharaoh.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

TEST_CASE("argmax links: they leave out </s> and take the first of equal weights") {
  // The rows are je t' aime </s>, and the columns i love you </s>.
  const Matrix m = {{.9f, .1f, 0, 0}, {0, .1f, .9f, 0}, {.4f, .4f, .1f, .1f}, {.9f, 0, 0, .1f}};
  CHECK(argmax_links(m, 3, 3) == Links{{0, 0}, {0, 2}, {2, 1}});
  CHECK(argmax_links({{0, .2f, .8f}, {0, 0, 1}}, 2, 1).empty());             // the largest weight is on </s>
  CHECK(argmax_links({{.2f, .8f}, {1, 0}}, 2, 2) == Links{{0, 1}, {1, 0}});  // neither side has </s>
  CHECK(argmax_links({{1}}, 0, 1).empty());
}

TEST_CASE("argmax links at shift 1: row t+1 belongs to word t") {
  const Matrix m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // two words and </s> on both sides
  CHECK(argmax_links(m, 2, 2, 0) == Links{{0, 0}, {1, 1}});
  CHECK(argmax_links(m, 2, 2, 1) == Links{{1, 0}});
  CHECK(argmax_links({{1, 0}, {0, 1}}, 2, 2, 1) == Links{{1, 0}});  // the last word has no row, so no link
}

TEST_CASE("a matrix whose size differs from the words is misuse") {
  CHECK(has(misuse([] { argmax_links({{1, 0}}, 1, 2); }), "1 rows for 2 target words"));
  CHECK(has(misuse([] { argmax_links({{1, 0, 0}}, 1, 1); }), "row 0 has 3 columns for 1 source words"));
  CHECK(has(misuse([] { argmax_links({{}}, 0, 1); }), "row 0 has 0 columns for 0 source words"));
}

namespace {

// The rows are je t' aime </s>, and the columns i love you </s>.
Record love() {
  Record r;
  r.source = {"i", "love", "you"};
  r.target = {"je", "t'", "aime"};
  r.weights.matrix = {{.3f, .1f, .1f, .5f}, {.4f, .3f, .3f, 0}, {.1f, .6f, .3f, 0}, {.9f, 0, 0, .1f}};
  return r;
}

std::string by(const std::string& rule, const Record& record, double threshold = .3) {
  return format_links(links_by({autograd::value_named<LinkRuleKind>(rule).value(), threshold}, record));
}

}  // namespace

TEST_CASE("each rule extracts its links from one matrix") {
  CHECK(by("best", love()) == "0-1 1-2");           // je attends most to </s>
  CHECK(by("best-word", love()) == "0-0 0-1 1-2");  // of the words, je attends most to i
  CHECK(by("threshold", love(), .35) == "0-1 1-2");
  CHECK(by("threshold", love(), .1) == "0-0 0-1 0-2 1-0 1-1 1-2 2-0 2-1 2-2");
  CHECK(by("mutual", love()) == "0-1 1-2");  // the row of </s> does not compete, though it gives .9 to i
  Record r = love();
  r.weights.matrix[2] = {.5f, .2f, .3f, 0};
  CHECK(by("best", r) == "0-1 0-2");
  CHECK(by("mutual", r) == "0-2");  // of the rows, aime gives i the largest weight
}

TEST_CASE("of words with the same weight on one source word, the first is the mutual link") {
  Record r = love();
  r.weights.matrix = {{.6f, .4f, 0, 0}, {.6f, 0, .4f, 0}, {0, .6f, .4f, 0}};
  CHECK(by("best", r) == "0-0 0-1 1-2");
  CHECK(by("mutual", r) == "0-0 1-2");
}

TEST_CASE("a word without attention has no share, and an empty matrix has no links") {
  Record r = love();
  for (auto& row : r.weights.matrix) row[0] = 0;
  CHECK(by("product", r) == "1-2 2-1");  // t': .3 .3 / 1 < .3 .3 / .7; je: .5 .5 / .6, </s>
  CHECK(by("product", Record{}) == "");
  Record none;
  none.attends = Attends::input;
  CHECK(has(misuse([&] { by("best", none); }), "0 rows for 0 target words"));
  none = {};
  none.target = {"x"};
  none.weights.matrix = {{}};
  CHECK(has(misuse([&] { by("best", none); }), "a row of 0 columns for 0 source words"));
}

TEST_CASE("rule product links a word to what its neighbours do not attend to") {
  Record r = love();                     // its column sums are 1.7, 1.0, .7 and .6
  CHECK(by("product", r) == "1-2 2-1");  // t': .4 .4 / 1.7 < .3 .3 / .7; je: .5 .5 / .6, </s>
  r.weights.matrix[0] = {.1f, .45f, .4f, .05f};
  r.weights.matrix[1] = {.7f, .2f, .1f, 0};
  CHECK(by("best", r) == "0-1 1-0 1-2");
  CHECK(by("product", r) == "0-1 1-2 2-0");  // je: .45 .45 / 1.25 < .4 .4 / .8
  r.weights.matrix[0] = {0, .05f, .45f, .5f};
  r.weights.matrix[3] = {0, 0, 0, 1};
  CHECK(by("best", r) == "0-1 1-2");
  CHECK(by("product", r) == "0-1 1-2 2-0");  // .5 .5 / 1.5 < .45 .45 / .85, because row </s> gives 1 to </s>
}

TEST_CASE("for read words the next row counts, and wrong sizes are misuse") {
  Record r = love();
  r.attends = Attends::input;
  CHECK(by("best", r) == "0-0 0-2 1-1");
  r.weights.matrix.pop_back();
  CHECK(by("best-word", r) == "0-0 1-1");  // the last word has no row, so no link
  r.weights.matrix.resize(1);
  CHECK(has(misuse([&] { by("best", r); }), "1 rows for 3 target words"));
  r = love();
  r.weights.matrix[1] = {1};
  CHECK(has(misuse([&] { by("best", r); }), "a row of 1 columns for 3 source words"));
}

TEST_CASE("all rules have names") {
  for (const std::string& name : autograd::all_names<LinkRuleKind>()) CHECK_NOTHROW(by(name, love()));
  CHECK_THAT(autograd::all_names<LinkRuleKind>(), Catch::VectorContains(std::string("product")));
}
