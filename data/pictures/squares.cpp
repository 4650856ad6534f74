#include "data/pictures/squares.h"

#include "data/pictures/shapes.h"

namespace softalign::data {

namespace {

size_t apart(size_t a, size_t b) { return a > b ? a - b : b - a; }

}  // namespace

Picture empty_squares(autograd::Random& random) {
  return noisy_ground(squares_side * square_side, squares_side * square_side, random);
}

void draw_object(Picture& picture, const Standing& object) {
  const auto [top, left] = first_pixel(object.square);
  draw_shape(picture, object.shape, object.colour, top + 1, left + 1);
}

bool touch(size_t a, size_t b) {
  return apart(a / squares_side, b / squares_side) <= 1 && apart(a % squares_side, b % squares_side) <= 1;
}

}  // namespace softalign::data
