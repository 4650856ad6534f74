#include "apps/terminal/heatmap_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace softalign::apps {

namespace {

using Rgb = std::array<double, 3>;

// One blue hue from paper (dark, 0) to light (1), each stop lighter than the one before.
constexpr std::array<Rgb, 6> stops{
    {{22, 26, 34}, {24, 46, 78}, {28, 82, 142}, {54, 132, 206}, {138, 194, 240}, {232, 245, 255}}};

// The same in orange, for gold cells of a picture, which have no room for brackets.
constexpr std::array<Rgb, 6> gold_stops{
    {{64, 44, 16}, {104, 66, 14}, {150, 92, 16}, {200, 124, 28}, {240, 172, 80}, {255, 232, 190}}};

Rgb between(const std::array<Rgb, 6>& from, double weight) {
  const double at = std::clamp(weight, 0., 1.) * (from.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), from.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = std::round(from[below][i] + (at - static_cast<double>(below)) * (from[below + 1][i] - from[below][i]));
  }
  return mixed;
}
Rgb blue(double weight) { return between(stops, weight); }

// The colour's SGR parameters behind 38; (ink) or 48; (paper).
std::string colour_of(const Pixel& pixel, Colours colours) {
  const double weight = std::clamp(pixel.weight, 0., 1.);
  if (colours == Colours::truecolor) {
    const Rgb c = between(pixel.gold ? gold_stops : stops, weight);
    return fmt::format("2;{:.0f};{:.0f};{:.0f}", c[0], c[1], c[2]);
  }
  constexpr std::array<int, 6> oranges{58, 94, 136, 178, 221, 230};  // of the palette's colour cube
  const int grey = 232 + static_cast<int>(std::lround(weight * 23));
  return fmt::format("5;{}", pixel.gold ? oranges[static_cast<std::size_t>(std::lround(weight * 5))] : grey);
}

// ".84", "1.0", " · "; a small weight is written out where gold has a link.
std::string number(double weight, Mark mark) {
  if (weight >= 0.995) return "1.0";
  if (weight < 0.05 && (mark == Mark::none || mark == Mark::wrong)) return " · ";
  return fmt::format("{:.2f}", std::max(weight, 0.)).substr(1);
}

std::string tenths(double weight, Mark mark) {
  if (weight < 0.05 && mark == Mark::none) return "·";
  return fmt::format("{}", static_cast<int>(std::clamp(weight * 10 + 1e-6, 0., 9.)));
}

// SGR styles of a cell: what lies under it, its number, and gold's brackets, which stand out by hue where it is dark.
struct Ink {
  std::string paper, number, bracket;
};

Ink ink_of(double weight, Colours colours) {
  constexpr const char *black = "38;5;16", *white = "38;5;231";
  if (colours == Colours::truecolor) {
    const Rgb c = blue(weight);
    // relative luminance, gamma taken as 2.2: black ink above .18, where both inks contrast alike
    const bool light =
        0.2126 * std::pow(c[0] / 255, 2.2) + 0.7152 * std::pow(c[1] / 255, 2.2) + 0.0722 * std::pow(c[2] / 255, 2.2) >
        0.18;
    return {fmt::format("48;2;{:.0f};{:.0f};{:.0f};", c[0], c[1], c[2]), light ? black : white,
            light ? black : "38;2;255;200;90"};
  }
  // the grey ramp 232 (almost black) .. 255 (almost white)
  const int grey = 232 + static_cast<int>(std::lround(std::clamp(weight, 0., 1.) * 23));
  return {fmt::format("48;5;{};", grey), grey > 243 ? black : white, grey > 243 ? black : "38;5;221"};
}

}  // namespace

std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours) {
  const std::string left = mark == Mark::sure ? "[" : mark == Mark::possible ? "(" : " ";
  const std::string right = mark == Mark::sure ? "]" : mark == Mark::possible ? ")" : mark == Mark::wrong ? "x" : " ";
  const std::string digits = width >= 5 ? pad_right(number(weight, mark), width - 2) : tenths(weight, mark);
  const Ink ink = ink_of(weight, colours);
  const auto inked = [&](const std::string& text) {
    return paint(ink.paper + ink.number + (mark == Mark::none ? "" : ";1"), text, colours);
  };
  if (mark == Mark::none || mark == Mark::wrong) return inked((width >= 5 ? left : "") + digits + right);
  const auto bracket = [&](const std::string& text) { return paint(ink.paper + ink.bracket + ";1", text, colours); };
  return (width >= 5 ? bracket(left) : "") + inked(digits) + bracket(right);
}

std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours) {
  const std::string paper = lower ? ";48;" + colour_of(*lower, colours) : "";
  return paint("38;" + colour_of(upper, colours) + paper, "▀", colours);
}

}  // namespace softalign::apps
