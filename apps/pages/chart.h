// A line chart as SVG. It has one vertical axis. Each line has its name at its end, its own colour and dash, and a band
// for the range of the seeds. Its viewBox has its natural size, in px. The colours come from the surrounding style
// (chart.css).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/metrics/mean_and_range.h"

namespace softalign::apps {

// One value per position of the horizontal axis. A line is interrupted where there is none.
using Values = std::vector<std::optional<data::MeanAndRange>>;

struct Series {
  std::string name;
  std::size_t style = 0;  // colour and dash, .s0 to .s6
  Values values;
};

// A point of the data that the lines are fitted to. `place` is its position on the horizontal axis, 0.5 between the
// first two places.
struct DataPoint {
  double place = 0, value = 0;
};

struct LineChart {
  std::string title, x_title;
  std::vector<std::string> x;  // the places of the horizontal axis, evenly spaced
  double low = 0, high = 1;    // of the vertical axis
  bool logarithmic = false;    // that axis; what is not above 0 stands at its foot
  int decimals = 1;            // of the values at the lines' ends
  std::vector<Series> series;
  std::vector<Values> context;  // further lines, faint and without a name, for comparison
  double width = 360, height = 224;
  std::vector<DataPoint> points = {};  // dots behind the lines
};

std::string draw(const LineChart& chart);

// The largest of 1, 2 and 5 times a power of ten that is at most the value, and the smallest that is at least it.
double round_below(double value);
double round_above(double value);

// Gives all charts the same vertical axis, which contains all of their lines: from 0 to a round number, or, if it is
// logarithmic, from a round number.
void fit_axes(std::span<LineChart> charts);

// The labels of the vertical axis: about five at equal distances, or, on a logarithmic axis, 1, 2 and 5 times powers of
// ten.
std::vector<double> ticks(const LineChart& chart);

// Moves labels from these heights as little as possible, so that they are `gap` apart and between low and high, if
// there is enough room. Their order does not change.
std::vector<double> apart(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace softalign::apps
