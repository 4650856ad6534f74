// Pictures with attention weights drawn over them.
#include "apps/pages/picture.h"

#include <regex>
#include <stdexcept>

#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Matchers::Contains;

AttendedPicture small() {
  return {"a <b>", {2, 2, std::vector<std::uint8_t>(12, 9)}, 2, 2, {0.1, 0.3, 0.5, 0.1}, {2}, 1};
}

std::vector<std::string> all(const std::string& svg, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator i(svg.begin(), svg.end(), expression), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

}  // namespace

TEST_CASE("a picture is brightest at the largest weight and darkest at the smallest") {
  const std::string svg = draw(std::vector{small()});
  CHECK(all(svg, "fill-opacity=\"([0-9.]+)\"") == std::vector<std::string>{"0.56", "0.28", "0.00", "0.56"});
  CHECK_THAT(svg, Contains("a &lt;b&gt;") && Contains("href=\"data:image/png;base64,iVBORw0KGgo"));
  AttendedPicture blind = small();
  blind.weights.assign(4, 0);
  CHECK(all(draw(std::vector{blind}), "fill-opacity=\"([0-9.]+)\"") == std::vector<std::string>(4, "0.70"));
}

TEST_CASE("gold cells and the query's cell are outlined, and pictures are next to each other") {
  const std::string svg = draw(std::vector{small(), small()});
  CHECK(all(svg, "class=\"gold\" x=\"([0-9.]+)\"") == std::vector<std::string>{"0", "0"});
  CHECK(all(svg, "class=\"gold\" x=\"0\" y=\"([0-9.]+)\"") == std::vector<std::string>{"112", "112"});
  CHECK(all(svg, "class=\"asking\" x=\"([0-9.]+)\" y=\"0\"") == std::vector<std::string>{"112", "112"});
  CHECK(all(svg, "translate.([0-9.]+) ") == std::vector<std::string>{"0", "244"});
  CHECK_THAT(svg, Contains("viewBox=\"0 0 468 250\""));
  AttendedPicture wrong = small();
  wrong.weights.pop_back();
  CHECK_THROWS_AS(draw(std::vector{wrong}), std::invalid_argument);
}

TEST_CASE("gates of channels are bars under the picture, and a picture without weights keeps its brightness") {
  AttendedPicture gated = small();
  gated.weights.clear();
  gated.gates = {1, 0.25, 0, 0.5};
  const std::string svg = draw(std::vector{small(), gated});
  CHECK(all(svg, "class=\"gate\" x=\"([0-9.]+)\"") == std::vector<std::string>{"0", "56", "112", "168"});
  CHECK(all(svg, "class=\"gate\"[^>]* y=\"([0-9.]+)\"") == std::vector<std::string>{"236", "281", "296", "266"});
  CHECK(all(svg, "class=\"gate\"[^>]* height=\"([0-9.]+)\"") == std::vector<std::string>{"60", "15", "0", "30"});
  CHECK(all(svg, "fill-opacity=\"([0-9.]+)\"").size() == 4);  // all belong to the other picture
  CHECK_THAT(svg, Contains("viewBox=\"0 0 468 322\""));
  gated.gates[1] = 1.5;
  CHECK_THROWS_WITH(draw(std::vector{gated}), Contains("the gate of channel 1 is 1.5"));
}
