// A Mondrian, after Land and McCann 1971: patches of paint under a light that is the same everywhere and whose colour
// nobody is told. What a patch sends to the eye is its paint times the light, so what a patch is painted in cannot be
// told from the patch; the mean of all patches shows the light.
#pragma once

#include <array>
#include <string_view>

#include "data/pictures/squares.h"

namespace softalign::data {

// Paint i reflects much of red, green or blue where bit 0, 1 or 2 of i is set, and half of that where it is not.
inline constexpr std::array<std::string_view, 8> paint_names{"black", "red",    "green", "yellow",
                                                             "blue",  "purple", "cyan",  "white"};

struct Mondrian {
  struct Patch {
    size_t square, paint;
  };
  Picture picture;
  std::array<Patch, squares> objects;
  std::array<double, 3> light;  // red, green and blue, each from 1/4 to 1
};

Mondrian draw_mondrian(autograd::Random& random);

}  // namespace softalign::data
