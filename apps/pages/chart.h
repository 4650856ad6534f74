// A chart of lines as SVG: one vertical axis, each line named at its end, told apart by colour and dash, with a band
// for the range of the seeds. SyntheticExample at its natural size, in px; the colours come from the style around it
// (chart.css).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/metrics/mean_and_range.h"

namespace softalign::apps {

// A value at each place of the horizontal axis; a line breaks where there is none.
using Values = std::vector<std::optional<data::MeanAndRange>>;

struct Series {
  std::string name;
  std::size_t style = 0;  // colour and dash, .s0 to .s6
  Values values;
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
};

std::string draw(const LineChart& chart);

// The largest of 1, 2 and 5 times a power of ten that is at most the value, and the smallest that is at least it.
double round_below(double value);
double round_above(double value);

// Gives all of them the vertical axis that all of their lines fit on: from 0 to a round number, or if it is logarithmic
// from a round number.
void fit_axes(std::span<LineChart> charts);

// Where the vertical axis is labelled: evenly, about five times, or where it is logarithmic at 1, 2 and 5 times powers
// of ten.
std::vector<double> ticks(const LineChart& chart);

// Labels that want to stand at these heights, moved as little as keeps them `gap` apart and between low and high (if
// there is room for that); their order stays.
std::vector<double> apart(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace softalign::apps
