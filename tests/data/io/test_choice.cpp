#include "data/io/choice.h"

#include "tests/catch.h"

using namespace softalign;
using data::Choice;

TEST_CASE("enumerated options: a name has its value, and the error for another name lists the names in order") {
  const Choice<int> sides("side", {{"left", -1}, {"right", 1}});
  CHECK(sides.at("left") == -1);
  CHECK(sides.at("right") == 1);
  CHECK(sides.names() == std::vector<std::string>{"left", "right"});
  CHECK_THROWS_WITH(sides.at("Left"), "unknown side 'Left'; known are: left, right; did you mean left?");
  CHECK_THROWS_WITH(sides.at(std::string(101, 'x')),
                    "unknown side '" + std::string(100, 'x') + "...'; known are: left, right");
  CHECK_THROWS_WITH(sides.at(""), "unknown side ''; known are: left, right");
  CHECK_NOTHROW(data::check_name("side", "right", sides.names()));
  CHECK_THROWS_AS(data::check_name("side", "up", sides.names()), std::invalid_argument);
}

TEST_CASE("enumerated options: the error suggests the closest match, and nothing if no name is close") {
  const std::vector<std::string> options{"epochs", "model", "hidden", "lr", "learning-rate", "keep-epochs", "dropout"};
  CHECK(data::nearest("epoch", options) == "epochs");
  CHECK(data::nearest("modl", options) == "model");
  CHECK(data::nearest("mdoel", options) == "model");
  CHECK(data::nearest("hidden-size", options) == "hidden");
  CHECK(data::nearest("learning_rate", options) == "learning-rate");
  CHECK(data::nearest("LR", options) == "lr");
  CHECK(data::nearest("temperature", options).empty());
  CHECK(data::nearest("x", options).empty());
  CHECK(data::nearest("", options).empty());
  CHECK(data::edit_distance("mdoel", "model") == 1);  // two neighbours are swapped
  CHECK(data::edit_distance("", "model") == 5);
  CHECK(data::did_you_mean("modl", options) == "; did you mean model?");
  CHECK(data::did_you_mean("x", options).empty());
}
