#include "data/pictures/twins.h"

#include <vector>

#include "data/pictures/shapes.h"

namespace data {

namespace {

size_t apart(size_t a, size_t b) { return a > b ? a - b : b - a; }

// Whether two squares of the board have a side or a corner in common.
bool touch(size_t a, size_t b) {
  return apart(a / twins_side, b / twins_side) <= 1 && apart(a % twins_side, b % twins_side) <= 1;
}

}  // namespace

Twins draw_twins(autograd::Random& random) {
  Twins twins{noisy_ground(twins_side * square_side, twins_side * square_side, random), {}};
  std::vector<size_t> squares;
  do {
    squares = random.different(twins_side * twins_side, twins_side * twins_side);
  } while (touch(squares[0], squares[1]) || touch(squares[2], squares[3]) || touch(squares[4], squares[5]));
  const std::vector<size_t> shapes = random.different(twins.objects.size() / 2, shape_names.size());
  for (size_t i = 0; i < twins.objects.size(); ++i) {
    const size_t twin = i % 2 == 0 ? i + 1 : i - 1;
    const Twins::Object object{squares[i], shapes[i / 2], random.below(colour_names.size()), twin};
    draw_shape(twins.picture, object.shape, object.colour, object.square / twins_side * square_side + 1,
               object.square % twins_side * square_side + 1);
    twins.objects[i] = object;
  }
  return twins;
}

}  // namespace data
