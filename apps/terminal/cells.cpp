#include "apps/terminal/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace softalign::apps {

namespace {

using Rgb = std::array<double, 3>;

// Stops has the colours of the weights 0, 0.2 .. 1. The first colour is near the background of the terminal, and the
// last one is its opposite. Weights are blue. Gold cells of a picture have no space for brackets, so they are orange.
using Stops = std::array<Rgb, 6>;
constexpr Stops blue_on_dark{
    {{22, 26, 34}, {24, 46, 78}, {28, 82, 142}, {54, 132, 206}, {138, 194, 240}, {232, 245, 255}}};
constexpr Stops blue_on_light{
    {{255, 255, 255}, {206, 224, 244}, {142, 186, 228}, {74, 140, 202}, {26, 92, 162}, {8, 44, 100}}};
constexpr Stops orange_on_dark{
    {{64, 44, 16}, {104, 66, 14}, {150, 92, 16}, {200, 124, 28}, {240, 172, 80}, {255, 232, 190}}};
constexpr Stops orange_on_light{
    {{255, 236, 204}, {252, 208, 144}, {238, 170, 84}, {206, 124, 36}, {152, 82, 14}, {96, 48, 4}}};

Rgb between(const Stops& from, double weight) {
  const double at = std::clamp(weight, 0., 1.) * (from.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), from.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = std::round(from[below][i] + (at - static_cast<double>(below)) * (from[below + 1][i] - from[below][i]));
  }
  return mixed;
}

// Returns the grey of the 256-colour palette. Its ramp goes from 232 (almost black) to 255 (almost white).
int grey(double weight, Colours colours) {
  const int steps = static_cast<int>(std::lround(std::clamp(weight, 0., 1.) * 23));
  return is_light(colours) ? 255 - steps : 232 + steps;
}

// Returns the SGR parameters of the colour that follow 38; (text) or 48; (background).
std::string colour_of(const Pixel& pixel, Colours colours) {
  const double weight = std::clamp(pixel.weight, 0., 1.);
  const bool light = is_light(colours);
  if (is_truecolor(colours)) {
    const Rgb c = pixel.gold ? between(light ? orange_on_light : orange_on_dark, weight)
                             : between(light ? blue_on_light : blue_on_dark, weight);
    return fmt::format("2;{:.0f};{:.0f};{:.0f}", c[0], c[1], c[2]);
  }
  constexpr std::array<int, 6> oranges{58, 94, 136, 178, 221, 230};  // of the palette's colour cube, dark to light
  const auto step = static_cast<std::size_t>(std::lround(weight * 5));
  return fmt::format("5;{}", pixel.gold ? oranges[light ? 5 - step : step] : grey(weight, colours));
}

// Returns ".84", "1.0" or " · ". A small weight is written as a number if the cell is a gold link.
std::string number(double weight, Mark mark) {
  if (weight >= 0.995) return "1.0";
  if (weight < 0.05 && (mark == Mark::none || mark == Mark::wrong)) return " · ";
  return fmt::format("{:.2f}", std::max(weight, 0.)).substr(1);
}

// Returns the weight in hundredths: "84", "07", or " ·".
std::string hundredths(double weight, Mark mark) {
  if (weight < 0.05 && (mark == Mark::none || mark == Mark::wrong)) return " ·";
  return fmt::format("{:02}", static_cast<int>(std::clamp(std::round(weight * 100), 0., 99.)));
}

std::string tenths(double weight, Mark mark) {
  if (weight < 0.05 && mark == Mark::none) return "·";
  return fmt::format("{}", static_cast<int>(std::clamp(weight * 10 + 1e-6, 0., 9.)));
}

// Ink has the SGR styles of a cell: its background, its number, and gold brackets. If the weight is small, the brackets
// have a colour of their own.
struct Ink {
  std::string paper, number, bracket;
};

Ink ink_of(double weight, Colours colours) {
  constexpr const char *black = "38;5;16", *white = "38;5;231";
  bool bright = false;  // true if the background is bright
  std::string paper;
  if (is_truecolor(colours)) {
    const Rgb c = between(is_light(colours) ? blue_on_light : blue_on_dark, weight);
    // The relative luminance is computed with gamma 2.2. Above 0.18, black text has more contrast than white text.
    bright =
        0.2126 * std::pow(c[0] / 255, 2.2) + 0.7152 * std::pow(c[1] / 255, 2.2) + 0.0722 * std::pow(c[2] / 255, 2.2) >
        0.18;
    paper = fmt::format("48;2;{:.0f};{:.0f};{:.0f};", c[0], c[1], c[2]);
  } else {
    bright = grey(weight, colours) > 243;
    paper = fmt::format("48;5;{};", grey(weight, colours));
  }
  const std::string number = bright ? black : white;
  const bool hue_contrasts = is_light(colours) ? weight < 0.3 : !bright;
  if (!hue_contrasts) return {paper, number, number};
  if (is_light(colours)) return {paper, number, is_truecolor(colours) ? "38;2;166;76;0" : "38;5;130"};
  return {paper, number, is_truecolor(colours) ? "38;2;255;200;90" : "38;5;221"};
}

}  // namespace

std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours) {
  if (width > 6) {
    const auto blank = [&](std::size_t columns) {
      const Ink ink = ink_of(weight, colours);
      return paint(ink.paper + ink.number, std::string(columns, ' '), colours);
    };
    return blank((width - 6) / 2) + draw_cell(weight, mark, 6, colours) + blank(width - 6 - (width - 6) / 2);
  }
  const std::string left = mark == Mark::sure ? "[" : mark == Mark::possible ? "(" : " ";
  const std::string right = mark == Mark::sure ? "]" : mark == Mark::possible ? ")" : mark == Mark::wrong ? "x" : " ";
  const std::string digits = width >= 5   ? pad_right(number(weight, mark), width - 2)
                             : width == 4 ? number(weight, mark)
                             : width == 3 ? hundredths(weight, mark)
                                          : tenths(weight, mark);
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
