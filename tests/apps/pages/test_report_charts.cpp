// These tests check the report's figures: axes, lines, bands, labels, matrices.
#include "apps/pages/chart.h"
#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/report/curves.h"
#include "apps/pages/report/style.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Matchers::Contains;

data::MeanAndRange of(double low, double mean, double high, std::size_t seeds = 2) { return {mean, low, high, seeds}; }

// A chart of one series "a", whose name is on its right. The plot spans (36, 32) to (296.9, 186).
LineChart chart_of(Values values) {
  LineChart chart{.title = "BLEU", .x_title = "epoch", .x = {"1", "2", "3"}, .series = {}, .context = {}};
  chart.high = 100;
  chart.series.push_back({"a", 3, std::move(values)});
  return chart;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++found;
  return found;
}

}  // namespace

TEST_CASE("axes end at 1, 2 or 5 times a power of ten and are labelled there") {
  CHECK(round_below(0.08) == Approx(0.05));
  CHECK(round_below(0.1) == Approx(0.1));
  CHECK(round_below(4.9) == Approx(2));
  CHECK(round_above(0.08) == Approx(0.1));
  CHECK(round_above(2.1) == Approx(5));
  CHECK(round_above(2) == Approx(2));
  CHECK(round_above(98.7) == Approx(100));
  LineChart chart = chart_of({});
  CHECK(ticks(chart) == std::vector<double>{0, 20, 40, 60, 80, 100});
  chart.logarithmic = true;
  chart.low = 2;
  const std::vector<double> logarithmic = ticks(chart);
  REQUIRE(logarithmic.size() == 6);
  CHECK(logarithmic[1] == Approx(5));
  CHECK(logarithmic[2] == Approx(10));
  CHECK(logarithmic[5] == Approx(100));
}

TEST_CASE("a line goes through the means, and its band covers the range of the seeds") {
  const std::string svg = draw(chart_of({of(0, 10, 20), of(40, 50, 60), of(100, 100, 100)}));
  CHECK_THAT(svg, Contains("class=\"series s3\""));
  CHECK_THAT(svg, Contains("class=\"line\" d=\"M36 170.6L166.5 109L296.9 32\""));
  CHECK_THAT(svg, Contains("class=\"band\" d=\"M36 155.2L166.5 93.6L296.9 32L296.9 32L166.5 124.4L36 186Z\""));
  CHECK_THAT(svg, Contains(">a 100.0</text>"));
  const std::string one_seed = draw(chart_of({of(10, 10, 10, 1), of(50, 50, 50, 1), {}}));
  CHECK(one_seed.find("class=\"band\"") == one_seed.npos);
  CHECK_THAT(one_seed, Contains(">a 50.0</text>"));
}

TEST_CASE("data points are drawn behind the lines on both axes") {
  LineChart chart = chart_of({of(10, 10, 10, 1), of(50, 50, 50, 1), {}});
  chart.points = {{0, 0}, {0.5, 100}};
  const std::string svg = draw(chart);
  CHECK_THAT(svg, Contains("<circle class=\"point\" cx=\"36\" cy=\"186\"") &&
                      Contains("<circle class=\"point\" cx=\"101.2\" cy=\"32\""));
  CHECK(svg.rfind("\"point\"") < svg.find("\"series"));
}

TEST_CASE("a line breaks at a missing value and follows the ratio on a logarithmic axis") {
  LineChart chart = chart_of({of(100, 100, 100), {}, of(10, 10, 10)});
  CHECK_THAT(draw(chart), Contains("class=\"line\" d=\"M36 32M296.9 170.6\""));
  chart.logarithmic = true;
  chart.low = 1;
  CHECK_THAT(draw(chart), Contains("class=\"line\" d=\"M36 32M296.9 109\""));
  chart.series[0].values[2] = of(0, 0, 0);
  CHECK_THAT(draw(chart), Contains("M296.9 186\""));
}

TEST_CASE("labels are moved apart, keep their order and stay inside") {
  CHECK(apart({50, 10}, 14, 0, 100) == std::vector<double>{50, 10});
  CHECK(apart({50, 50, 10}, 14, 0, 100) == std::vector<double>{50, 64, 10});
  CHECK(apart({99, 98, 20}, 14, 0, 100) == std::vector<double>{100, 86, 20});
  CHECK(apart({-5, 1}, 14, 0, 100) == std::vector<double>{0, 14});
}

TEST_CASE("charts escape their texts") {
  LineChart chart = chart_of({of(1, 1, 1)});
  chart.series[0].name = "</svg><script>\"&";
  chart.x_title = "<b>\u202e";
  const std::string svg = draw(chart);
  CHECK(svg.find("<script") == svg.npos);
  CHECK(svg.find("<b>") == svg.npos);
  CHECK_THAT(svg, Contains("&lt;/svg&gt;&lt;script&gt;&quot;&amp; 1.0</text>"));
}

TEST_CASE("a figure in a separate file contains its colours and needs no CSS variables") {
  const std::string svg = standalone(draw(chart_of({of(1, 1, 1)})));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK_THAT(svg, Contains(".s0 .line { fill: none; stroke: #1a5599; stroke-width: 2; stroke-dasharray: none; }"));
  CHECK_THAT(svg, Contains(".chart .s6 .label { fill: #4d5563;") && Contains(".grid { stroke: #dedbd1; }"));
  CHECK_THAT(svg, Contains("<rect width=\"100%\" height=\"100%\" fill=\"#fffefb\">"));
  CHECK(svg.find("var(") == svg.npos);
  CHECK(svg.find("--") == svg.npos);
  CHECK(svg.find("@media") == svg.npos);
}

TEST_CASE("a name that is too long for one line is broken into two, inside the figure and without overlap") {
  LineChart chart = chart_of({of(1, 1, 1)});
  chart.width = 360;
  chart.series[0].name = "two looks where two count";
  chart.series.push_back({"the mean of all sentences", 1, chart.series[0].values});
  const std::string svg = draw(chart);
  CHECK_THAT(svg, Contains(">two looks where</tspan>") && Contains(">two count 1.0</tspan>"));
  CHECK_THAT(svg, Contains(">the mean of all</tspan>") && Contains(">sentences 1.0</tspan>"));
  const std::size_t first = svg.find("class=\"label\""), second = svg.find("class=\"label\"", first + 1);
  const auto number = [&](const char* name, std::size_t from) {
    return std::stod(svg.substr(svg.find(name, from) + std::string(name).size()));
  };
  CHECK(std::abs(number(" y=\"", first) - number(" y=\"", second)) >= 27.9);
  CHECK(number(" x=\"", first) + text_width("the mean of all") <= 360);
  chart.series = {{"short", 0, chart.series[0].values}};
  CHECK(draw(chart).find("tspan") == std::string::npos);
}

TEST_CASE("lines of other families are drawn behind on one axis, and without AER there is no AER figure") {
  Study study{.name = "s", .title = "", .paper_setting = "", .experiments = {}, .rows = {}, .claims = {}};
  study.rows = {{"", "rnn", "", "rnn"}, {"", "rnn-gru", "", "rnn"}, {"", "encdec", "", "encdec"}};
  RunOutcomes outcomes;
  for (const Row& row : study.rows) outcomes[row.experiment] = {RunOutcome{}};
  for (auto& [name, seeds] : outcomes) {
    seeds[0].curve = {{1, 3.0, 10, {}}, {2, 2.0, 38, {}}};
    if (name != "encdec") seeds[0].curve[1].aer = 0.25;
    seeds[0].by_length["1-10"] = {3, name == "encdec" ? 20.0 : 80.0, {}};
  }
  const std::string curves = learning_curves(study, outcomes);
  CHECK(count(curves, "<svg") == 5);            // loss and BLEU of both families, AER of one
  CHECK(count(curves, "AER in percent") == 2);  // the figure's title and its label
  CHECK(count(curves, "class=\"context\"") == 2 * 1 + 2 * 2 + 1);
  CHECK_THAT(curves, Contains(">gru 38.0</text>") && Contains(">rnn 38.0</text>") && Contains(">gru 25.0</text>"));
  const std::string lengths = length_charts(study, outcomes);
  CHECK(count(lengths, ">100</text>") == 2);
  CHECK_THAT(lengths, Contains(">encdec 20.0</text>"));
}

TEST_CASE("a matrix has one cell per visible weight and one outline per gold link") {
  data::Record record;
  record.source = {"I", "<img>"};
  record.target = {"je", "l'\u202e"};
  record.weights.matrix = {{0.98F, 0.02F, 0}, {0.004F, 0.5F, 0.496F}, {0, 0, 1}};
  record.gold = data::Gold{{{0, 0}}, {{1, 1}}};
  const std::string svg = draw_matrix(record);
  CHECK(count(svg, "<title>") == 5);
  CHECK_THAT(svg, Contains("class=\"w24\"") && Contains("class=\"w12\""));
  CHECK_THAT(svg, Contains("<title>je ← I 0.98</title>"));
  CHECK_THAT(svg, Contains("<title>l'\ufffd ← &lt;img&gt; 0.50</title>"));
  CHECK(count(svg, "class=\"gold\"") == 1);
  CHECK(count(svg, "class=\"gold possible\"") == 1);
  CHECK(count(svg, "&lt;/s&gt;</text>") == 2);
  CHECK(svg.find("<img") == svg.npos);
}
