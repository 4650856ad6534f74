// Scenes: two to four shapes of two sizes, each somewhere in a column of its own, and a caption that names them from
// left to right: "a large red circle , a small blue bar and a small green ring".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/picture.h"
#include "data/pictures/box.h"

namespace softalign::data {

inline constexpr size_t scene_columns = 4, scene_column = 16;  // pixels of a column
inline constexpr size_t scene_height = 48;                     // pixels

struct Scene {
  Picture picture;  // 48 x 64
  std::vector<std::string> caption;
  std::vector<std::optional<Box>> boxes;  // of each word of a size, colour or shape: what its object covers
};

Scene draw_scene(autograd::Random& random);

}  // namespace softalign::data
