#include "data/alignment/joint_links.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

namespace {

// Two target words over two source words, and the source words over the target words; the last column is the end.
const Matrix forward = {{.9f, .1f, 0}, {.5f, .4f, .1f}}, backward = {{.9f, .02f, .08f}, {.1f, .9f, 0}};

std::string by(const std::string& rule, double threshold = .25) {
  return format_links(joint_links({rule, threshold}, forward, backward, 2, 2));
}

}  // namespace

// Liang, Taskar & Klein 2006.
TEST_CASE("two directions agree where the root of their product reaches the threshold") {
  CHECK(by("agreement", .5) == "0-0 1-1");  // .4 and .9: .6
  CHECK(by("agreement", .61) == "0-0");
  CHECK(by("agreement", .09) == "0-0 0-1 1-0 1-1");  // .5 and .02: .1
  CHECK(by("agreement") == "0-0 1-1");
}

TEST_CASE("one direction alone, and both joined") {
  CHECK(by("forward") == "0-0 0-1");
  CHECK(by("backward") == "0-0 1-1");
  CHECK(by("intersection") == "0-0");
  CHECK(by("union") == "0-0 0-1 1-1");
  CHECK(by("grow-diag-final-and") == "0-0 0-1 1-1");
  CHECK(known_joint_rules().size() == 6);
}

TEST_CASE("rows of </s> link nothing, sizes that do not fit are misuse") {
  const Matrix with_end = {{.9f, .1f, 0}, {.5f, .4f, .1f}, {0, 1, 0}};
  CHECK(format_links(joint_links({}, with_end, backward, 2, 2)) == "0-0 1-1");
  CHECK(has(misuse([] { joint_links({}, forward, backward, 2, 4); }), "2 rows for 4 target words"));
  CHECK(has(misuse([] { joint_links({}, forward, backward, 4, 2); }), "3 columns for 4 source words"));
  CHECK(has(misuse([] { by("both"); }), "unknown symmetrisation 'both'"));
}
