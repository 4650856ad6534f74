// One rule parses all numbers in text.
#include "data/io/fields.h"

#include <cstdint>
#include <string>

#include "tests/catch.h"

using namespace softalign;
using data::number;

TEST_CASE("integers consist of decimal digits only") {
  CHECK(number<std::uint64_t>("0") == 0);
  CHECK(number<std::uint64_t>("010") == 10);
  CHECK(number<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x10", "1e3", "1.0", "18446744073709551616", "1,000"}) {
    INFO(text);
    CHECK(!number<std::uint64_t>(text));
  }
}

TEST_CASE("numbers are finite") {
  CHECK(number<double>("-1.5e-3") == -1.5e-3);
  CHECK(number<double>(".5") == .5);
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1d", "0x1p3", "1.5 ", "--1"}) {
    INFO(text);
    CHECK(!number<double>(text));
  }
}
