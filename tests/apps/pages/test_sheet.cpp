// Matrices as an SVG file. tests/apps/test_convert.py checks the content of the files that are written from records.
#include "apps/pages/matrix.h"
#include "apps/pages/theme.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Matchers::Contains;

data::Record record(std::vector<float> row, data::Attends attends) {
  data::Record r;
  r.source = data::Tokens(row.size() - 1, "x");
  r.target = {"y"};
  r.attends = attends;
  r.weights.matrix = {row, row};
  r.gold = data::Gold{{{0, 0}}, {}};
  return r;
}

std::string sheet_of(const data::Record& r) {
  Sheet sheet;
  sheet.add(r);
  return sheet.svg();
}

}  // namespace

TEST_CASE("a weight's colour goes from paper through the theme's stops to the darkest") {
  CHECK(weight_colour(0) == of_light_theme("weight-0"));
  CHECK(weight_colour(0.5) == of_light_theme("weight-3"));
  CHECK(weight_colour(1) == of_light_theme("weight-6"));
  CHECK(weight_colour(2) == of_light_theme("weight-6"));
  CHECK(weight_colour(1.0 / 12) == "#edf3f8");  // half way between #fffefb and #dbe8f5
  CHECK_THROWS_WITH(of_light_theme("no-such"), Contains("--no-such"));
}

TEST_CASE("wide cells show their weights, in a light colour on dark cells") {
  const std::string svg = sheet_of(record({0.75f, 0.25f, 0}, data::Attends::output));
  CHECK_THAT(svg, Contains("class=\"number light\"") && Contains(">.75</text>") && Contains(">.25</text>"));
  CHECK_THAT(svg, !Contains(">.00</text>"));
  CHECK_THAT(sheet_of(record({1, 0}, data::Attends::output)), Contains(">1</text>"));
}

TEST_CASE("a word that is too long ends in an ellipsis, but a source sentence is shown completely") {
  data::Record r = record({1, 0}, data::Attends::output);
  r.source = {"Donaudampfschifffahrt"};
  CHECK_THAT(sheet_of(r), Contains(">Donaudampfschif…</text>"));
  r.source = {"mary went back to the kitchen"};
  CHECK_THAT(sheet_of(r), Contains(">mary went back to the kitchen</text>"));
}

TEST_CASE("drawings are limited to 1,000 cells per side, 100,000 cells in all and titles of 200 characters") {
  data::Record r = record(std::vector<float>(1001, 0), data::Attends::output);
  r.id = 2;
  CHECK_THROWS_WITH(sheet_of(r),
                    Contains("sentence 3: its figure has 2 x 1001 cells, which is more than 1000 per side") &&
                        Contains("Draw shorter sentences, or choose the format jsonl"));
  r = record({1, 0}, data::Attends::output);
  r.source = {std::string(1'000'000, 'x')};
  CHECK(sheet_of(r).size() < 10'000);
  r = record(std::vector<float>(1000, 0), data::Attends::output);
  Sheet sheet;
  for (r.id = 0; r.id < 50; ++r.id) sheet.add(r);
  CHECK_THROWS_WITH(
      sheet.add(r),
      Contains("sentence 51: with this sentence, the drawing has 102000 cells, which is more than 100000") &&
          Contains("head -n 50 FILE"));
}

TEST_CASE("gold is outlined in the row of its word, for written words and for read words") {
  const auto first = [](const std::string& svg) { return svg.substr(svg.find("class=\"gold\""), 60); };
  CHECK(first(sheet_of(record({1, 0}, data::Attends::output))) !=
        first(sheet_of(record({1, 0}, data::Attends::input))));
}

TEST_CASE("a sheet without figures is a valid drawing") {
  CHECK_THAT(Sheet().svg(), Contains("<svg xmlns=") && Contains("</svg>"));
}

TEST_CASE("a caption is above its figure, which moves down") {
  const data::Record r = record({0.75f, 0.25f, 0}, data::Attends::output);
  Sheet sheet;
  sheet.add(r, "one <look>");
  const std::string svg = sheet.svg();
  CHECK_THAT(svg, Contains("class=\"caption\" y=\"-14\">one &lt;look&gt;</text>"));
  CHECK_THAT(svg, Contains("translate(12 34)"));
  CHECK_THAT(sheet_of(r), Contains("translate(12 12)"));
}
