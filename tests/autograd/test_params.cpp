// These tests check Params: names, order, and values that are set later or never.
#include "autograd/params.h"

#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

namespace {

void ones(Array& a, Random&) { a.fill(1); }

}  // namespace

TEST_CASE("params: names contain their modules, are unique and are in the order of declaration") {
  const Params p(Random(1));
  (p / "encoder" / "forward").declare("W", {2, 3}, ones);
  p.declare("b", {3}, ones);
  REQUIRE(p.all().size() == 2);
  CHECK(p.all()[0].name == "encoder/forward/W");
  CHECK(p.all()[1].name == "b");
  CHECK(p.count() == 9);
  CHECK_THROWS_WITH((p / "encoder").declare("forward/W", {1}, ones), Catch::Contains("encoder/forward/W"));
}

TEST_CASE("params: parameters without numbers have names, shapes and a count, and take no memory") {
  bool drawn = false;
  const Params p = Params::without_numbers();
  p.declare("W", {10000, 10000}, [&](Array&, Random&) { drawn = true; });
  CHECK_FALSE(drawn);
  CHECK(p.count() == std::size_t{100000000});
  CHECK(p.all()[0].name == "W");
}
