#include "autograd/choice.h"

#include "tests/catch.h"

using namespace softalign;
using autograd::Choice;

TEST_CASE("choice: a name stands for its value, any other is refused with the known ones in their order") {
  const Choice<int> sides("side", {{"left", -1}, {"right", 1}});
  CHECK(sides.at("left") == -1);
  CHECK(sides.at("right") == 1);
  CHECK(sides.names() == std::vector<std::string>{"left", "right"});
  CHECK_THROWS_WITH(sides.at("Left"), "unknown side 'Left'; known are: left, right; did you mean left?");
  CHECK_THROWS_WITH(sides.at(""), "unknown side ''; known are: left, right");
  CHECK_NOTHROW(autograd::check_name("side", "right", sides.names()));
  CHECK_THROWS_AS(autograd::check_name("side", "up", sides.names()), std::invalid_argument);
}

TEST_CASE("choice: the name that may be meant is offered, and none where nothing is near") {
  const std::vector<std::string> options{"epochs", "model", "hidden", "lr", "learning-rate", "keep-epochs", "dropout"};
  CHECK(autograd::nearest("epoch", options) == "epochs");
  CHECK(autograd::nearest("modl", options) == "model");
  CHECK(autograd::nearest("mdoel", options) == "model");
  CHECK(autograd::nearest("hidden-size", options) == "hidden");
  CHECK(autograd::nearest("learning_rate", options) == "learning-rate");
  CHECK(autograd::nearest("LR", options) == "lr");
  CHECK(autograd::nearest("temperature", options).empty());
  CHECK(autograd::nearest("x", options).empty());
  CHECK(autograd::nearest("", options).empty());
  CHECK(autograd::edit_distance("mdoel", "model") == 1);  // two neighbours swapped
  CHECK(autograd::edit_distance("", "model") == 5);
  CHECK(autograd::did_you_mean("modl", options) == "; did you mean model?");
  CHECK(autograd::did_you_mean("x", options).empty());
}
