#include "apps/ranks/all_reduce.h"

#include <limits>

#include "tests/catch.h"

using namespace softalign;
using namespace apps;

TEST_CASE("bfloat16 rounds to the nearest number with seven fraction bits", "[ranks]") {
  for (const float exact : {0.F, 1.F, -2.5F, 1.9921875F, 0x1p-120F, -0x1.02p100F})
    CHECK(from_bfloat16(to_bfloat16(exact)) == exact);
  CHECK(from_bfloat16(to_bfloat16(1.003F)) == 1.F);
  CHECK(from_bfloat16(to_bfloat16(1.005F)) == 1.0078125F);
  // Halfway between two numbers, the one with the even mantissa is chosen.
  CHECK(from_bfloat16(to_bfloat16(1.00390625F)) == 1.F);
  CHECK(from_bfloat16(to_bfloat16(1.01171875F)) == 1.015625F);
  CHECK(from_bfloat16(to_bfloat16(-1.01171875F)) == -1.015625F);
}

TEST_CASE("bfloat16 keeps numbers that are not finite", "[ranks]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(from_bfloat16(to_bfloat16(infinity)) == infinity);
  CHECK(from_bfloat16(to_bfloat16(-infinity)) == -infinity);
  CHECK(from_bfloat16(to_bfloat16(std::numeric_limits<float>::max())) == infinity);
  CHECK(std::isnan(from_bfloat16(to_bfloat16(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(
      std::isnan(from_bfloat16(to_bfloat16(std::bit_cast<float>(0x7f800001U)))));  // its mantissa is in the lower half
}
