#include "autograd/choice.h"

#include "tests/catch.h"

using autograd::Choice;

TEST_CASE("choice: a name stands for its value, any other is refused with the known ones in their order") {
  const Choice<int> sides("side", {{"left", -1}, {"right", 1}});
  CHECK(sides.at("left") == -1);
  CHECK(sides.at("right") == 1);
  CHECK(sides.names() == std::vector<std::string>{"left", "right"});
  CHECK_THROWS_WITH(sides.at("Left"), "unknown side 'Left'; known are: left, right");
  CHECK_THROWS_WITH(sides.at(""), "unknown side ''; known are: left, right");
  CHECK_NOTHROW(autograd::check_name("side", "right", sides.names()));
  CHECK_THROWS_AS(autograd::check_name("side", "up", sides.names()), std::invalid_argument);
}
