#include "data/pictures/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace softalign::data {

namespace {

constexpr std::array<Colour, colour_names.size()> colours{
    {{255, 26, 26}, {26, 204, 51}, {51, 77, 255}, {255, 230, 26}, {178, 26, 204}, {26, 204, 204}}};

// covers is true if the shape covers the pixel that is this far below and to the right of its middle.
bool covers(std::string_view shape, int down, int right) {
  const double distance = std::hypot(down, right);
  const int x = std::abs(right), y = std::abs(down);
  if (shape == "circle") return distance <= 3.1;
  if (shape == "square") return x <= 2 && y <= 2;
  if (shape == "triangle") return 2 * x <= down + 3;
  if (shape == "cross") return x <= 1 || y <= 1;
  if (shape == "ring") return distance <= 3.3 && distance >= 1.8;
  return y <= 1;  // bar
}

}  // namespace

Picture noisy_ground(std::size_t height, std::size_t width, autograd::Random& random) {
  Picture picture{height, width, std::vector<std::uint8_t>(height * width * 3)};
  for (std::uint8_t& number : picture.rgb)
    number = static_cast<std::uint8_t>(std::clamp(64 + 15 * random.normal(), 0.0, 255.0));
  return picture;
}

void draw_shape(Picture& picture, std::size_t shape, std::size_t colour, std::size_t top, std::size_t left,
                std::size_t scale) {
  const std::string_view name = shape_names.at(shape);
  const Colour& paint = colours.at(colour);
  const std::size_t side = scale * shape_side;
  if (top + side > picture.height || left + side > picture.width)
    throw std::out_of_range("draw_shape: the shape lies outside of the picture");
  constexpr int middle = shape_side / 2;
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < side; ++j)
      if (covers(name, static_cast<int>(i / scale) - middle, static_cast<int>(j / scale) - middle))
        std::copy_n(paint.begin(), 3,
                    picture.rgb.begin() + static_cast<std::ptrdiff_t>(((top + i) * picture.width + left + j) * 3));
}

}  // namespace softalign::data
