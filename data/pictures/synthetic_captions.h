// Synthetic pictures with captions: boards of two shapes, and scenes of two to four.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/picture.h"
#include "data/corpus/synthetic_example.h"
#include "data/pictures/captions.h"

namespace softalign::data {

// Boards: two shapes on a board of 3 x 3 squares, and their caption. The caption names the upper shape first, or the
// left one if both are in the same row.
inline constexpr std::size_t board_side = 3;    // squares, each way
inline constexpr std::size_t board_square = 8;  // pixels of a square, each way

struct Board {
  Picture picture;                   // 24 x 24
  std::vector<std::string> caption;  // "a red circle above a blue square"; or "left-of"
  // For each word of a colour or shape, the square of its object, row by row.
  std::vector<std::optional<std::size_t>> gold;
};

Board draw_board(autograd::Random& random);

// All words of captions.
std::vector<std::string> board_words();

// Scenes: two to four shapes of two sizes, each somewhere in a column of its own, and a caption that names them from
// left to right: "a large red circle , a small blue bar and a small green ring".
inline constexpr std::size_t scene_columns = 4, scene_column = 16;  // pixels of a column
inline constexpr std::size_t scene_height = 48;                     // pixels

struct Scene {
  Picture picture;  // 48 x 64
  std::vector<std::string> caption;
  std::vector<std::optional<Box>> boxes;  // of each word of a size, colour or shape: what its object covers
};

Scene draw_scene(autograd::Random& random);

// A board or a scene as a line of data/pictures/captions.h.
SyntheticExample shapes_and_caption(autograd::Random& random);
SyntheticExample scene_and_caption(autograd::Random& random);

}  // namespace softalign::data
