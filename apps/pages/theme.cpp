#include "apps/pages/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace softalign::apps {

namespace {

constexpr int last_stop = 6;

int channel(const std::string& colour, int k) {
  return std::stoi(colour.substr(1 + 2 * static_cast<std::size_t>(k), 2), nullptr, 16);
}

}  // namespace

std::string of_light_theme(std::string_view name) {
  const std::string key = fmt::format("--{}: ", name);
  const std::size_t found = light_theme.find(key);
  if (found == light_theme.npos) throw std::invalid_argument(fmt::format("light.css: nothing is called --{}", name));
  const std::size_t begin = found + key.size();
  return std::string(light_theme.substr(begin, light_theme.find(';', begin) - begin));
}

std::string weight_class(double weight) {
  return fmt::format("w{:.0f}", std::round(std::clamp(weight, 0.0, 1.0) * static_cast<double>(weight_steps)));
}

std::string weight_colour(double weight) {
  const double place = std::clamp(weight, 0.0, 1.0) * last_stop;
  const int stop = std::min(last_stop - 1, static_cast<int>(place));
  const std::string from = of_light_theme(fmt::format("weight-{}", stop));
  const std::string to = of_light_theme(fmt::format("weight-{}", stop + 1));
  std::string colour = "#";
  for (int k = 0; k < 3; ++k) {
    const double mixed = channel(from, k) + (place - stop) * (channel(to, k) - channel(from, k));
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(mixed)));
  }
  return colour;
}

}  // namespace softalign::apps
