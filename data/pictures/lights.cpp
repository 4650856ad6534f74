#include "data/pictures/lights.h"

#include <algorithm>
#include <vector>

#include "data/pictures/shapes.h"

namespace softalign::data {

namespace {

void draw_lamp(Picture& picture, size_t square) {
  const auto [top, left] = first_pixel(square);
  for (size_t row = top + 1; row < top + square_side; ++row)
    std::fill_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>((row * picture.width + left + 1) * 3),
                (square_side - 1) * 3, std::uint8_t{255});
}

}  // namespace

Lights draw_lights(autograd::Random& random) {
  Lights lights{empty_squares(random), {}, {}};
  const std::vector<size_t> places = random.different(lights.objects.size() + lights.lamps.size(), squares);
  std::copy_n(places.rbegin(), lights.lamps.size(), lights.lamps.begin());
  for (const size_t lamp : lights.lamps) draw_lamp(lights.picture, lamp);
  for (size_t i = 0; i < lights.objects.size(); ++i) {
    const Standing object{places[i], random.below(shape_names.size()), random.below(colour_names.size())};
    const bool lit =
        std::any_of(lights.lamps.begin(), lights.lamps.end(), [&](size_t lamp) { return touch(lamp, object.square); });
    lights.objects[i] = {object, lit};
    draw_object(lights.picture, object);
  }
  return lights;
}

}  // namespace softalign::data
