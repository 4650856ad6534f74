// This file draws a line chart as SVG. The chart has one vertical axis. Each line has its own colour and dash, its name
// at its end, and a band that shows the range over the seeds. The viewBox of the SVG has the natural size of the chart
// in px. The page that contains the chart defines the colours (chart.css).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/metrics/mean_and_range.h"

namespace softalign::apps {

// Values has one value per position on the horizontal axis. A line is interrupted where a value is missing.
using Values = std::vector<std::optional<data::MeanAndRange>>;

struct Series {
  std::string name;
  std::size_t style = 0;  // colour and dash, .s0 to .s6
  Values values;
};

// DataPoint is an observation, which the chart shows as a dot. For example, the lines of the chart are fitted to such
// points. `place` is the position on the horizontal axis; 0.5 is halfway between the first two positions.
struct DataPoint {
  double place = 0, value = 0;
};

struct LineChart {
  std::string title, x_title;
  std::vector<std::string> x;  // positions on the horizontal axis, at equal distances
  double low = 0, high = 1;    // lowest and highest value on the vertical axis
  bool logarithmic = false;    // logarithmic vertical axis; smaller values are drawn at `low`
  int decimals = 1;            // number of decimals of the values at the ends of lines
  std::vector<Series> series;
  std::vector<Values> context;  // lines for comparison, faint and without a name
  double width = 360, height = 224;
  std::vector<DataPoint> points = {};  // dots behind the lines
};

std::string draw(const LineChart& chart);

// round_below returns the largest number of the form 1, 2 or 5 times a power of ten that is at most the value.
// round_above returns the smallest such number that is at least the value.
double round_below(double value);
double round_above(double value);

// Gives all charts the same vertical axis, so that all of their lines fit on it. A linear axis goes from 0 to a round
// number. A logarithmic axis starts at a round number.
void fit_axes(std::span<LineChart> charts);

// Returns the labels of the vertical axis. A linear axis has about five labels at equal distances. A logarithmic axis
// has 1, 2 and 5 times powers of ten.
std::vector<double> ticks(const LineChart& chart);

// Moves labels so that they do not overlap. Returns heights that are near the `wanted` heights and in the same order,
// at least `gap` apart, and between `low` and `high`. There must be enough room for all labels between `low` and
// `high`.
std::vector<double> apart(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace softalign::apps
