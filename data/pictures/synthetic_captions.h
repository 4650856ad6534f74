// These functions draw synthetic pictures with captions: boards of two shapes, and scenes of two to four shapes.
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

// A board is a picture of 3 x 3 squares with two shapes, and a caption. The caption names the upper shape first, or the
// left shape if both are in the same row.
inline constexpr std::size_t board_side = 3;    // squares per row and column
inline constexpr std::size_t board_square = 8;  // height and width of a square in pixels

struct Board {
  Picture picture;                   // 24 x 24 pixels
  std::vector<std::string> caption;  // "a red circle above a blue square", or with "left-of" instead of "above"
  // Some words of the caption name the colour or the shape of an object. For these words, `gold` has the number of the
  // square with the object. Squares are numbered row by row.
  std::vector<std::optional<std::size_t>> gold;
};

Board draw_board(autograd::Random& random);

// Returns all words that the caption of a board can contain.
std::vector<std::string> board_words();

// A scene is a picture with two to four shapes of two sizes, and a caption. Each shape is somewhere in its own column.
// The caption names the shapes from left to right: "a large red circle , a small blue bar and a small green ring".
inline constexpr std::size_t scene_columns = 4, scene_column = 16;  // pixels of a column
inline constexpr std::size_t scene_height = 48;                     // pixels

struct Scene {
  Picture picture;  // 48 x 64 pixels
  std::vector<std::string> caption;
  std::vector<std::optional<Box>> boxes;  // for each word that names a size, colour or shape: the box of its object
};

Scene draw_scene(autograd::Random& random);

// shapes_and_caption draws a board and scene_and_caption draws a scene. Both functions return the picture, and its
// caption as a line of a captions file (data/pictures/captions.h).
SyntheticExample shapes_and_caption(autograd::Random& random);
SyntheticExample scene_and_caption(autograd::Random& random);

}  // namespace softalign::data
