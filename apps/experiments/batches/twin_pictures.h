// Pictures of twins (data/pictures/twins.h) as numbers for a model that names something at each of 8 x 8 cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/grid.h"
#include "autograd/var.h"
#include "data/pictures/twins.h"

namespace apps {

// B pictures; rows cell*B + b.
struct TwinPictures {
  static constexpr autograd::Grid pixels{32, 32}, cells{8, 8};

  TwinPictures(std::size_t B, std::uint64_t seed);

  std::vector<data::Twins> drawn;
  autograd::Array values;  // (32*32, B, 3), in [0, 1]
  autograd::Ids labels;    // the twin's colour at the cell in the middle of each object, -1 elsewhere
  autograd::Ids objects;   // which object that is, -1 elsewhere

  // The four cells that an object covers.
  static std::vector<std::size_t> covered(const data::Twins::Object& object);
  static std::size_t middle(const data::Twins::Object& object);
};

}  // namespace apps
