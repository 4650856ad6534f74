#include "data/pictures/synthetic_tasks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/pictures/shapes.h"

namespace softalign::data {

namespace {

std::size_t apart(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

}  // namespace

Picture empty_squares(autograd::Random& random) {
  return noisy_ground(squares_side * square_side, squares_side * square_side, random);
}

void draw_object(Picture& picture, const BoardObject& object) {
  const auto [top, left] = first_pixel(object.square);
  draw_shape(picture, object.shape, object.colour, top + 1, left + 1);
}

bool touch(std::size_t a, std::size_t b) {
  return apart(a / squares_side, b / squares_side) <= 1 && apart(a % squares_side, b % squares_side) <= 1;
}

Twins draw_twins(autograd::Random& random) {
  Twins twins{empty_squares(random), {}};
  std::vector<std::size_t> places;
  do {
    places = random.different(squares, squares);
  } while (touch(places[0], places[1]) || touch(places[2], places[3]) || touch(places[4], places[5]));
  const std::vector<std::size_t> shapes = random.different(twins.objects.size() / 2, shape_names.size());
  for (std::size_t i = 0; i < twins.objects.size(); ++i) {
    const std::size_t twin = i % 2 == 0 ? i + 1 : i - 1;
    twins.objects[i] = {{places[i], shapes[i / 2], random.below(colour_names.size())}, twin};
    draw_object(twins.picture, twins.objects[i]);
  }
  return twins;
}

namespace {

void draw_lamp(Picture& picture, std::size_t square) {
  const auto [top, left] = first_pixel(square);
  for (std::size_t row = top + 1; row < top + square_side; ++row)
    std::fill_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>((row * picture.width + left + 1) * 3),
                (square_side - 1) * 3, std::uint8_t{255});
}

}  // namespace

Lights draw_lights(autograd::Random& random) {
  Lights lights{empty_squares(random), {}, {}};
  const std::vector<std::size_t> places = random.different(lights.objects.size() + lights.lamps.size(), squares);
  std::copy_n(places.rbegin(), lights.lamps.size(), lights.lamps.begin());
  for (const std::size_t lamp : lights.lamps) draw_lamp(lights.picture, lamp);
  for (std::size_t i = 0; i < lights.objects.size(); ++i) {
    const BoardObject object{places[i], random.below(shape_names.size()), random.below(colour_names.size())};
    const bool lit = std::any_of(lights.lamps.begin(), lights.lamps.end(),
                                 [&](std::size_t lamp) { return touch(lamp, object.square); });
    lights.objects[i] = {object, lit};
    draw_object(lights.picture, object);
  }
  return lights;
}

namespace {

constexpr double bright = 230, noise = 6;  // of 255: reflection of full light, and standard deviation of the noise

void paint_patch(Mondrian& mondrian, const Mondrian::Patch& patch, autograd::Random& random) {
  Picture& picture = mondrian.picture;
  const auto [top, left] = first_pixel(patch.square);
  for (std::size_t i = top; i < top + square_side; ++i)
    for (std::size_t j = left; j < left + square_side; ++j)
      for (std::size_t c = 0; c < 3; ++c) {
        const double reflected = bright * mondrian.light[c] * ((patch.paint >> c & 1) != 0 ? 1 : 0.5);
        picture.rgb[(i * picture.width + j) * 3 + c] =
            static_cast<std::uint8_t>(std::clamp(reflected + noise * random.normal(), 0.0, 255.0));
      }
}

}  // namespace

Mondrian draw_mondrian(autograd::Random& random) {
  Mondrian mondrian{empty_squares(random), {}, {}};
  for (double& strength : mondrian.light) strength = std::exp2(-2 * random.uniform());
  for (std::size_t square = 0; square < squares; ++square) {
    mondrian.objects[square] = {square, random.below(paint_names.size())};
    paint_patch(mondrian, mondrian.objects[square], random);
  }
  return mondrian;
}

}  // namespace softalign::data
