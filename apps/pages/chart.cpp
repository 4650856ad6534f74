#include "apps/pages/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "apps/pages/html.h"

namespace softalign::apps {

namespace {

// Relative errors up to this size count as rounding errors.
constexpr double slack = 1e-9;

double power_below(double value) { return std::pow(10, std::floor(std::log10(value) + slack)); }

}  // namespace

double round_below(double value) {
  const double power = power_below(value);
  for (const double m : {5.0, 2.0}) {
    if (m * power <= value * (1 + slack)) return m * power;
  }
  return power;
}

double round_above(double value) {
  const double power = power_below(value);
  for (const double m : {1.0, 2.0, 5.0}) {
    if (m * power >= value * (1 - slack)) return m * power;
  }
  return 10 * power;
}

std::vector<double> ticks(const LineChart& chart) {
  std::vector<double> places;
  if (chart.logarithmic) {
    for (double value = round_above(chart.low); value <= chart.high * (1 + slack); value = round_above(value * 1.5)) {
      places.push_back(value);
    }
    return places;
  }
  const double step = round_above((chart.high - chart.low) / 5);
  for (double value = chart.low; value <= chart.high + step / 1000; value += step) places.push_back(value);
  return places;
}

std::vector<double> apart(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<double> places = wanted;
  double next = low;
  for (const std::size_t i : order) {
    places[i] = std::max(places[i], next);
    next = places[i] + gap;
  }
  next = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    if (places[*i] <= next) break;
    places[*i] = next;
    next -= gap;
  }
  return places;
}

namespace {

constexpr std::string_view widest_value = " 100.0";

// Returns the lines of a label, with space for the value at the end of the last line. There are two lines if the name
// and a value are wider than `room`.
std::vector<std::string> label_lines(const std::string& name, double room) {
  const std::string valued = name + std::string(widest_value);
  if (text_width(valued) <= room) return {valued};
  std::size_t best = std::string::npos;
  double narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t space = name.find(' '); space != std::string::npos; space = name.find(' ', space + 1)) {
    const double width = std::max(text_width(name.substr(0, space)), text_width(valued.substr(space + 1)));
    if (width < narrowest) narrowest = width, best = space;
  }
  if (best == std::string::npos) return {valued};
  return {name.substr(0, best), valued.substr(best + 1)};
}

// Plot converts positions and values to px.
struct Plot {
  const LineChart& chart;
  double left, right, top, bottom;

  explicit Plot(const LineChart& c) : chart(c), left(36), right(c.width), top(32), bottom(c.height - 38) {
    // A wide chart needs a smaller part of its width for the names.
    const double most = std::max(0.5 * std::min(c.width, 360.0), 0.25 * c.width) - 12;
    double room = 0;
    for (const Series& series : c.series) {
      for (const std::string& line : label_lines(series.name, most)) room = std::max(room, text_width(line));
    }
    right -= std::min(room + 12, 0.6 * c.width);
  }
  double x(double place) const {
    if (chart.x.size() < 2) return (left + right) / 2;
    return left + (right - left) * place / static_cast<double>(chart.x.size() - 1);
  }
  double x(std::size_t place) const { return x(static_cast<double>(place)); }
  double y(double value) const {
    const auto scale = [&](double v) { return chart.logarithmic ? std::log(std::max(v, chart.low)) : v; };
    const double part = (scale(value) - scale(chart.low)) / (scale(chart.high) - scale(chart.low));
    return bottom - std::clamp(part, 0.0, 1.0) * (bottom - top);
  }
};

std::string axes(const Plot& p) {
  const LineChart& c = p.chart;
  std::string markup = element("text", {{"class", "title"}, {"x", 0.0}, {"y", 13.0}}, text(c.title));
  for (const double value : ticks(c)) {
    markup +=
        element("line", {{"class", "grid"}, {"x1", p.left}, {"x2", p.right}, {"y1", p.y(value)}, {"y2", p.y(value)}});
    markup += element("text", {{"class", "tick"}, {"x", p.left - 6}, {"y", p.y(value) + 4}, {"text-anchor", "end"}},
                      fmt::format("{:g}", value));
  }
  double widest = 1;
  for (const std::string& label : c.x) widest = std::max(widest, text_width(label) + 8);
  const double pitch = c.x.size() < 2 ? widest : p.x(1.0) - p.x(0.0);
  const auto every = static_cast<std::size_t>(std::ceil(widest / pitch));
  for (std::size_t i = 0; i < c.x.size(); i += every) {
    markup += element("text", {{"class", "tick"}, {"x", p.x(i)}, {"y", p.bottom + 16}, {"text-anchor", "middle"}},
                      text(c.x[i]));
  }
  return markup +
         element("text",
                 {{"class", "tick"}, {"x", (p.left + p.right) / 2}, {"y", p.bottom + 33}, {"text-anchor", "middle"}},
                 text(c.x_title));
}

std::string line_path(const Plot& p, const Values& values) {
  std::string path;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    const bool goes_on = i > 0 && values[i - 1];
    path += fmt::format("{}{} {}", goes_on ? "L" : "M", coordinate(p.x(i)), coordinate(p.y(values[i]->mean)));
  }
  return path;
}

// Returns the outline of the band. For each stretch without a gap, it goes forward along the highest values, and back
// along the lowest values.
std::string band_path(const Plot& p, const Values& values) {
  std::string path;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    std::string there, back;
    for (; end < values.size() && values[end]; ++end) {
      there +=
          fmt::format("{}{} {}", end > begin ? "L" : "M", coordinate(p.x(end)), coordinate(p.y(values[end]->high)));
      back = fmt::format("L{} {}", coordinate(p.x(end)), coordinate(p.y(values[end]->low))) + back;
    }
    if (end > begin) path += there + back + "Z";
    begin = end + 1;
  }
  return path;
}

std::optional<std::size_t> last_place(const Values& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i]) return i;
  }
  return {};
}

std::string draw_series(const Plot& p, const Series& s, std::size_t last, double label_y) {
  const data::MeanAndRange& end = *s.values[last];
  std::string markup;
  if (end.seeds > 1) markup += element("path", {{"class", "band"}, {"d", band_path(p, s.values)}});
  markup += element("path", {{"class", "line"}, {"d", line_path(p, s.values)}});
  markup += element("circle", {{"class", "end"}, {"cx", p.x(last)}, {"cy", p.y(end.mean)}, {"r", 3.0}});
  const double room = p.chart.width - p.right - 9;
  const std::vector<std::string> lines = label_lines(s.name, room);
  const std::string value = " " + mean_text(end, p.chart.decimals);
  const auto named = [](const std::string& line) { return text(line.substr(0, line.size() - widest_value.size())); };
  if (lines.size() == 1) {
    markup += element("text", {{"class", "label"}, {"x", p.right + 9}, {"y", label_y + 4}}, named(lines[0]) + value);
  } else {
    markup += element("text", {{"class", "label"}, {"x", p.right + 9}, {"y", label_y - 2}},
                      element("tspan", {{"x", p.right + 9}}, text(lines[0])) +
                          element("tspan", {{"x", p.right + 9}, {"dy", "13"}}, named(lines[1]) + value));
  }
  return element("g", {{"class", fmt::format("series s{}", s.style)}}, markup);
}

}  // namespace

std::string draw(const LineChart& chart) {
  const Plot p(chart);
  std::string markup = axes(p);
  for (const DataPoint& point : chart.points) {
    markup += element("circle", {{"class", "point"}, {"cx", p.x(point.place)}, {"cy", p.y(point.value)}, {"r", 2.5}});
  }
  for (const Values& values : chart.context) {
    markup += element("path", {{"class", "context"}, {"d", line_path(p, values)}});
  }
  std::vector<const Series*> drawn;
  std::vector<double> ends;
  for (const Series& series : chart.series) {
    const auto last = last_place(series.values);
    if (!last) continue;
    drawn.push_back(&series);
    ends.push_back(p.y(series.values[*last]->mean));
  }
  const bool tall = std::any_of(drawn.begin(), drawn.end(), [&](const Series* series) {
    return label_lines(series->name, p.chart.width - p.right - 9).size() > 1;
  });
  const std::vector<double> labels = apart(ends, tall ? 28 : 14, p.top - 6, p.bottom);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    markup += draw_series(p, *drawn[i], *last_place(drawn[i]->values), labels[i]);
  }
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"class", "chart"},
                  {"viewBox", view_box(chart.width, chart.height)},
                  {"role", "img"},
                  {"aria-label", fmt::format("{} by {}", chart.title, chart.x_title)}},
                 markup + "\n");
}

void fit_axes(std::span<LineChart> charts) {
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  const auto look = [&](const Values& line) {
    for (const auto& value : line) {
      if (!value) continue;
      highest = std::max(highest, value->high);
      if (value->low > 0) lowest = std::min(lowest, value->low);
    }
  };
  for (const LineChart& chart : charts) {
    for (const Series& series : chart.series) look(series.values);
  }
  for (LineChart& chart : charts) {
    chart.high = highest > 0 ? round_above(highest) : 1;
    if (chart.logarithmic) chart.low = highest > 0 ? round_below(std::min(lowest, chart.high / 2)) : 0.1;
  }
}

}  // namespace softalign::apps
