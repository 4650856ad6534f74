#include "data/pictures/mondrian.h"

#include <algorithm>
#include <cmath>

namespace softalign::data {

namespace {

constexpr double bright = 230, noise = 6;  // of 255: much reflected of a full light, and what every number varies by

void paint_patch(Mondrian& mondrian, const Mondrian::Patch& patch, autograd::Random& random) {
  Picture& picture = mondrian.picture;
  const auto [top, left] = first_pixel(patch.square);
  for (size_t i = top; i < top + square_side; ++i)
    for (size_t j = left; j < left + square_side; ++j)
      for (size_t c = 0; c < 3; ++c) {
        const double reflected = bright * mondrian.light[c] * ((patch.paint >> c & 1) != 0 ? 1 : 0.5);
        picture.rgb[(i * picture.width + j) * 3 + c] =
            static_cast<std::uint8_t>(std::clamp(reflected + noise * random.normal(), 0.0, 255.0));
      }
}

}  // namespace

Mondrian draw_mondrian(autograd::Random& random) {
  Mondrian mondrian{empty_squares(random), {}, {}};
  for (double& strength : mondrian.light) strength = std::exp2(-2 * random.uniform());
  for (size_t square = 0; square < squares; ++square) {
    mondrian.objects[square] = {square, random.below(paint_names.size())};
    paint_patch(mondrian, mondrian.objects[square], random);
  }
  return mondrian;
}

}  // namespace softalign::data
