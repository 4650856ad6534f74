#include "autograd/names.h"

#include "tests/catch.h"

using namespace softalign;

namespace {

enum class Side { left, right };
constexpr auto names_of(Side) {
  return autograd::names<Side>({{"left", Side::left}, {"right", Side::right}, {"sinister", Side::left}});
}

}  // namespace

TEST_CASE("names: each name has its value, a value is written as its first name, and other names are refused") {
  CHECK(autograd::value_named<Side>("left") == Side::left);
  CHECK(autograd::value_named<Side>("sinister") == Side::left);
  CHECK(autograd::value_named<Side>("right") == Side::right);
  CHECK(autograd::name_of(Side::left) == std::string("left"));
  CHECK(autograd::name_of(Side::right) == std::string("right"));
  CHECK_FALSE(autograd::value_named<Side>("Left"));
  CHECK_FALSE(autograd::value_named<Side>(""));
  CHECK(autograd::all_names<Side>() == std::vector<std::string>{"left", "right", "sinister"});
}
