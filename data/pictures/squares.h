// A board of 4 x 4 squares, in each of which one shape can stand: what twins, lights and Mondrians are drawn on.
#pragma once

#include <cstddef>

#include "autograd/random.h"
#include "data/corpus/picture.h"

namespace softalign::data {

inline constexpr size_t squares_side = 4;                       // squares of a board, each way
inline constexpr size_t square_side = 8;                        // pixels of a square, each way
inline constexpr size_t squares = squares_side * squares_side;  // numbered row by row

// What stands in a square: a shape and a colour of data/pictures/shapes.h.
struct Standing {
  size_t square, shape, colour;
};

struct Pixel {
  size_t top, left;
};
inline Pixel first_pixel(size_t square) {
  return {square / squares_side * square_side, square % squares_side * square_side};
}

// 32 x 32 pixels, nothing but noise.
Picture empty_squares(autograd::Random& random);

void draw_object(Picture& picture, const Standing& object);

// Whether two squares have a side or a corner in common. A square touches itself.
bool touch(size_t a, size_t b);

}  // namespace softalign::data
