#include "data/alignment/argmax_links.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

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
  CHECK(has(misuse([] { argmax_links({{}}, 0, 1); }), "row 0 has 0 columns for 0 source words"));
}
