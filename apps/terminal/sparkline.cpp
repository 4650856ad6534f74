#include "apps/terminal/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace softalign::apps {

namespace {

constexpr std::array<const char*, 8> levels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// Column c of C is the mean of the values from floor(c N / C) to floor((c + 1) N / C).
std::vector<double> resampled(const std::vector<double>& values, std::size_t columns) {
  std::vector<double> means;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto at = [&](std::size_t column) {
      return values.begin() + static_cast<std::ptrdiff_t>(column * values.size() / columns);
    };
    means.push_back(std::accumulate(at(c), at(c + 1), 0.) / static_cast<double>(at(c + 1) - at(c)));
  }
  return means;
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t columns) {
  if (values.empty() || columns == 0) return "";
  const std::vector<double> shown = resampled(values, std::min(columns, values.size()));
  double lowest = INFINITY, highest = -INFINITY;
  for (const double value : shown) {
    if (!std::isfinite(value)) continue;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  std::string text;
  for (const double value : shown) {
    if (!std::isfinite(value)) {
      text += " ";
      continue;
    }
    const double height = highest > lowest ? (value - lowest) / (highest - lowest) : 1;
    text += levels[static_cast<std::size_t>(std::lround(height * (levels.size() - 1)))];
  }
  return text;
}

}  // namespace softalign::apps
