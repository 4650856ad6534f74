#include "apps/pages/svg.h"

#include <fmt/format.h>

#include <cmath>

#include "data/io/unicode.h"

namespace softalign::apps {

std::string coordinate(double value) {
  const double tenths = std::round(10 * value);
  if (std::fmod(tenths, 10) == 0) return fmt::format("{:.0f}", tenths / 10 + 0.0);
  return fmt::format("{:.1f}", tenths / 10);
}

std::string view_box(double width, double height) {
  return fmt::format("0 0 {} {}", coordinate(width), coordinate(height));
}

double text_width(std::string_view words) { return 7.3 * static_cast<double>(data::display_width(words)); }

}  // namespace softalign::apps
