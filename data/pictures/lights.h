// Lights: six objects and two lamps. An object is lit if a lamp stands in a square that touches its own; what is to be
// said is its colour if it is lit, and that it is dark if it is not.
#pragma once

#include <array>

#include "data/pictures/squares.h"

namespace softalign::data {

struct Lights {
  struct Object : Standing {
    bool lit;
  };
  Picture picture;
  std::array<Object, 6> objects;
  std::array<size_t, 2> lamps;  // squares, each filled with white
};

Lights draw_lights(autograd::Random& random);

}  // namespace softalign::data
