#include "data/metrics/mean_and_range.h"

#include <limits>

#include "tests/catch.h"

using namespace softalign;
using namespace data;

TEST_CASE("spread by hand: mean, minimum and maximum over the seeds are printed with half of the range") {
  const std::optional<MeanAndRange> s = mean_and_range({3.0, 1.5, 6.0});
  REQUIRE(s);
  CHECK(s->mean == Approx(3.5));
  CHECK(s->low == 1.5);
  CHECK(s->high == 6);
  CHECK(s->seeds == 3);
  CHECK(to_text(s, 2) == "3.50 ± 2.25");
  CHECK(to_text(s, 0) == "4 ± 2");
  CHECK(mean_text(s, 1) == "3.5");
  CHECK(to_text(mean_and_range({-2.0}), 1) == "-2.0");
  CHECK(to_text(mean_and_range({-2.0, -1.0}), 1) == "-1.5 ± 0.5");
}

TEST_CASE("there is no spread without values, or with a missing value or NaN") {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<std::optional<double>>> none{{}, {1.0, {}}, {{}, 1.0}, {1.0, nan}, {-inf, 2.0}};
  for (const auto& values : none) {
    CHECK(!mean_and_range(values));
    CHECK(to_text(mean_and_range(values), 1) == "-");
    CHECK(mean_text(mean_and_range(values), 1) == "-");
  }
}
