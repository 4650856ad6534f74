// Twins: six objects are three pairs, each of one shape, whose squares do not touch; what is to be said of an object is
// the colour of its twin, which no neighbourhood of the object shows.
#pragma once

#include <array>
#include <cstddef>

#include "autograd/storage/random.h"
#include "data/pictures/picture.h"

namespace data {

inline constexpr size_t twins_side = 4;   // squares of a board, each way
inline constexpr size_t square_side = 8;  // pixels of a square, each way

struct Twins {
  struct Object {
    size_t square;         // on the board, row by row
    size_t shape, colour;  // data/pictures/shapes.h
    size_t twin;           // of the six
  };
  Picture picture;  // 32 x 32
  std::array<Object, 6> objects;
};

Twins draw_twins(autograd::Random& random);

}  // namespace data
