#include "apps/support/heatmap_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace apps {

namespace {

using Rgb = std::array<double, 3>;

// One blue hue from paper (dark, 0) to light (1), each stop lighter than the one before.
constexpr std::array<Rgb, 6> stops{
    {{22, 26, 34}, {24, 46, 78}, {28, 82, 142}, {54, 132, 206}, {138, 194, 240}, {232, 245, 255}}};

Rgb blue(double weight) {
  const double at = std::clamp(weight, 0., 1.) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] =
        std::round(stops[below][i] + (at - static_cast<double>(below)) * (stops[below + 1][i] - stops[below][i]));
  }
  return mixed;
}

// ".84", "1.0", " · "; a small weight is written out where gold has a link.
std::string number(double weight, Mark mark) {
  if (weight >= 0.995) return "1.0";
  if (weight < 0.05 && (mark == Mark::none || mark == Mark::wrong)) return " · ";
  return fmt::format("{:.2f}", std::max(weight, 0.)).substr(1);
}

std::string tenths(double weight, Mark mark) {
  if (weight < 0.05 && mark == Mark::none) return "·";
  return fmt::format("{}", static_cast<int>(std::clamp(weight * 10, 0., 9.)));
}

}  // namespace

std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours) {
  const std::string left = mark == Mark::sure ? "[" : mark == Mark::possible ? "(" : " ";
  const std::string right = mark == Mark::sure ? "]" : mark == Mark::possible ? ")" : mark == Mark::wrong ? "x" : " ";
  std::string text = tenths(weight, mark) + right;
  if (width >= 5) text = left + pad_right(number(weight, mark), width - 2) + right;
  if (colours == Colours::truecolor) {
    const Rgb c = blue(weight);
    // relative luminance, gamma taken as 2.2: black ink above .18, where both inks contrast alike
    const double luminance =
        0.2126 * std::pow(c[0] / 255, 2.2) + 0.7152 * std::pow(c[1] / 255, 2.2) + 0.0722 * std::pow(c[2] / 255, 2.2);
    return paint(fmt::format("48;2;{:.0f};{:.0f};{:.0f};38;5;{}{}", c[0], c[1], c[2], luminance > 0.18 ? 16 : 231,
                             mark == Mark::none ? "" : ";1"),
                 text, colours);
  }
  // the grey ramp 232 (almost black) .. 255 (almost white)
  const int grey = 232 + static_cast<int>(std::lround(std::clamp(weight, 0., 1.) * 23));
  return paint(fmt::format("48;5;{};38;5;{}{}", grey, grey > 243 ? 16 : 231, mark == Mark::none ? "" : ";1"), text,
               colours);
}

}  // namespace apps
