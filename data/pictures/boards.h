// Boards: two shapes on a board of 3 x 3 squares, and what a caption says of them. Which of the two is named first can
// be seen: the upper one, of two in a row the left one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/picture.h"

namespace softalign::data {

inline constexpr size_t board_side = 3;    // squares, each way
inline constexpr size_t board_square = 8;  // pixels of a square, each way

struct Board {
  Picture picture;                          // 24 x 24
  std::vector<std::string> caption;         // "a red circle above a blue square"; or "left-of"
  std::vector<std::optional<size_t>> gold;  // of each word of a colour or shape: the square of its object, row by row
};

Board draw_board(autograd::Random& random);

// All words of captions.
std::vector<std::string> board_words();

}  // namespace softalign::data
