// Twins: six objects are three pairs, each of one shape, whose squares do not touch; what is to be said of an object is
// the colour of its twin, which no neighbourhood of the object shows.
#pragma once

#include <array>

#include "data/pictures/squares.h"

namespace softalign::data {

struct Twins {
  struct Object : Standing {
    size_t twin;  // of the six
  };
  Picture picture;
  std::array<Object, 6> objects;
};

Twins draw_twins(autograd::Random& random);

}  // namespace softalign::data
